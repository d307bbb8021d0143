import * as z from 'zod/mini'
import type { Subscribers } from '../../../chat/inbox/subscriber.ts'
import type { View } from '../../../chat/view.ts'
import { saidIn } from '../../../protocol/entries/content.ts'
import {
  Body,
  type Deed,
  type Entry,
  Plan,
  type Title,
  ToolCall,
  ToolResult,
  Turn,
} from '../../../protocol/entries/entry.ts'
import { UNANSWERED } from '../../../protocol/entries/unanswered.ts'
import { parse } from '../../../protocol/parse.ts'
import { type Principal, PrincipalName } from '../../../protocol/principal.ts'
import { jsonIn } from '../../../protocol/text/json.ts'
import { Key, Mime, Name } from '../../../protocol/text/text.ts'
import { type Caller, type Tool, tool } from '../surface.ts'

export interface ChatParts {
  /** The chat as this principal may use it. */
  viewOf(principal: Principal): View
  /** Subscribers that a caller may act for. */
  subscribers: Subscribers
}

/** The conversation, and the subscriber to act for. */
export const whose = {
  session_id: z.optional(Name.check(z.describe('The conversation; yours, or the common one, when absent.'))),
  subscriber: z.optional(
    PrincipalName.check(z.describe('Acts as the subscriber of this name, where you may; as yourself when absent.')),
  ),
}
const where = {
  ...whose,
  key: z.optional(
    Key.check(
      z.describe(
        'A name of your making for this post: sent again with it, it happens once. Other words need another key.',
      ),
    ),
  ),
}
const Posting = z.object({
  mime: Mime.check(z.describe('What the content is: text/markdown, text/plain, application/json or any other type.')),
  content: z
    .nonoptional(z.unknown(), 'must be text')
    .check(z.describe('What is said: text, or any JSON value where mime is a JSON type.')),
  ...where,
})
const Posted = z.object({ id: z.string(), ts: z.string() })
const Said = z.extend(Posted, {
  notice: z.optional(
    z.string().check(z.describe('Why nobody answers it yet, and what to do; absent where somebody does.')),
  ),
})
/** The check is for new messages only: what an older Parley let in stays readable. */
const JsonText = z.string('must be text').check(z.refine((text) => jsonIn(text) !== undefined, 'must be JSON text'))
const { call_id, title, locations } = ToolCall.shape
const Event = z.object({
  type: z.enum(
    ['tool_call', 'tool_result', 'thinking', 'progress', 'error', 'plan', 'title'],
    'must be tool_call, tool_result, thinking, progress, error, plan or title',
  ),
  tool_name: z.optional(z.string('must be text')),
  tool_args: z.optional(JsonText.check(z.describe('The arguments as JSON text.'))),
  result: z.optional(z.string('must be text')),
  success: z.optional(z.boolean('must be true or false')),
  reasoning: z.optional(z.string('must be text')),
  text: z.optional(z.string('must be text')),
  error: z.optional(z.string('must be text')),
  call_id,
  title,
  locations,
  changes: ToolResult.shape.changes,
  steps: z.optional(Plan.shape.steps),
  ...where,
})
const { kind: _, by: __, ...turn } = Turn.shape

export function humanPost(parts: ChatParts): Tool {
  return tool({
    name: 'chat_human_post',
    servers: ['ui'],
    title: 'Post as the person',
    description: 'Posts a message of the person. Subscribers of the inbox are notified.',
    needs: 'speak',
    input: Posting,
    tidy: withoutBlanks,
    output: Said,
    async call({ session_id, subscriber, key, ...posting }, caller) {
      const { view } = actor(parts, caller, subscriber)
      const conversation = view.placeOf(session_id)
      const entry = await view.say(conversation, saidIn(posting), key ?? caller.callKey)
      const why = await view.unanswered(conversation)
      return { ...posted(entry), ...(why && { notice: UNANSWERED[why] }) }
    },
  })
}

export function assistantPost(parts: ChatParts): Tool {
  return assistantSays(parts, {
    name: 'chat_assistant_post',
    servers: ['ui'],
    title: 'Post as the assistant',
    description:
      'Posts a message of the assistant. The person sees it at once; nobody is notified, so you never hear your own echo.',
  })
}

type About = Pick<Tool, 'name' | 'servers' | 'title' | 'description' | 'deprecated'>

/** A message of the assistant, under whatever name a surface gives it. */
export function assistantSays(parts: ChatParts, about: About): Tool {
  return tool({
    ...about,
    needs: 'ask',
    input: Posting,
    tidy: withoutBlanks,
    output: Posted,
    async call({ session_id, subscriber, key, ...posting }, caller) {
      const { view, by } = actor(parts, caller, subscriber)
      return posted(await view.tell(view.placeOf(session_id), { by, ...saidIn(posting) }, key ?? caller.callKey))
    },
  })
}

export function assistantEvent(parts: ChatParts): Tool {
  return tool({
    name: 'chat_assistant_event',
    servers: ['ui'],
    title: 'Tell what the assistant does',
    description:
      'Shows the person what you are doing: tool_call (tool_name, tool_args), tool_result (tool_name, result, success), thinking (reasoning), progress (text), error (error), plan (steps, in the place of the plan before) or title (title, of the conversation).',
    needs: 'ask',
    input: Event,
    tidy: withoutBlanks,
    output: Posted,
    async call({ type, session_id, subscriber, key, ...told }, caller) {
      const { view, by } = actor(parts, caller, subscriber)
      const deed = parse(Body, { kind: type, by, ...told }) as Deed | Title
      return posted(await view.record(view.placeOf(session_id), deed, key ?? caller.callKey))
    },
  })
}

/** Ends the assistant's turn, under whatever name a surface gives it. */
export function endTurn(parts: ChatParts, about: About): Tool {
  return tool({
    ...about,
    needs: 'ask',
    input: z.object({ ...turn, ...where }),
    tidy: withoutBlanks,
    output: Posted,
    async call({ session_id, subscriber, key, ...told }, caller) {
      const { view, by } = actor(parts, caller, subscriber)
      return posted(await view.record(view.placeOf(session_id), { kind: 'turn', by, ...told }, key ?? caller.callKey))
    },
  })
}

export function yieldTurn(parts: ChatParts): Tool {
  return endTurn(parts, {
    name: 'yield_turn',
    servers: ['loop', 'ui'],
    title: 'Yield the turn',
    description: 'Ends your turn: you have nothing more to say or do until the person speaks again.',
  })
}

/** The chat as a caller uses it, and how it is shown there: by the name of its client, unless it acts for somebody. */
export function actor({ viewOf, subscribers }: ChatParts, { principal, client }: Caller, subscriber?: string) {
  return { view: viewOf(principal).asSubscriber(subscriber, subscribers), by: subscriber ?? client }
}

const MAY_BE_BLANK = ['after_id', 'limit', 'session_id', 'subscriber', 'key']

/** Clients write `null` or an empty text for what they leave out. */
export function withoutBlanks(input: object): object {
  if (typeof input !== 'object' || Array.isArray(input)) return input
  const said = ([name, value]: [string, unknown]) => !(MAY_BE_BLANK.includes(name) && (value === null || value === ''))
  return Object.fromEntries(Object.entries(input).filter(said))
}

function posted({ id, at }: Entry) {
  return { id, ts: new Date(at).toISOString() }
}
