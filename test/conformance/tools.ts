import type { CallToolResult, InputRequiredResult, JsonSchemaType, ServerContext } from '@modelcontextprotocol/server'
import { audio, embedded, image, says } from './content.ts'

export interface TestTool {
  name: string
  description: string
  inputSchema?: JsonSchemaType
  call(input: Record<string, unknown>, context: ServerContext): Answer | Promise<Answer>
}

type Answer = CallToolResult | InputRequiredResult

const REPEATED = { type: 'string', 'x-mcp-header': 'Region' } as const

/** The tools of the suite that answer by themselves. */
export const TOOLS: TestTool[] = [
  {
    name: 'test_simple_text',
    description: 'Answers with text.',
    call: () => says('This is a simple text response for testing.'),
  },
  { name: 'test_image_content', description: 'Answers with an image.', call: () => says(image) },
  { name: 'test_audio_content', description: 'Answers with sound.', call: () => says(audio) },
  {
    name: 'test_embedded_resource',
    description: 'Answers with a resource.',
    call: () => says(embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')),
  },
  {
    name: 'test_multiple_content_types',
    description: 'Answers with text, an image and a resource.',
    call: () =>
      says(
        'Multiple content types test:',
        image,
        embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ),
  },
  {
    name: 'test_error_handling',
    description: 'Fails.',
    call: () => ({ ...says('This tool intentionally returns an error for testing'), isError: true }),
  },
  {
    name: 'test_tool_with_logging',
    description: 'Writes three lines to the log of the client.',
    async call(_input, { mcpReq }) {
      for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
        await mcpReq.log('info', line)
      return says('Logged')
    },
  },
  {
    name: 'test_logging_tool',
    description: 'Writes to the log of a client that asked for it.',
    async call(_input, { mcpReq }) {
      await mcpReq.log('info', 'Only for those who asked')
      return says('Logged')
    },
  },
  {
    name: 'test_tool_with_progress',
    description: 'Tells its progress.',
    async call(_input, { mcpReq }) {
      const progressToken = mcpReq._meta?.progressToken
      if (progressToken === undefined) return says('Nobody asked for progress')
      for (const progress of [0, 50, 100])
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      return says('Done')
    },
  },
  {
    name: 'test_reconnection',
    description: 'Drops the stream of its call, so that the answer is fetched by a new one.',
    call(_input, { http }) {
      http?.closeSSE?.()
      return says('You came back')
    },
  },
  {
    name: 'test_streaming_elicitation',
    description: 'Answers on a stream that carries no request of the server.',
    call: () => says('Nothing asked'),
  },
  {
    name: 'test_x_mcp_header',
    description: 'Has an argument that its caller repeats in a header.',
    inputSchema: { type: 'object', properties: { region: REPEATED } },
    call: ({ region }) => says(`region=${region}`),
  },
  {
    name: 'json_schema_2020_12_tool',
    description: 'Has an input schema with words that a careless server drops.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    call: (input) => says(JSON.stringify(input)),
  },
]
