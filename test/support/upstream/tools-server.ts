import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'

// A server of MCP tools over stdio, a process of its own.
const server = new McpServer({ name: 'tools', version: '1' })
const words = z.object({ text: z.string() })

server.registerTool('echo', { title: 'Says it again', inputSchema: words }, ({ text }) => says(text))
server.registerTool('fail', { inputSchema: words }, ({ text }) => ({ ...says(text), isError: true }))
server.registerTool('hang', {}, () => new Promise(() => {}))
server.registerTool('die', {}, () => process.exit(1))
server.registerTool('environment', { inputSchema: words }, ({ text }) => says(process.env[text] ?? 'not set'))
server.registerTool('folder', {}, () => says(process.cwd()))
server.registerTool('process', {}, () => says(String(process.pid)))
server.registerTool('long', {}, () => says('x'.repeat(150_000)))
/** Answers only once both have been called. */
const meeting = Promise.withResolvers<void>()
server.registerTool('first', {}, async () => {
  await meeting.promise
  return says('first')
})
server.registerTool('second', {}, () => {
  meeting.resolve()
  return says('second')
})
await server.connect(new StdioServerTransport())

function says(text: string) {
  return { content: [{ type: 'text' as const, text }] }
}
