import * as z from 'zod/mini'
import { newConversationName } from '../chat/conversation-name.ts'
import type { View } from '../chat/view.ts'
import { BEFORE_ALL, type Entry } from '../protocol/entry.ts'
import type { ParleyError } from '../protocol/errors.ts'
import type { OpenQuestion } from '../protocol/fold.ts'
import type { LoopFrame } from '../protocol/loop.ts'
import { parseFrame } from '../protocol/parse.ts'
import type { Connection, Dialect, Speaker } from './dialect.ts'
import { once } from './frames.ts'

/** One documented wire format: one kind of frame comes in, entries go out as frames. */
export interface EventDialect<Command extends z.ZodMiniObject = z.ZodMiniObject> {
  /** The type of the one frame that its clients send. */
  type: string
  command: Command
  perform(command: z.output<Command>, desk: Desk): Promise<unknown>
  /** Nothing for what the document does not know. */
  frameOf(entry: Entry): Buffer | undefined
  /** What a client is sent first. `history` is empty unless `wantsHistory`. */
  greeting?(shown: { history: Entry[]; open: OpenQuestion[] }): object[]
  wantsHistory?: boolean
}

/** Where a client speaks from. */
export interface Desk extends Pick<Connection, 'view'> {
  /** The conversation that lives as long as the connection. */
  own(): string
}

/** Keeps the compiler's knowledge of a dialect's own command while dialects of all kinds share one list. */
export function eventDialect<Command extends z.ZodMiniObject>(dialect: EventDialect<Command>): EventDialect {
  return dialect as unknown as EventDialect
}

const HISTORY_PAGE = 1000

/** Speaks the dialects together: their frame types do not overlap, so that a client of each finds what it knows. */
export function speakTogether(...dialects: EventDialect[]): Dialect {
  const commands = z.discriminatedUnion('type', dialects.map(({ command }) => command) as [z.ZodMiniObject])
  const framesOf = once((entries: Entry[]) =>
    entries
      .flatMap((entry) => dialects.map((dialect) => dialect.frameOf(entry)))
      .filter((frame) => frame !== undefined),
  )
  return (connection) => openSpeaker(connection, { dialects, commands, framesOf })
}

interface Language {
  dialects: EventDialect[]
  commands: z.ZodMiniType
  framesOf(entries: Entry[]): Buffer[]
}

function openSpeaker(connection: Connection, { dialects, commands, framesOf }: Language): Speaker {
  const { view, send, sendTogether, fail } = connection
  let own: string | undefined
  let following: { close(): void } | undefined
  let closed = false
  // A hub that closes takes the log away from clients that it has just let go.
  connect().catch((error) => closed || fail(error))
  return { receive, refuse, close }

  /** The first frames show everything up to `last`, and what follows begins right after it. */
  async function connect() {
    const last = await view.last()
    const current = await view.current()
    const wantsHistory = dialects.some((dialect) => dialect.wantsHistory)
    const history = wantsHistory ? await historyOf(view, await shown(view, current), last) : []
    const open = (await openQuestions(view, current)).filter(({ id }) => id <= last)
    for (const dialect of dialects)
      for (const frame of dialect.greeting?.({ history, open }) ?? []) await send(JSON.stringify(frame))
    if (!closed) following = view.follow({ after: last }, { entries: deliver, failed: fail })
  }

  function deliver(entries: Entry[]): void | Promise<void> {
    return sendTogether(framesOf(entries))
  }

  async function receive(text: string) {
    const command = parseFrame(commands, text) as { type: string }
    const dialect = dialects.find(({ type }) => type === command.type)
    await dialect?.perform(command, { view, own: () => (own ??= newConversationName('chat')) })
  }

  function refuse({ message }: ParleyError) {
    send(JSON.stringify({ type: 'error', error: message } satisfies LoopFrame))
  }

  function close() {
    closed = true
    following?.close()
  }
}

/** What is current, or else what was talked about last. */
async function shown(view: View, current: string[]): Promise<string[]> {
  if (current.length > 0) return current
  const last = await view.spokenInLast()
  return last === undefined ? [] : [last]
}

/** Oldest first. */
async function openQuestions(view: View, conversations: string[]): Promise<OpenQuestion[]> {
  const states = await Promise.all(conversations.map((conversation) => view.conversation(conversation)))
  return states.flatMap(({ open }) => open).sort((a, b) => (a.id < b.id ? -1 : 1))
}

async function historyOf(view: View, conversations: string[], last: string): Promise<Entry[]> {
  const histories = await Promise.all(conversations.map((conversation) => allOf(view, conversation, last)))
  return histories.flat().sort((a, b) => (a.id < b.id ? -1 : 1))
}

async function allOf(view: View, conversation: string, last: string): Promise<Entry[]> {
  const all: Entry[] = []
  for (let after = BEFORE_ALL; ; ) {
    const { entries, has_newer } = await view.page(conversation, { after, limit: HISTORY_PAGE })
    all.push(...entries.filter(({ id }) => id <= last))
    if (!has_newer) return all
    after = entries.at(-1)?.id ?? last
  }
}
