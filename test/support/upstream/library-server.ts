import { appendFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { mountOf } from './mount-of.ts'

/** A server with resources and prompts that writes down what it is asked, in the file LIBRARY, and has one tool. */
const program = fileURLToPath(import.meta.url)
const OBJECT = { type: 'object' as const }
const ANSWERS: Record<string, (params: Record<string, unknown>) => object> = {
  'tools/list': () => ({
    tools: [
      { name: 'lend', inputSchema: OBJECT },
      { name: 'count', inputSchema: OBJECT, annotations: { readOnlyHint: true } },
      { name: 'resources/read', inputSchema: OBJECT },
    ],
  }),
  'tools/call': ({ name }) => ({ content: [{ type: 'text', text: `Did ${name}` }] }),
  'prompts/list': () => ({ prompts: [{ name: 'greet', arguments: [{ name: 'who' }] }, { name: 'scold' }] }),
  'prompts/get': ({ name }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Do ${name}` } }] }),
  'resources/list': () => ({ resources: ['open', 'closed'].map((name) => ({ uri: `memo://${name}`, name })) }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'memo://{id}', name: 'memo' }] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: `It is ${uri}, sk-ant-${'a1B2c3D4'.repeat(5)}` }] }),
  'completion/complete': () => ({ completion: { values: ['one'] } }),
}

/** The server as it stands in a file of mounts. */
export function libraryAt(asked: string) {
  return mountOf([program], { LIBRARY: asked })
}

if (process.argv[1] === program) {
  flushCompileCache()
  serveStdio(() => {
    const capabilities = { tools: {}, prompts: {}, resources: { subscribe: true }, completions: {} }
    const server = new Server({ name: 'library', version: '1' }, { capabilities })
    server.fallbackRequestHandler = async ({ method, params = {} }) => {
      if (!method.endsWith('/list')) appendFileSync(process.env.LIBRARY ?? '', `${JSON.stringify([method, params])}\n`)
      return (ANSWERS[method] ?? (() => ({})))(params as Record<string, unknown>) as Record<string, unknown>
    }
    return server
  })
}
