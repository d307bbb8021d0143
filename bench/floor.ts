import { DatabaseSync } from 'node:sqlite'
import { type WebSocket, WebSocketServer } from 'ws'
import { createLineReader } from './lines.ts'

/**
 * The least that could do Parley's work, to compare with: no validation, no history, no reconnecting.
 * `node floor.ts memory`, `node floor.ts sqlite FILE` commits each message and each reply before it goes on, and
 * `node floor.ts grouped FILE` also commits all the posts of one turn of the event loop together.
 */
const [mode, file = ':memory:'] = process.argv.slice(2)
const db = new DatabaseSync(file)
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE row (key TEXT, text TEXT)')
const insert = db.prepare('INSERT INTO row VALUES (?, ?)')

const door = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
const calls = new Map<string, number>()
let posts: { key: string; text: string; from: WebSocket }[] = []

door.on('listening', () => console.error(`http://localhost:${(door.address() as { port: number }).port}`))
door.on('connection', (socket) => {
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data))
    if (frame.type === 'ack') reply(frame.id, frame.message)
    if (frame.type === 'post' && posts.push({ ...frame, from: socket }) === 1) setImmediate(commitPosts)
  })
})
process.stdin.on(
  'data',
  createLineReader((line) => answer(JSON.parse(line))),
)
process.stdin.on('end', () => process.exit())

function answer({ id, method, params }: { id: number; method: string; params: { arguments: { text: string } } }) {
  if (method === 'initialize') {
    const serverInfo = { name: 'floor', version: '0' }
    result(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo })
  }
  if (method === 'tools/list') result(id, { tools: [{ name: 'send_message', inputSchema: { type: 'object' } }] })
  if (method === 'tools/call') ask(id, params.arguments.text)
}

function ask(id: number, text: string) {
  const ack_id = String(id)
  keep(ack_id, text)
  calls.set(ack_id, id)
  const frame = JSON.stringify({ type: 'agentMessage', text, ack_id })
  for (const client of door.clients) client.send(frame)
}

function reply(ack_id: string, text: string) {
  const id = calls.get(ack_id)
  if (id === undefined) return
  keep(ack_id, text)
  calls.delete(ack_id)
  result(id, { content: [{ type: 'text', text }] })
}

function keep(key: string, text: string) {
  if (mode !== 'memory') insert.run(key, text)
}

function commitPosts() {
  const together = posts
  posts = []
  db.exec('BEGIN')
  for (const { key, text } of together) insert.run(key, text)
  db.exec('COMMIT')
  for (const { key, from } of together) from.send(JSON.stringify({ type: 'accepted', key }))
}

function result(id: number, result: unknown) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}
