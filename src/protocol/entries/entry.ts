import * as z from 'zod/mini'
import { Mime, Name, Text, Words } from '../text/text.ts'
import { Approval, Decided, FileChange, PermittedCall, RefusedCall, Revocation } from './approval.ts'
import { Attachments, Hash } from './attachment.ts'
import { Options, QuickReplies } from './choice.ts'
import { Earlier } from './earlier.ts'
import { beginning, runSettings, waiting } from './run-settings.ts'
import { Title } from './title.ts'

export { Approval, ApprovalOption, Decided, FileChange, PermittedCall, RefusedCall, Revocation } from './approval.ts'
export { AFTER_ALL, BEFORE_ALL } from './bounds.ts'
export { Options, QuickReplies } from './choice.ts'
export { Earlier } from './earlier.ts'
export { Title } from './title.ts'

/** Sorts as text; assigned by the log, opaque to everyone else. */
export const EntryId = z.string('must be an entry id').check(z.regex(/^\d{16}$/, 'must be an entry id'))

export const Message = z.object({
  kind: z.literal('message'),
  author: z.enum(['user', 'assistant']),
  by: Name,
  /** Empty only where there are attachments. */
  text: Words,
  /** Markdown when absent. */
  mime: z.optional(Mime),
  /** The text is the JSON of what was said. */
  structured: z.optional(z.literal(true)),
  attachments: z.optional(Attachments),
  /** The person wants the agent to stop what it does. */
  interrupt: z.optional(z.literal(true)),
  /** The message it answers, if that is not an open question. */
  answers: z.optional(EntryId),
  /** Tells the agent what became of this call of its, which ended before it was allowed. */
  call_id: z.optional(Name),
  /** The visit that made that call. */
  visit: z.optional(z.string()),
  /** The rest of who the caller is, where it had been told and let it fall: it is told again. */
  caller: z.optional(
    z.object({
      asker: z.optional(Name),
      by: z.optional(Name),
      folder: z.optional(z.string()),
      at: z.optional(z.number()),
    }),
  ),
  /** Set when it is read, never stored: the words were changed or taken back since. */
  revised: z.optional(z.enum(['changed', 'taken_back'])),
})

/** Other words for a message; without any, it is taken back. The message itself stays as it was said. */
export const Revision = z.object({
  kind: z.literal('revision'),
  by: Name,
  message: EntryId,
  text: z.optional(Words),
  /** How the words begin that it replaces. An older Parley stored none, and revised only what no agent had. */
  was: z.optional(z.string()),
  /** The revision of the same message before it. */
  replaces: z.optional(EntryId),
  /** Both as the message has them. */
  mime: z.optional(Mime),
  attachments: z.optional(Attachments),
  /** An agent had the message when it was revised. */
  late: z.optional(z.literal(true)),
  /** Set when it is read, never stored: a later revision counts. */
  superseded: z.optional(z.literal(true)),
})

export const Question = z.object({
  kind: z.literal('question'),
  by: Name,
  text: Text,
  quick_replies: z.optional(QuickReplies),
  options: z.optional(Options),
  /** Any number of the options, not just one. */
  multi_select: z.optional(z.boolean('must be true or false')),
  /** Wants a verdict instead of a reply. */
  approval: z.optional(Approval),
  attachments: z.optional(Attachments),
  expires_at: z.optional(z.number()),
  /** The asker: principal, folder and visit of an agent. An older Parley stored less. */
  asker: z.optional(Name),
  folder: z.optional(z.string()),
  visit: z.optional(z.string()),
  /** The same for all questions of one call, where it asks several. */
  exchange: z.optional(z.string()),
  /** The same for the same words, options and files of the same asker: asked again, they are the same question. */
  fingerprint: z.optional(z.string()),
  /** Set where the driver of the agent asks: no call waits for it, and what becomes of it is an event. */
  driven: z.optional(z.literal(true)),
  /** The hub that asks about the call of a mounted tool, where several share a log: it runs what is allowed. */
  hub: z.optional(Name),
  /** The lease under which it was written, where several hubs share a log. */
  lease: z.optional(z.number()),
  /** The place beside the log where the hub keeps what is masked in it. */
  clear: z.optional(z.string()),
})

export const Settlement = z.object({
  kind: z.literal('settlement'),
  question: EntryId,
  outcome: z.enum(['answered', 'approved', 'denied', 'expired', 'withdrawn']),
  by: Name,
  /** The text of an answer; empty only where there are attachments. */
  reply: z.optional(Words),
  attachments: z.optional(Attachments),
  /** The options that the reply names. */
  choices: z.optional(z.array(z.string())),
  /** The arguments of an approved call as the person changed them. */
  input: z.optional(z.string()),
  /** The id of the option that was taken, for an approval that has options of its own. */
  option: z.optional(Name),
  /** The reason for a denial. */
  reason: z.optional(Text),
  /** The question was withdrawn because its agent did not come back. */
  gone: z.optional(z.literal(true)),
  /** `granted`: the tool is allowed in this conversation from now on. `used`: this was allowed because it is. */
  always: z.optional(z.enum(['granted', 'used'])),
  /** The scope of a grant that is a rule in the policy file and not for this conversation alone. */
  scope: z.optional(z.enum(['agent', 'everyone'])),
  /** The identity of that rule. */
  rule: z.optional(z.string()),
  /** A rule decided: against the person who allowed it, or without anybody. */
  decided: z.optional(Decided),
  /** The lease under which it was written, where several hubs share a log. */
  lease: z.optional(z.number()),
})

/** What reached the agent: messages up to an id, and replies one by one, because calls end in any order. */
export const Receipt = z.object({
  kind: z.literal('receipt'),
  state: z.enum(['delivered', 'read']),
  /** The principal whose agent got it, and the visit; absent in what an older Parley stored. */
  asker: z.optional(Name),
  visit: z.optional(z.string()),
  messages_to: z.optional(EntryId),
  /** Revisions whose words came with what they revise, before their own turn. */
  ahead: z.optional(z.array(EntryId)),
  /** Messages received by name: by whoever drives the agent, and news of calls that another visit made. */
  messages: z.optional(z.array(EntryId)),
  replies: z.optional(z.array(EntryId)),
  /** All replies up to this one are meant, where more are waiting than a conversation lists. */
  replies_to: z.optional(EntryId),
  /** The message that said stop, when its words were told. */
  stop: z.optional(EntryId),
  /** The lease under which it was written, where several hubs share a log. */
  lease: z.optional(z.number()),
})

/** What an agent does besides talking. */
export const ToolCall = z.object({
  kind: z.literal('tool_call'),
  by: Name,
  tool_name: Name,
  tool_args: z.string('must be text'),
  /** The file that has the arguments, by its hash, where they are too long for an entry; `tool_args` then says so. */
  args_file: z.optional(Hash),
  /** The same as of its result, where the agent tells calls apart. */
  call_id: z.optional(Name),
  /** A title in the agent's own words, and the files that the call is about. */
  title: z.optional(z.string()),
  locations: z.optional(z.array(z.object({ path: z.string(), line: z.optional(z.number()) }))),
  /**
   * The mounted server, the tool's own name there, the caller as in a question, and why the call may or may not run.
   */
  server: z.optional(Name),
  tool: z.optional(z.string()),
  asker: z.optional(Name),
  folder: z.optional(z.string()),
  visit: z.optional(z.string()),
  decided: z.optional(Decided),
  /** The hub that runs it, where several share a log. */
  hub: z.optional(Name),
  /** The number of secrets that were taken out before it was stored. */
  masked: z.optional(z.number()),
  /** The place beside the log where the hub keeps what is masked in it. */
  clear: z.optional(z.string()),
})
export const ToolResult = z.object({
  kind: z.literal('tool_result'),
  by: Name,
  tool_name: Name,
  result: z.string('must be text'),
  success: z.boolean('must be true or false'),
  call_id: z.optional(Name),
  changes: z.optional(z.array(FileChange)),
  server: z.optional(Name),
  decided: z.optional(Decided),
  duration_ms: z.optional(z.number()),
  masked: z.optional(z.number()),
  /** The whole result, where it is too large for an entry; `result` is how it begins. */
  attachments: z.optional(Attachments),
  /** The result as JSON, in the shape that its tool gave it, where its words alone would not be all of it. */
  whole: z.optional(z.string()),
  /** The file that has it, by its hash, where it is too large for an entry. */
  whole_file: z.optional(Hash),
  /** Its call had ended when it was allowed, so that it went to nobody: a message tells of it. */
  late: z.optional(z.literal(true)),
})
/** What the agent means to do. A later one takes the place of the one before. */
export const Plan = z.object({
  kind: z.literal('plan'),
  by: Name,
  steps: z.array(z.object({ text: z.string(), state: z.enum(['pending', 'in_progress', 'completed']) })),
})
const Thinking = z.object({ kind: z.literal('thinking'), by: Name, reasoning: Text })
const Progress = z.object({
  kind: z.literal('progress'),
  by: Name,
  text: Text,
  attachments: z.optional(Attachments),
})
const Failure = z.object({ kind: z.literal('error'), by: Name, error: Text })
/** The agent ends its turn and waits to be spoken to. What it took is told where it is known. */
export const Turn = z.object({
  kind: z.literal('turn'),
  by: Name,
  outcome: z.optional(z.enum(['ended', 'cancelled', 'refused', 'failed'])),
  duration_ms: z.optional(z.number()),
  tokens: z.optional(z.object({ input: z.number(), output: z.number() })),
  cost: z.optional(z.object({ amount: z.number(), currency: z.string() })),
})

/** How a person wants the conversation to be driven from now on; what is absent stays as it was. */
export const RunSettings = z.object({ kind: z.literal('wish'), by: Name, ...runSettings, ...waiting, ...beginning })

/** An entry that this version cannot read: of a newer Parley, or damaged. Kept as it is, and it changes nothing. */
const Unknown = z.object({ kind: z.literal('unknown'), name: z.string(), content: z.unknown() })

export const Body = z.discriminatedUnion('kind', [
  Message,
  Revision,
  Question,
  Settlement,
  PermittedCall,
  RefusedCall,
  Revocation,
  Receipt,
  Title,
  ToolCall,
  ToolResult,
  Thinking,
  Progress,
  Failure,
  Turn,
  Plan,
  RunSettings,
  Earlier,
  Unknown,
])

export const Entry = z.object({
  id: EntryId,
  conversation: Name,
  at: z.number(),
  key: z.optional(Name),
  body: Body,
})

export type Message = z.infer<typeof Message>
export type Revision = z.infer<typeof Revision>
export type Question = z.infer<typeof Question>
export type Settlement = z.infer<typeof Settlement>
export type Plan = z.infer<typeof Plan>
export type RunSettings = z.infer<typeof RunSettings>
export type Receipt = z.infer<typeof Receipt>
export type ToolCallBody = z.infer<typeof ToolCall>
export type ToolResultBody = z.infer<typeof ToolResult>
/** What an agent does besides talking, as one of the kinds of entries for it. */
export type Deed = Extract<
  Body,
  { kind: 'tool_call' | 'tool_result' | 'thinking' | 'progress' | 'plan' | 'error' | 'turn' }
>
export type Body = z.infer<typeof Body>
export type Entry = z.infer<typeof Entry>
export type SettledEntry = Entry & { body: Settlement }

export function isSettlement(entry: Entry): entry is SettledEntry {
  return entry.body.kind === 'settlement'
}
