import type { ElicitRequestFormParams, ServerContext } from '@modelcontextprotocol/server'
import { says } from './content.ts'
import type { TestTool } from './tools.ts'

type Form = ElicitRequestFormParams['requestedSchema']

/** The tools of the suite that ask a 2025-era client something while they run. */
export const ASKING_TOOLS: TestTool[] = [
  {
    name: 'test_sampling',
    description: 'Asks the model of the client.',
    inputSchema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    async call({ prompt }, { mcpReq }) {
      const { content } = await mcpReq.requestSampling({
        messages: [{ role: 'user', content: { type: 'text', text: String(prompt) } }],
        maxTokens: 100,
      })
      return says(`LLM response: ${JSON.stringify(content)}`)
    },
  },
  {
    name: 'test_elicitation',
    description: 'Asks the person at the client.',
    inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    call: ({ message }, context) =>
      ask(context, String(message), {
        type: 'object',
        properties: { username: { type: 'string' }, email: { type: 'string' } },
        required: ['username', 'email'],
      }),
  },
  {
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks with a default in every field.',
    call: (_input, context) =>
      ask(context, 'Please review', {
        type: 'object',
        properties: {
          name: { type: 'string', default: 'John Doe' },
          age: { type: 'integer', default: 30 },
          score: { type: 'number', default: 95.5 },
          status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
          verified: { type: 'boolean', default: true },
        },
      }),
  },
  {
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks with every kind of choice.',
    call: (_input, context) =>
      ask(context, 'Please choose', {
        type: 'object',
        properties: {
          untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
          titledSingle: { type: 'string', oneOf: titled('value1', 'value2', 'value3') },
          legacyEnum: {
            type: 'string',
            enum: ['opt1', 'opt2', 'opt3'],
            enumNames: ['Option One', 'Option Two', 'Option Three'],
          },
          untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
          titledMulti: { type: 'array', items: { anyOf: titled('value1', 'value2', 'value3') } },
        },
      }),
  },
]

async function ask({ mcpReq }: ServerContext, message: string, requestedSchema: Form) {
  const { action, content } = await mcpReq.elicitInput({ message, requestedSchema })
  return says(`User response: action=${action}, content=${JSON.stringify(content ?? {})}`)
}

function titled(...values: string[]) {
  return values.map((value) => ({ const: value, title: `The ${value}` }))
}
