import {
  acceptedContent,
  type GetPromptResult,
  type InputRequiredResult,
  inputRequired,
  type Prompt,
  type PromptMessage,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { embedded, image, text } from './content.ts'
import { askText } from './round-tools.ts'

export interface TestPrompt extends Prompt {
  get(input: Record<string, string>, context: ServerContext): GetPromptResult | InputRequiredResult
}

export const PROMPTS: TestPrompt[] = [
  {
    name: 'test_simple_prompt',
    description: 'Text.',
    get: () => asks(text('This is a simple prompt for testing.')),
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'Text with two words filled in.',
    arguments: [
      { name: 'arg1', required: true },
      { name: 'arg2', required: true },
    ],
    get: ({ arg1, arg2 }) => asks(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A resource.',
    arguments: [{ name: 'resourceUri', required: true }],
    get: ({ resourceUri = '' }) =>
      asks(
        embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      ),
  },
  {
    name: 'test_prompt_with_image',
    description: 'An image.',
    get: () => asks(image, text('Please analyze the image above.')),
  },
  {
    name: 'test_input_required_result_prompt',
    description: 'Needs to be told the context first.',
    get(_input, { mcpReq }) {
      const context = acceptedContent(mcpReq.inputResponses, 'user_context')?.context
      if (context === undefined) return inputRequired({ inputRequests: { user_context: askText('context') } })
      return asks(text(`Use the following context: ${context}`))
    },
  },
]

function asks(...contents: PromptMessage['content'][]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: 'user', content })) }
}
