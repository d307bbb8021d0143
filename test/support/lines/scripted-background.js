// Stands where the hub's program would, beside a line that was built: says what the test wrote into the data folder.
const { appendFileSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { createServer, Socket } = require('node:net')
const { join } = require('node:path')

const asked = JSON.parse(process.argv[2])
const isMemory = asked.data === 'memory'
const script = isMemory ? JSON.parse(process.env.SCRIPT ?? '{}') : scriptIn(asked.data)
const starts = isMemory ? script.starts : join(asked.data, 'starts')
if (starts) {
  const { execArgv, pid, versions } = process
  const about = { asked, cwd: process.cwd(), execArgv, node: versions.node, pid }
  appendFileSync(starts, `${JSON.stringify(about)}\n`)
}
console.error('this goes to the log')
if (script.crash) process.exit(1)
if (script.slowMs) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, script.slowMs)
// As one that somebody kills, so often.
if (script.killed && script.killed >= timesStarted()) process.kill(process.pid, 'SIGKILL')
if (script.failed) say({ failed: script.failed })
else if (isMemory) {
  serve(new Socket({ fd: 3 }).on('close', () => process.exit()))
  say({ ready: true })
} else if (!hasLock()) say({ failed: { code: 'data_in_use', text: 'Another one has it' } })
else {
  const socket = join(asked.data, 'hub.sock')
  rmSync(socket, { force: true })
  const server = createServer(serve).listen(socket, () => say({ ready: true }))
  // Nobody who is forgotten by a test stays for long.
  setInterval(() => existsSync(asked.data) || process.exit(), 200)
  server.on('error', () => process.exit(1))
}

function scriptIn(data) {
  const file = join(data, 'script.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

function timesStarted() {
  return readFileSync(starts, 'utf8').split('\n').length - 1
}

function say(word) {
  process.stdout.on('error', () => {})
  process.stdout.end(`${JSON.stringify(word)}\n`)
}

/** Nothing, where it was let go meanwhile. */
function holderIn(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Of one process, for as long as that lives. */
function hasLock() {
  const file = join(asked.data, 'lock')
  for (;;) {
    try {
      writeFileSync(openSync(file, 'wx'), String(process.pid))
      return true
    } catch {
      const holder = holderIn(file)
      if (holder === '' || (holder && lives(Number(holder)))) return false
      rmSync(file, { force: true })
    }
  }
}

function lives(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Every request is answered with who answered; `wait` never is. */
function serve(socket) {
  let text = ''
  socket.on('error', () => {})
  socket.setEncoding('utf8').on('data', (chunk) => {
    const lines = (text + chunk).split('\n')
    text = lines.pop()
    for (const { hello, mcp, key } of lines.map((line) => JSON.parse(line))) {
      if (hello) tell({ welcome: { version: '0.1.0', pid: process.pid, url: 'http://localhost:4117', other: [] } })
      if (mcp?.id !== undefined && mcp.method !== 'wait')
        tell({ mcp: { jsonrpc: '2.0', id: mcp.id, result: { pid: process.pid, key, asked } } })
    }
  })

  function tell(frame) {
    socket.write(`${JSON.stringify(frame)}\n`)
  }
}
