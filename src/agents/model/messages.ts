import type {
  LanguageModelV4Prompt,
  LanguageModelV4ReasoningPart,
  LanguageModelV4StreamPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import { jsonIn } from '../../protocol/text/json.ts'
import { isRecord } from '../../protocol/text/record.ts'

export type ResultPart = LanguageModelV4ToolResultPart
type Words = LanguageModelV4TextPart | LanguageModelV4ReasoningPart
type SaidPart = Words | LanguageModelV4ToolCallPart
type UserPart = LanguageModelV4TextPart | { type: 'file'; mediaType: string; data: string; filename?: string }

/** What a model knows of a conversation, as it is stored. */
export type Message =
  | { role: 'user'; content: string | UserPart[] }
  | { role: 'assistant'; content: string | SaidPart[] }
  | { role: 'tool'; content: ResultPart[] }

/** The messages as the providers take them. */
export function promptOf(instructions: string, messages: Message[]): LanguageModelV4Prompt {
  return [{ role: 'system', content: instructions }, ...messages.map(asProviderMessage)]
}

function asProviderMessage(message: Message): LanguageModelV4Prompt[number] {
  if (message.role === 'tool') return message
  const { role, content } = message
  if (typeof content === 'string') return { role, content: [{ type: 'text', text: content }] }
  if (role === 'assistant') return { role, content }
  return { role, content: content.filter((part) => part.type !== 'text' || part.text !== '').map(asProviderPart) }
}

function asProviderPart(part: UserPart) {
  return part.type === 'file' ? { ...part, data: { type: 'data' as const, data: part.data } } : part
}

/** Gathers an answer from its pieces, with what the service wants to see of it again. */
export function collectAnswer() {
  const parts: SaidPart[] = []
  const growing = new Map<string, Words>()
  return { add, messages }

  function add(piece: LanguageModelV4StreamPart) {
    switch (piece.type) {
      case 'text-start':
        return begin(piece.id, { type: 'text', text: '', providerOptions: piece.providerMetadata })
      case 'reasoning-start':
        return begin(piece.id, { type: 'reasoning', text: '', providerOptions: piece.providerMetadata })
      case 'text-delta':
      case 'reasoning-delta':
        return grow(piece.id, piece.delta, piece.providerMetadata)
      case 'text-end':
      case 'reasoning-end':
        return grow(piece.id, '', piece.providerMetadata)
      case 'tool-call': {
        const { toolCallId, toolName, providerMetadata } = piece
        const input = inputIn(piece.input)
        // Services refuse arguments that are no object.
        const asObject = isRecord(input) ? input : {}
        parts.push({ type: 'tool-call', toolCallId, toolName, input: asObject, providerOptions: providerMetadata })
      }
    }
  }

  function begin(id: string, words: Words) {
    growing.set(id, words)
    parts.push(words)
  }

  function grow(id: string, text: string, providerOptions: Words['providerOptions']) {
    const words = growing.get(id)
    if (!words) return
    words.text += text
    words.providerOptions = providerOptions ?? words.providerOptions
  }

  function messages(): Message[] {
    const content = parts.filter((part) => part.type !== 'text' || part.text !== '' || part.providerOptions)
    return content.length > 0 ? [{ role: 'assistant', content }] : []
  }
}

/** The arguments of a call; what is no JSON stays the text that it is. */
export function inputIn(text: string): unknown {
  return text.trim() === '' ? {} : (jsonIn(text) ?? text)
}
