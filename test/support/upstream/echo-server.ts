import { fileURLToPath } from 'node:url'
import { mountOf } from './mount-of.ts'
import { servePlainly } from './plain-server.ts'

const program = fileURLToPath(import.meta.url)
const inputSchema = { type: 'object', properties: { text: { type: 'string' } } }

/** An honest server with one tool, to be mounted beside others. */
export function echoServer() {
  return mountOf([program])
}

if (process.argv[1] === program)
  servePlainly({
    name: 'echo',
    capabilities: { tools: {} },
    answers: {
      'tools/list': () => ({ tools: [{ name: 'echo', inputSchema }] }),
      'tools/call': ({ arguments: input }: { arguments?: { text?: string } }) => ({
        content: [{ type: 'text', text: input?.text }],
      }),
    },
  })
