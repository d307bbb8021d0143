/**
 * An MCP server of the 2025 era without a good intention: `node test/support/upstream/hostile-upstream.ts DEED`. Plain JSON lines,
 * because an SDK would not send what it sends.
 */
import { flushCompileCache } from 'node:module'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

type Raw = Record<string, unknown>

export const hostileProgram = fileURLToPath(import.meta.url)

export const HUNDRED_MB = 100 * 1024 * 1024
const OBJECT = { type: 'object' }
const TURNED = '\u202e'
const GOOD = { name: 'fine', description: 'Is fine', inputSchema: OBJECT }

/** Tools that no honest server has, and what becomes of each. */
export const ODD_TOOLS: { tool: Raw; becomes: 'left out' | 'cleaned' | 'without its output' }[] = [
  { tool: { name: 'no-schema' }, becomes: 'left out' },
  { tool: { name: 'schema-is-text', inputSchema: 'object' }, becomes: 'left out' },
  { tool: { name: 'schema-is-list', inputSchema: { type: 'array' } }, becomes: 'left out' },
  { tool: { name: 'title-is-number', title: 7, inputSchema: OBJECT }, becomes: 'left out' },
  { tool: { name: 'annotations-are-text', annotations: 'safe', inputSchema: OBJECT }, becomes: 'left out' },
  { tool: { name: 7, inputSchema: OBJECT }, becomes: 'left out' },
  { tool: { name: '', inputSchema: OBJECT }, becomes: 'left out' },
  { tool: { name: 'n'.repeat(201), inputSchema: OBJECT }, becomes: 'left out' },
  { tool: { name: 'esc\u001b[2J', inputSchema: OBJECT }, becomes: 'left out' },
  { tool: { name: `turned${TURNED}`, inputSchema: OBJECT }, becomes: 'left out' },
  { tool: { name: 'huge', description: 'x'.repeat(300_000), inputSchema: OBJECT }, becomes: 'left out' },
  {
    tool: { name: 'output-is-no-schema', inputSchema: OBJECT, outputSchema: { ...OBJECT, properties: 'none' } },
    becomes: 'without its output',
  },
  {
    tool: {
      name: 'output-has-odd-pattern',
      inputSchema: OBJECT,
      outputSchema: { ...OBJECT, properties: { a: { type: 'string', pattern: '(' } } },
    },
    becomes: 'without its output',
  },
  {
    tool: { name: 'output-refers', inputSchema: OBJECT, outputSchema: { ...OBJECT, $ref: 'https://none.example/x' } },
    becomes: 'without its output',
  },
  {
    tool: {
      name: 'said',
      title: `Tit${TURNED}le\u0007`,
      description: 'Red\u001b[31m\u{e0041}\nnext line',
      inputSchema: { ...OBJECT, properties: { a: { description: `A\u200f${TURNED}` }, b: { enum: [TURNED] } } },
      annotations: { title: 'An\u0000notated' },
    },
    becomes: 'cleaned',
  },
]

if (process.argv[1] === hostileProgram) {
  flushCompileCache()
  const [deed = ''] = process.argv.slice(2)
  let lists = 0
  if (deed === 'says its key') process.stderr.write(`started with ${process.env.SERVICE_TOKEN}\n`)
  if (deed === 'stubborn') for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
  if (deed === 'stubborn') setInterval(() => {}, 1000)
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params = {} } = JSON.parse(line) as { id?: unknown; method?: string; params?: Raw }
    if (id === undefined) return
    if (method === 'initialize') return answer(id, initialized(params))
    if (method === 'tools/list') return answer(id, toolsOf(deed, ++lists))
    if (method === 'tools/call') return act(deed, id)
    if (method === 'resources/list') return void kept.push(id)
    send({ id, error: { code: -32601, message: 'Method not found' } })
  })
}

/** What it answers later. */
const kept: unknown[] = []
let calls = 0

function initialized({ protocolVersion }: Raw): Raw {
  const capabilities = { tools: { listChanged: true }, ...(process.argv[2] === 'slow resources' && { resources: {} }) }
  return { protocolVersion, capabilities, serverInfo: { name: 'hostile', version: '1' } }
}

function toolsOf(deed: string, lists: number): Raw {
  switch (deed) {
    case 'odd tools':
      return { tools: [GOOD, ...ODD_TOOLS.map(({ tool }) => tool)] }
    case 'collides':
      return { tools: ['a.b', 'a b', 'a/b', 'a_b', 'a.b'].map((name) => ({ ...GOOD, name })) }
    case 'many':
      return { tools: Array.from({ length: 20_000 }, (_, n) => ({ ...GOOD, name: `tool-${n}` })) }
    case 'endless':
      return { tools: [{ ...GOOD, name: `page-${lists}` }], nextCursor: `after-${lists}` }
    case 'large pages':
      return {
        tools: Array.from({ length: 10 }, (_, n) => ({ ...GOOD, name: `p${lists}-${n}`, x: 'x'.repeat(200_000) })),
        nextCursor: `after-${lists}`,
      }
    case 'deep list':
      return { tools: [{ ...GOOD, inputSchema: { ...OBJECT, deep: nested(5000) } }] }
    case 'stubborn':
      return { tools: [{ ...GOOD, name: String(process.pid) }] }
    case 'changes':
      return { tools: [{ ...GOOD, description: `Is fine (${lists})` }] }
    default:
      return { tools: [GOOD] }
  }
}

function act(deed: string, id: unknown) {
  switch (deed) {
    case 'never answers':
      return
    case 'answers twice':
      answer(id, text('first'))
      return answer(id, text('second'))
    case 'answers wrong ids':
      for (const other of [null, 0, -1, `${id}0`, 'parley-999999', {}]) answer(other, text('not yours'))
      return answer(id, text('yours'))
    case 'sends 100 MB':
      return answer(id, text('x'.repeat(HUNDRED_MB)))
    case 'nests deep':
      return raw(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"deep":${deep(100_000)}}}\n`)
    case 'large beside':
      return answerBoth(id, text('x'.repeat(HUNDRED_MB / 2)))
    case 'values beside':
      return answerBoth(id, { content: [], values: Array.from({ length: 600_000 }, () => ({})) })
    case 'slow resources':
      for (const list of kept.splice(0)) answer(list, { resources: [{ uri: 'slow://one', name: 'one' }] })
      return answer(id, text('done'))
    case 'says its key':
      if (++calls === 1) return answer(id, { ...text(`no such key: ${process.env.SERVICE_TOKEN}`), isError: true })
      return send({ id, error: { code: -32000, message: `refused ${process.env.SERVICE_TOKEN}` } })
    case 'says its key anywhere':
      return sayKey(id, calls++)
    case 'sends no UTF-8':
      process.stdout.write(Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x0a]))
      return answer(id, text('after it'), (line) => Buffer.from(line.replace('after', 'aft\u00ffr'), 'latin1'))
    case 'gives no result':
      return send({ id, result: 7 })
    case 'lies about results':
      return answer(id, { content: 'none', structuredContent: [1] })
    case 'floods stderr':
      process.stderr.write(`\u001b[31m${'noise '.repeat(100)}\n`.repeat(50_000))
      return answer(id, text('done'))
    case 'floods changes':
      for (let n = 0; n < 400; n++) send({ method: 'notifications/tools/list_changed' })
      return answer(id, text('done'))
    case 'changes':
      send({ method: 'notifications/tools/list_changed' })
      return answer(id, text('changed'))
    default:
      return answer(id, text('fine'))
  }
}

/** Says the key in each field of an error, in what it tells meanwhile, and at last in a result. */
function sayKey(id: unknown, call: number) {
  const { SERVICE_TOKEN: key = '' } = process.env
  const failed = (more: Raw) => answer(id, { content: [], isError: true, ...more })
  switch (call) {
    case 0:
      return failed({ structuredContent: { nested: [{ key, [key]: 1 }] }, _meta: { key } })
    case 1:
      return failed({ content: [{ type: 'resource', resource: { uri: `key://${key}`, text: key } }] })
    case 2:
      return send({ id, error: { code: -32000, message: 'refused', data: { key } } })
    case 3:
      process.stderr.write(`${'x'.repeat(1995)}${key}\nin two ${key.slice(0, 8)}`, () =>
        process.stderr.write(`${key.slice(8)}\n`),
      )
      send({ method: 'notifications/message', params: { level: 'error', data: `"${key}"` } })
      send({ method: 'notifications/progress', params: { progressToken: id, progress: 1, message: key } })
      return answer(id, text('told'))
    default:
      return answer(id, text(`it is ${key}`))
  }
}

/** The second of two calls like this, and then the first. */
function answerBoth(id: unknown, result: Raw) {
  if (kept.length === 0) {
    kept.push(id)
    return void process.stderr.write('has the first\n')
  }
  answer(id, result)
  answer(kept.pop(), text('still here'))
}

function nested(depth: number): Raw {
  let value: Raw = {}
  for (let n = 0; n < depth; n++) value = { in: value }
  return value
}

function deep(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`
}

function text(text: string): Raw {
  return { content: [{ type: 'text', text }] }
}

function answer(id: unknown, result: Raw, encoded: (line: string) => string | Buffer = (line) => line) {
  raw(encoded(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`))
}

function send(message: Raw) {
  raw(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

function raw(bytes: string | Buffer) {
  process.stdout.write(bytes)
}
