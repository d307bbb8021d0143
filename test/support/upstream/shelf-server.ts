import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { servePlainly } from './plain-server.ts'

/** A server of files that opens paths as every program does: from where it works. */
export const shelfProgram = fileURLToPath(import.meta.url)

const inputSchema = { type: 'object', additionalProperties: true }

if (process.argv[1] === shelfProgram)
  servePlainly({
    name: 'shelf',
    capabilities: { tools: {} },
    answers: {
      'tools/list': () => ({ tools: ['read', 'read_many', 'write'].map((name) => ({ name, inputSchema })) }),
      'tools/call': call,
    },
  })

function call({ name, arguments: input = {} }: { name?: string; arguments?: Record<string, unknown> }) {
  const paths = [input.paths ?? input.path].flat() as string[]
  if (name === 'write') for (const path of paths) writeFileSync(path, 'written')
  return { content: [{ type: 'text', text: paths.map((path) => readFileSync(path, 'utf8')).join('\n') }] }
}
