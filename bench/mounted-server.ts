import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

/** `node mounted-server.ts stdio|http TOOLS`: a server as most are, with that many tools, each of which says what it is told. */
const [way, tools = '1'] = process.argv.slice(2)

if (way === 'stdio') await build().connect(new StdioServerTransport())
else serveHttp()

function build(): Server {
  const server = new Server({ name: 'mounted', version: '1' }, { capabilities: { tools: {} } })
  const listed = Array.from({ length: Number(tools) }, (_, n) => toolOf(n))
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: [{ type: 'text', text: String(params.arguments?.text) }],
  }))
  return server
}

/** A tool whose description is as long as those of real servers. */
function toolOf(n: number) {
  const text = (what: string) => ({
    type: 'string',
    description: `${what}, as it was given before or found by a search`,
  })
  return {
    name: `say_${n}`,
    title: `Say it (${n})`,
    description:
      'Says what it was told. Use it only where nothing else says it, and never for what nobody has asked for.',
    inputSchema: {
      type: 'object' as const,
      properties: { text: text('What is said'), owner: text('Who says it'), path: text('Where it is said') },
      required: ['text'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  }
}

function serveHttp() {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const http = createServer(async (request, response) => {
    const session = request.headers['mcp-session-id']
    const transport = session === undefined ? await begin() : sessions.get(String(session))
    if (transport) await transport.handleRequest(request, response)
    else response.writeHead(404).end()
  })
  http.listen(0, '127.0.0.1', () => {
    process.stderr.write(`http://localhost:${(http.address() as AddressInfo).port} \n`)
  })

  async function begin() {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    await build().connect(transport)
    return transport
  }
}
