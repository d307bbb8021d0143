import * as z from 'zod/mini'
import { Approval, Earlier, EntryId, Options, QuickReplies } from '../entries/entry.ts'
import { beginning, DeliveryTiming, runSettings, waiting } from '../entries/run-settings.ts'
import { Key, Name, Text, Words } from '../text/text.ts'
import { drivingAnswer } from './asked/driving-request.ts'

/** One of several that an agent can be in or use. */
const Choice = z.object({ id: Name, name: z.string(), description: z.optional(z.string()) })
export type Choice = z.infer<typeof Choice>

/**
 * Modes or models: which there are, and which one it is now. `total`: how many there are, where `all` has only some of
 * them; the others can be chosen, too.
 */
const Choices = z.object({ current: z.optional(Name), all: z.array(Choice), total: z.optional(z.number()) })
export type Choices = z.infer<typeof Choices>

/** A `parley run` that offers itself: people can begin conversations with it. */
export const Runner = z.object({
  name: Name,
  /** The folder in which its agents work. */
  folder: z.string(),
  /** The branch of git that the folder is in now, or the commit where there is none. */
  branch: z.optional(z.string()),
  /** What drives it: the command, or the model. */
  agent: z.string(),
  modes: z.optional(Choices),
  models: z.optional(Choices),
  max_sessions: z.number(),
  /** It answers where nobody else does and nobody chose. */
  default: z.optional(z.literal(true)),
  /** One sentence that says why nothing can be begun with it now. */
  problem: z.optional(z.string()),
  /** Set where that is a login: somebody has to sign in to the agent. */
  login: z.optional(z.literal(true)),
})
export type Runner = z.infer<typeof Runner>

/** One that could not begin, and why. */
const FailedRun = z.extend(Runner, { problem: Text })
export type FailedRun = z.infer<typeof FailedRun>

const PROCESSES = ['none', 'starting', 'running'] as const

/** A runner that the hub starts and ends by itself. */
const Launched = z.object({
  agent: Name,
  /** Whether there is a process for it now: `none` until somebody speaks where it answers. */
  process: z.enum(PROCESSES),
})
export type Launched = z.infer<typeof Launched>

/** A runner as people see it; `failed_at` is when it last failed to start, in milliseconds since 1970. */
export const ListedRunner = z.extend(Runner, {
  failed_at: z.optional(z.number()),
  /** Set where the hub starts and ends it by itself. */
  launched: z.optional(Launched),
})
export type ListedRunner = z.infer<typeof ListedRunner>

/** `asleep`: there is no process for it now; the next message wakes it. */
const DRIVEN_STATES = ['working', 'waiting', 'idle', 'asleep'] as const
export const DrivenState = z.enum(DRIVEN_STATES, 'must be working, waiting, idle or asleep')
export type DrivenState = z.infer<typeof DrivenState>

/** How full an agent's context is, and what its session has cost; as far as it tells. */
export const ContextUse = z.object({
  /** Tokens that are in it. */
  used: z.optional(z.number()),
  /** Tokens for which there is room. */
  size: z.optional(z.number()),
  /** Of the session so far. */
  cost: z.optional(z.object({ amount: z.number(), currency: z.string() })),
})
export type ContextUse = z.infer<typeof ContextUse>

/** The state of a driven agent. Never stored. */
export const Driven = z.object({
  runner: z.optional(Name),
  state: DrivenState,
  /** The start of the running turn, in milliseconds since 1970. */
  turn_at: z.optional(z.number()),
  modes: z.optional(Choices),
  models: z.optional(Choices),
  /** Slash commands. */
  commands: z.optional(z.array(z.object({ name: Name, description: z.optional(z.string()) }))),
  /** How many there are, where that list has only some of them. */
  commands_total: z.optional(z.number()),
  /** The timing of words during a turn, where the agent can take them. */
  delivery: z.optional(DeliveryTiming),
  can_steer: z.optional(z.literal(true)),
  /** How full its context is, and what its session has cost so far. */
  context: z.optional(ContextUse),
  /** What the person should know and do: it is silent, it wants a login. */
  notice: z.optional(z.string()),
})
export type Driven = z.infer<typeof Driven>

/**
 * A piece of text that grows: `text` stands at `from`, in UTF-16 units, in the place of whatever was known from there
 * on. The entry with the key `id` takes its place.
 */
export const Partial = z.object({
  id: Name,
  kind: z.enum(['message', 'thinking', 'output'], 'must be message, thinking or output'),
  from: z.int('must be a whole number').check(z.minimum(0, 'must not be negative')),
  text: Words,
})
export type Partial = z.infer<typeof Partial>

/** What the hub itself says of a call, nobody else does. */
const AskedApproval = z.omit(Approval, {
  server: true,
  tool: true,
  fingerprint: true,
  tool_changed: true,
  reason: true,
  masked: true,
  cut: true,
})

const notPositive = 'must be a whole number from 1 on'

/** How long a lease lasts. */
const Seconds = z
  .int('must be whole seconds')
  .check(z.minimum(5, 'must be at least 5'), z.maximum(300, 'must be at most 300'))

/** The lease holder: the same for one process of an orchestrator, and for no other. */
const held = { session_id: Name, holder: Name }

const earlierContext = {
  /** For the beginning of a prompt. */
  context: z.string(),
}

/** Entries that one call tells of. */
export const MOST_EARLIER = 50

/** The tools of `/mcp/orchestrator`, by name. */
export const DRIVING = {
  /**
   * Repeated before the lease ends, to keep it. Only the holder of a conversation can drive it with the other tools.
   */
  hold_conversation: {
    input: z.object({ ...held, seconds: z.optional(Seconds) }),
    output: z.object({
      held: z.boolean(),
      /** The holder, and when its lease ends. */
      holder: z.string(),
      until: z.string(),
      wish: z.object({ ...runSettings, from: beginning.from }),
    }),
  },
  release_conversation: { input: z.object(held), output: z.object({ released: z.boolean() }) },
  /**
   * Messages that are about to be given to the agent. Those that somebody has received already, or that were taken
   * back, are not in the answer. `revised` has the words for those that were changed, and for changes of what an agent
   * has; then `changes` says which message is meant, and what it says now, if it was not taken back.
   */
  receive_messages: {
    input: z.object({ ...held, key: Key, messages: z.array(EntryId) }),
    output: z.object({
      received: z.array(EntryId),
      revised: z.optional(
        z.array(
          z.object({
            id: EntryId,
            text: z.string(),
            changes: z.optional(z.object({ message: EntryId, text: z.optional(z.string()) })),
          }),
        ),
      ),
    }),
  },
  show_driven: { input: z.object({ ...held, driven: Driven }), output: z.object({}) },
  /**
   * Grows what people see. `gone`: texts that became nothing. Refused where it leaves a gap: a new hub knows no text.
   */
  show_partial: {
    input: z.object({ ...held, partials: z.array(Partial), gone: z.optional(z.array(Name)) }),
    output: z.object({}),
  },
  /** Tells what was said in the agent's session before the conversation began. The same key tells once. */
  tell_earlier: {
    input: z.object({
      ...held,
      key: Key,
      entries: z
        .array(z.omit(Earlier, { kind: true, by: true, lease: true }), 'must be a list of entries')
        .check(z.minLength(1, 'has no entry'), z.maxLength(MOST_EARLIER, `has more than ${MOST_EARLIER} entries`)),
    }),
    output: z.object({}),
  },
  /** What was said last before the conversation began, in words for an agent that remembers none of it. */
  read_earlier: { input: z.object(held), output: z.object(earlierContext) },
  /** Asks and does not wait: what becomes of it is an event. The same key asks once. */
  ask_person: {
    input: z.object({
      ...held,
      key: Key,
      text: Text,
      quick_replies: z.optional(QuickReplies),
      options: z.optional(Options),
      multi_select: z.optional(z.boolean()),
      approval: z.optional(AskedApproval),
    }),
    output: z.object({ question_id: EntryId }),
  },
  withdraw_questions: {
    input: z.object({ ...held, question_ids: z.array(EntryId) }),
    output: z.object({ withdrawn: z.array(EntryId) }),
  },
  /** Repeated before the `seconds` are over, to stay; a name that another process has is refused. */
  offer_runner: {
    input: z.object({ holder: Name, runner: Runner, seconds: z.optional(Seconds) }),
    output: z.object({ until: z.string() }),
  },
  /** Tells which of the conversations no longer exist: they were forgotten. */
  missing_conversations: {
    input: z.object({ session_ids: z.array(Name) }),
    output: z.object({ missing: z.array(Name) }),
  },
  withdraw_runner: { input: z.object({ holder: Name, name: Name }), output: z.object({}) },
  /** A runner that failed to start. One that already has the name stays as it is. */
  show_failed_run: { input: z.object({ runner: FailedRun }), output: z.object({ until: z.string() }) },
  /** An answer that comes too late, or from another one than was asked, is refused. */
  answer_request: {
    input: z.object({
      holder: Name,
      /** The `id` of the request. */
      request: Name,
      ...drivingAnswer,
    }),
    output: z.object({}),
  },
  /** What `ui://chat/events` shows, from a watermark on. */
  read_events: {
    input: z.object({
      after_id: z.optional(EntryId),
      limit: z.optional(z.int(notPositive).check(z.minimum(1, notPositive))),
      session_id: z.optional(Name),
    }),
    output: z.object({ events: z.array(z.unknown()), last_id: z.string(), has_more: z.boolean() }),
  },
} as const

export const EVENTS = 'ui://chat/events'

/** What a driver has to know besides messages. */
export const DrivingEvent = z.discriminatedUnion('type', [
  /** The outcome of a question that an orchestrator asked. */
  z.object({
    type: z.literal('settled'),
    id: EntryId,
    session_id: Name,
    question_id: EntryId,
    outcome: z.enum(['answered', 'approved', 'denied', 'expired', 'withdrawn']),
    reply: z.optional(z.string()),
    choices: z.optional(z.array(z.string())),
    input: z.optional(z.string()),
    reason: z.optional(z.string()),
    /** The option of an approval that was taken. */
    option: z.optional(z.string()),
    /** A rule denied the call, and the turn of the agent with it. */
    abort: z.optional(z.literal(true)),
  }),
  /** The same, of a call that no orchestrator asked about. */
  z.object({ type: z.literal('aborted'), id: EntryId, session_id: Name }),
  z.object({
    type: z.literal('wish'),
    id: EntryId,
    session_id: Name,
    ...runSettings,
    ...waiting,
    ...beginning,
  }),
])
export type DrivingEvent = z.infer<typeof DrivingEvent>
