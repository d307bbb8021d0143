/**
 * An MCP server for the gateway, of both eras, or only of 2025 with UPSTREAM_ERA=legacy: `node test/support/upstream/upstream.ts`.
 * Its tools say what they do by their names; what it is told to do otherwise comes as the argument `deed`.
 */
import { appendFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Server, type ServerContext } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'

const OBJECT = { type: 'object' as const }
const CHANGED = {
  name: 'later',
  description: 'Came later',
  inputSchema: OBJECT,
}

export const TOOLS = [
  {
    name: 'echo',
    title: 'Echo',
    description: 'Says what it was told',
    inputSchema: {
      ...OBJECT,
      properties: { text: { type: 'string', 'x-unknown': { deep: [1] } } },
      required: ['text'],
    },
    annotations: { readOnlyHint: true, idempotentHint: true, 'x-odd': 'kept' },
    _meta: { 'vendor/odd': true },
    'x-tool': { kept: 1 },
  },
  { name: 'ask', description: 'Asks its client', inputSchema: OBJECT, annotations: { destructiveHint: true } },
  { name: 'sample', description: 'Has its client think', inputSchema: OBJECT },
  { name: 'wait', description: 'Tells its progress and waits until it is cancelled', inputSchema: OBJECT },
  { name: 'grow', description: 'Has one tool more from then on', inputSchema: OBJECT },
  { name: 'large', description: 'Answers with that many bytes', inputSchema: OBJECT },
  { name: 'links', description: 'Names resources', inputSchema: OBJECT },
  { name: 'log', description: 'Logs something', inputSchema: OBJECT },
  { name: 'env', description: 'Says what a variable holds', inputSchema: OBJECT },
  { name: 'die', description: 'Ends its process', inputSchema: OBJECT },
  { name: 'hang', description: 'Answers nothing any more', inputSchema: OBJECT },
  { name: 'flood', description: 'Sends more than can be read', inputSchema: OBJECT },
  { name: 'touch', description: 'Changes the resource memo://one', inputSchema: OBJECT },
  { name: 'followed', description: 'Says which resource is followed', inputSchema: OBJECT },
  { name: 'wrong.name', description: 'Is called what clients cannot say', inputSchema: OBJECT },
]

/** The last that somebody follows, at a server of the 2025 era. One of 2026 is never asked. */
let followed = process.env.UPSTREAM_ERA === 'legacy' ? '' : 'memo://one'

export const program = fileURLToPath(import.meta.url)

if (process.argv[1] === program) {
  // It may be killed, and then the next one would have to compile everything again.
  flushCompileCache()
  process.stderr.write(`started as ${process.env.UPSTREAM_NAME ?? 'upstream'}\n`)
  if (process.env.UPSTREAM_LIVES) appendFileSync(process.env.UPSTREAM_LIVES, `${process.pid}\n`)
  if (process.env.UPSTREAM_FAILS) process.exit(7)
  if (process.env.UPSTREAM_ERA === 'legacy') await build().connect(new StdioServerTransport())
  else serveStdio(build)
}

/** The same for stdio and HTTP. */
export function build() {
  let hasMore = false
  const server = new Server(
    { name: 'upstream', version: '1' },
    {
      instructions: process.env.UPSTREAM_INSTRUCTIONS,
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        logging: {},
        completions: {},
      },
    },
  )
  server.fallbackRequestHandler = async ({ method, params = {} }, context) => {
    switch (method) {
      case 'tools/list':
        return { tools: hasMore ? [...TOOLS, CHANGED] : TOOLS }
      case 'tools/call':
        return act(server, params as unknown as Call, context as ServerContext, () => {
          hasMore = true
        })
      case 'prompts/list':
        return { prompts: [{ name: 'greet', description: 'Greets', arguments: [{ name: 'who' }], 'x-prompt': 1 }] }
      case 'prompts/get':
        return { messages: [{ role: 'user', content: { type: 'text', text: `Hello ${JSON.stringify(params)}` } }] }
      case 'resources/list':
        return { resources: [{ uri: 'memo://one', name: 'one', 'x-resource': 1 }] }
      case 'resources/templates/list':
        return { resourceTemplates: [{ uriTemplate: 'memo://{id}', name: 'memo' }] }
      case 'resources/read':
        return { contents: [{ uri: params.uri, text: `It is ${params.uri}`, 'x-content': 1 }] }
      case 'completion/complete':
        return { completion: { values: [JSON.stringify(params.ref)] } }
      case 'resources/subscribe':
        if (params.uri === 'memo://none') throw new Error('There is none')
        followed = String(params.uri)
        return {}
      default:
        return {}
    }
  }
  return server
}

interface Call {
  name: string
  arguments?: Record<string, unknown>
}

async function act(server: Server, { name, arguments: input = {} }: Call, { mcpReq }: ServerContext, grow: () => void) {
  const progressToken = mcpReq._meta?.progressToken
  switch (name) {
    case 'echo':
      return {
        content: [
          { type: 'text', text: String(input.text), 'x-block': 1 },
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        ],
        structuredContent: { said: input.text },
        'x-result': { kept: true },
        _meta: { 'vendor/result': mcpReq._meta?.['vendor/call'] ?? null },
      }
    case 'ask':
      return asked(mcpReq, {
        method: 'elicitation/create',
        params: { message: 'How many?', requestedSchema: { type: 'object', properties: { n: { type: 'integer' } } } },
      })
    case 'sample':
      return asked(mcpReq, {
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: { type: 'text', text: 'Think' } }], maxTokens: 10 },
      })
    case 'wait':
      for (const progress of [1, 2, 3])
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: progressToken ?? '', progress, total: 3, message: `step ${progress}` },
        })
      if (input.short) return text('done')
      return new Promise<never>(() => {
        mcpReq.signal.addEventListener('abort', () => process.stderr.write('cancelled\n'))
      })
    case 'grow':
      grow()
      await server.notification({ method: 'notifications/tools/list_changed' })
      return text('grown')
    case 'large':
      return text('x'.repeat(Number(input.bytes)))
    case 'links':
      return {
        content: [
          { type: 'resource_link', uri: 'memo://two', name: 'two' },
          { type: 'resource', resource: { uri: 'memo://three', text: 'three' } },
        ],
      }
    case 'log':
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'warning', data: 'Careful' } })
      return text('logged')
    case 'env':
      return text(process.env[String(input.name)] ?? '(unset)')
    case 'die':
      return process.exit(3)
    case 'hang':
      for (;;);
    case 'flood':
      for (;;) await flooded()
    case 'followed':
      return text(followed)
    case 'touch':
      await server.notification({ method: 'notifications/resources/updated', params: { uri: 'memo://one' } })
      return text('touched')
    default:
      return text(`${name} was called`)
  }
}

const NOISE = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/odd', params: {} })}\n`.repeat(1000)

function flooded(): Promise<void> {
  return new Promise((resolve) => process.stdout.write(NOISE, () => resolve()))
}

/** Asks as its era has it. */
async function asked(mcpReq: ServerContext['mcpReq'], request: { method: string; params: object }) {
  if (mcpReq.envelope === undefined) {
    const validate = (value: unknown) => ({ value: value as object })
    const anything = { '~standard': { version: 1 as const, vendor: 'test', validate } }
    return text(JSON.stringify(await mcpReq.send(request as never, anything)))
  }
  const { answer } = (mcpReq.inputResponses ?? {}) as { answer?: object }
  if (answer) return text(`${JSON.stringify(answer)} ${mcpReq.requestState()}`)
  return { resultType: 'input_required', inputRequests: { answer: request }, requestState: 'mine' }
}

function text(text: string) {
  return { content: [{ type: 'text', text }] }
}
