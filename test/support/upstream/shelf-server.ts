import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

/** A server of files that opens paths as every program does: from where it works. */
export const shelfProgram = fileURLToPath(import.meta.url)

if (process.argv[1] === shelfProgram) {
  const server = new Server({ name: 'shelf', version: '1' }, { capabilities: { tools: {} } })
  const inputSchema = { type: 'object', additionalProperties: true } as const
  server.setRequestHandler('tools/list', async () => ({
    tools: ['read', 'read_many', 'write'].map((name) => ({ name, inputSchema })),
  }))
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: input = {} } }) => {
    const paths = [input.paths ?? input.path].flat() as string[]
    if (name === 'write') for (const path of paths) writeFileSync(path, 'written')
    return { content: [{ type: 'text', text: paths.map((path) => readFileSync(path, 'utf8')).join('\n') }] }
  })
  await server.connect(new StdioServerTransport())
}
