import { fromJsonSchema, McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { ASKING_TOOLS } from './asking-tools.ts'
import { PROMPTS } from './prompts.ts'
import { RESOURCES, readResource, TEMPLATE } from './resources.ts'
import { memory, ROUND_TOOLS } from './round-tools.ts'
import { TOOLS } from './tools.ts'

/** What the suite calls: its tools, prompts and resources by the names it knows. */
export function buildTestServer(): McpServer {
  const mcp = new McpServer(
    { name: 'parley-conformance', version: '1' },
    {
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { subscribe: true, listChanged: false },
        logging: {},
        completions: {},
      },
      requestState: { verify: memory.verify },
    },
  )
  for (const { name, description, inputSchema = { type: 'object' }, call } of [
    ...TOOLS,
    ...ASKING_TOOLS,
    ...ROUND_TOOLS,
  ])
    mcp.registerTool(name, { description, inputSchema: fromJsonSchema<Record<string, unknown>>(inputSchema) }, call)
  const { server } = mcp
  server.setRequestHandler('prompts/list', () => ({ prompts: PROMPTS.map(({ get, ...prompt }) => prompt) }))
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: input = {} } }, context) => {
    const prompt = PROMPTS.find((prompt) => prompt.name === name)
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}`)
    return prompt.get(input, context)
  })
  server.setRequestHandler('resources/list', () => ({ resources: RESOURCES }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [TEMPLATE] }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => readResource(uri))
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [] } }))
  return mcp
}
