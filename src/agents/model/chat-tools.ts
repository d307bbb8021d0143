import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import * as z from 'zod/mini'
import { Mime } from '../../protocol/text/text.ts'

export const POST = 'chat_assistant_post'
export const YIELD = 'yield_turn'
/** What the same was called before. They are offered where the instructions speak of them, and always understood. */
const OLD_POST = 'ui_send_message'
const OLD_YIELDS = ['ui_end_turn', 'end_turn', 'loop_yield_turn']

const Posting = z.object({ mime: z._default(Mime, 'text/markdown'), content: z.unknown() })
type Posting = z.infer<typeof Posting>

export function chatTools(instructions: string): LanguageModelV4FunctionTool[] {
  const posting = {
    type: 'function' as const,
    description: 'Says something to the person.',
    inputSchema: {
      type: 'object' as const,
      properties: {
        mime: { type: 'string' as const, description: 'text/markdown unless said otherwise' },
        content: { type: 'string' as const, description: 'What is said' },
      },
      required: ['content'],
    },
  }
  const yielding = {
    type: 'function' as const,
    description: 'Ends your turn: you have nothing more to do until the person speaks.',
    inputSchema: { type: 'object' as const, properties: {} },
  }
  const old = [OLD_POST, ...OLD_YIELDS].filter((name) => new RegExp(`\\b${name}\\b`).test(instructions))
  return [POST, YIELD, ...old].map((name) => ({ name, ...(isPost(name) ? posting : yielding) }))
}

export function isPost(tool: string): boolean {
  return tool === POST || tool === OLD_POST
}

export function isYield(tool: string): boolean {
  return tool === YIELD || OLD_YIELDS.includes(tool)
}

/** The message to post, or a sentence that tells the model what is wrong. */
export function readPosting(input: unknown): Posting | string {
  const { success, data } = Posting.safeParse(input)
  if (!success) return 'mime must be a media type'
  if (data.content === undefined || data.content === null || data.content === '') return 'content must not be empty'
  return data
}
