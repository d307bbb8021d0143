/**
 * The least that has Parley's shape: lines come to a socket, pages to a port, and what is said is durable in a thread of
 * its own before it is shown or answered. No validation, no history, no reconnecting: `node hub.cjs SOCKET FILE`.
 */
const { createServer: createHttpServer } = require('node:http')
const { createServer } = require('node:net')
const { join } = require('node:path')
const { Worker } = require('node:worker_threads')
const { WebSocketServer } = require('ws')

const [socketPath, file] = process.argv.slice(2)
const log = new Worker(join(__dirname, 'log.cjs'), { workerData: file })
/** What happens when it is durable, in the order of what was said. */
const unwritten = []
const questions = new Map()
const TOOLS = ['send_message', 'send_progress'].map((name) => ({ name, inputSchema: { type: 'object' } }))
let lines = 0
let asked = 0

log.on('message', (count) => {
  for (const act of unwritten.splice(0, count)) act()
})
const http = createHttpServer((_, response) => response.end('<!doctype html><title>bare</title>'))
const pages = new WebSocketServer({ server: http, perMessageDeflate: false })
pages.on('connection', (page) => {
  page.on('message', (data) => {
    const { type, id, key, message, text } = JSON.parse(String(data))
    if (type === 'ack') keep(message, () => settle(id, message))
    if (type === 'post')
      keep(text, () => {
        show({ type: 'entry', key, text })
        page.send(JSON.stringify({ type: 'accepted', key }))
      })
  })
})
createServer((line) => {
  let rest = ''
  lines++
  line.setEncoding('utf8')
  line.on('data', (chunk) => {
    const read = (rest + chunk).split('\n')
    rest = read.pop()
    for (const one of read) hear(JSON.parse(one), (id, result) => write(line, id, result))
  })
  line.on('close', () => --lines === 0 && process.exit())
}).listen(socketPath, () =>
  http.listen(0, '127.0.0.1', () => console.error(`http://localhost:${http.address().port}\n`)),
)

function hear({ id, method, params }, answer) {
  if (method === 'initialize') {
    const serverInfo = { name: 'bare', version: '0' }
    answer(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo })
  }
  if (method === 'tools/list') answer(id, { tools: TOOLS })
  if (method === 'tools/call') call(params, (result) => answer(id, { content: [{ type: 'text', text: result }] }))
}

function call({ name, arguments: { text } }, answer) {
  if (name === 'send_progress')
    return keep(text, () => {
      show({ type: 'entry', text })
      answer('{}')
    })
  const ack_id = String(++asked)
  questions.set(ack_id, answer)
  keep(text, () => show({ type: 'agentMessage', ack_id, text }))
}

function settle(id, reply) {
  questions.get(id)?.(JSON.stringify({ reply }))
  questions.delete(id)
}

function keep(text, act) {
  unwritten.push(act)
  log.postMessage(text)
}

function show(change) {
  const frame = JSON.stringify(change)
  for (const page of pages.clients) page.send(frame)
}

function write(line, id, result) {
  line.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}
