/** Carries stdio to a socket and back, and starts the hub where nobody listens: `node line.cjs SOCKET FILE`. */
const { spawn } = require('node:child_process')
const { connect } = require('node:net')
const { join } = require('node:path')

const [socketPath, file] = process.argv.slice(2)
attempt(false)

function attempt(isStarting) {
  const socket = connect(socketPath)
  socket.on('connect', () => {
    process.stdin.pipe(socket)
    socket.pipe(process.stdout)
  })
  socket.on('error', () => {
    if (!isStarting) startHub()
    setTimeout(attempt, 2, true)
  })
}

function startHub() {
  const args = [join(__dirname, 'hub.cjs'), socketPath, file]
  spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'ignore', 'inherit'] }).unref()
}
