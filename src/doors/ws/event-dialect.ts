import * as z from 'zod/mini'
import { newConversationName } from '../../chat/conversation/conversation-name.ts'
import { createSeen } from '../../chat/conversation/seen.ts'
import type { View } from '../../chat/view.ts'
import { BEFORE_ALL, type Entry } from '../../protocol/entries/entry.ts'
import type { OpenQuestion } from '../../protocol/entries/fold.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { LoopFrame } from '../../protocol/frames/loop.ts'
import { parseFrame } from '../../protocol/parse.ts'
import type { Connection, Dialect, Speaker } from './dialect.ts'
import { asksPeople, once } from './frames.ts'
import { inOne } from './wire.ts'

/** One documented wire format: one kind of frame comes in, entries go out as frames. */
interface EventDialect<Command extends z.ZodMiniObject = z.ZodMiniObject> {
  /** The type of the one frame that its clients send. */
  type: string
  command: Command
  perform(command: z.output<Command>, connected: Connected): Promise<unknown>
  /** Nothing for what the document does not know. */
  frameOf(entry: Entry): Buffer | undefined
  /** The first frames for a client. */
  greeting?(shown: Shown): object[]
  /** Selects the earlier entries that it is shown; without it, none. */
  isHistory?(entry: Entry): boolean
}

/** Earlier entries, as far as they fit, and what is open now; both oldest first. */
export interface Shown extends History {
  open: OpenQuestion[]
}

interface History {
  history: Entry[]
  has_older: boolean
}

/** The connection that a client speaks from. */
export interface Connected extends Pick<Connection, 'view'> {
  /** The conversation that lives as long as the connection. */
  own(): string
  /** Tells this client alone what is wrong, behind the entry that it is about. */
  tellProblem(behind: string, sentence: string): void
}

/** Keeps the compiler's knowledge of a dialect's own command while dialects of all kinds share one list. */
export function eventDialect<Command extends z.ZodMiniObject>(dialect: EventDialect<Command>): EventDialect {
  return dialect as unknown as EventDialect
}

const HISTORY_PAGE = 256
/** The size of the history that a client is sent at once. */
const HISTORY_BYTES = 4 * 1024 * 1024

/** Speaks the dialects together: their frame types do not overlap, so that a client of each finds what it knows. */
export function speakTogether(...dialects: EventDialect[]): Dialect {
  const commands = z.discriminatedUnion('type', dialects.map(({ command }) => command) as [z.ZodMiniObject])
  const framesOf = once((entries: Entry[]) =>
    inOne(
      entries
        .flatMap((entry) => dialects.map((dialect) => dialect.frameOf(entry)))
        .filter((frame) => frame !== undefined),
    ),
  )
  return (connection) => openSpeaker(connection, { dialects, commands, framesOf })
}

interface Language {
  dialects: EventDialect[]
  commands: z.ZodMiniType
  /** All of them in one, made once for all clients; empty where there is none. */
  framesOf(entries: Entry[]): Buffer
}

function openSpeaker(connection: Connection, { dialects, commands, framesOf }: Language): Speaker {
  const { view, send, sendSoon, fail } = connection
  let own: string | undefined
  let following: { close(): void } | undefined
  let closed = false
  const told = createSeen(BEFORE_ALL)
  // A hub that closes takes the log away from clients that it has just let go.
  connect().catch((error) => closed || fail(error))
  return { receive, refuse, close }

  /** The first frames show everything up to `last`, and what follows begins right after it. */
  async function connect() {
    const last = await view.last()
    const current = await view.current()
    const isHistory = dialects.find((dialect) => dialect.isHistory)?.isHistory
    const before = isHistory ? await historyOf(view, await shown(view, current), last, isHistory) : NO_HISTORY
    const open = (await openQuestions(view, current)).filter(({ id }) => id <= last)
    for (const dialect of dialects)
      for (const frame of dialect.greeting?.({ ...before, open }) ?? []) await send(JSON.stringify(frame))
    told.moveTo(last)
    if (!closed) following = view.follow({ after: last }, { entries: deliver, failed: fail })
  }

  function deliver(entries: Entry[]): void | Promise<void> {
    const frames = framesOf(entries)
    const tell = asksPeople(entries) ? send : sendSoon
    const sent = frames.length > 0 ? tell(frames) : undefined
    told.moveTo(entries.at(-1)?.id ?? BEFORE_ALL)
    return sent
  }

  /** A client that is gone by then needs to know nothing. */
  function tellProblem(behind: string, error: string) {
    const tell = () => void send(JSON.stringify({ type: 'error', error } satisfies LoopFrame))
    told.until(behind).then(tell, () => {})
  }

  async function receive(text: string) {
    const command = parseFrame(commands, text) as { type: string }
    const dialect = dialects.find(({ type }) => type === command.type)
    await dialect?.perform(command, { view, own: () => (own ??= newConversationName('chat')), tellProblem })
  }

  function refuse({ message }: ParleyError) {
    send(JSON.stringify({ type: 'error', error: message } satisfies LoopFrame))
  }

  function close() {
    closed = true
    told.fail(new ParleyError('shutting_down'))
    following?.close()
  }
}

/** The current conversations, or else the one that was spoken in last. */
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

const NO_HISTORY: History = { history: [], has_older: false }

async function historyOf(view: View, conversations: string[], last: string, isHistory: (entry: Entry) => boolean) {
  const share = HISTORY_BYTES / conversations.length
  const all = await Promise.all(conversations.map((one) => newestOf(view, one, { last, share, isHistory })))
  return {
    history: all.flatMap(({ history }) => history).sort((a, b) => (a.id < b.id ? -1 : 1)),
    has_older: all.some(({ has_older }) => has_older),
  }
}

interface BatchLimits {
  last: string
  /** A limit in bytes; a single entry comes whatever its size. */
  share: number
  isHistory(entry: Entry): boolean
}

/** Newest first. */
async function newestOf(view: View, conversation: string, { last, share, isHistory }: BatchLimits): Promise<History> {
  const history: Entry[] = []
  let bytes = 0
  for (let before: string | undefined; ; ) {
    const { entries, has_older } = await view.page(conversation, { before, limit: HISTORY_PAGE })
    for (const entry of entries.filter((one) => one.id <= last && isHistory(one)).reverse()) {
      bytes += Buffer.byteLength(JSON.stringify(entry.body))
      if (history.length > 0 && bytes > share) return { history, has_older: true }
      history.push(entry)
    }
    if (!has_older) return { history, has_older }
    before = entries[0]?.id
  }
}
