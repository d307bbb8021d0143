/** The least that could carry lines between an agent and a port: `node bare-line.cjs PORT`. */
const { connect } = require('node:net')

const socket = connect(Number(process.argv[2]), '127.0.0.1')
process.stdin.pipe(socket)
socket.pipe(process.stdout)
