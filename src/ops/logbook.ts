import { LOG_LEVELS, type LogLevel } from '../protocol/log-level.ts'

export type Logbook = ReturnType<typeof createLogbook>

interface LogbookParts {
  level: LogLevel
  /** Whether what people and agents say may stand in it. */
  content: boolean
  out?: Output
  now?(): Date
}

/** A stream, as far as the logbook needs to know it. */
export interface Output {
  isTTY?: boolean
  readonly writableLength: number
  write(text: string): unknown
  /** Whether what was written last could not be kept. */
  readonly failed?: boolean
}

type Fields = Record<string, unknown>
type Event = [time: Date, level: LogLevel, event: string, fields: Fields]

// Nobody may be reading stderr, and a hub must neither wait for that nor keep everything for later.
const UNREAD_LIMIT = 1024 * 1024

/** What happens, one line for each event: JSON for programs, readable for a person at a terminal. */
export function createLogbook({ level, content, out = process.stderr, now = () => new Date() }: LogbookParts) {
  const lineOf = out.isTTY ? readable : json
  const least = LOG_LEVELS.indexOf(level)
  let waiting: Event[] = []
  /** How many events `waiting` stands for. */
  let events = 0
  let dropped = 0
  let writing: NodeJS.Immediate | undefined
  // The last words before a crash are what one wants to read after it.
  process.once('exit', flush)
  return { content, wants, tell, close }

  function wants(level: LogLevel): boolean {
    return LOG_LEVELS.indexOf(level) >= least
  }

  /** Lines of one turn of the event loop share a write. They are made then: whoever tells of a call answers it first. */
  function tell(level: LogLevel, event: string, fields: Fields = {}) {
    if (!wants(level)) return
    if (out.writableLength > UNREAD_LIMIT) {
      dropped++
      return
    }
    if (dropped > 0) waiting.push([now(), 'warn', 'dropped', { lines: dropped }])
    events += dropped + 1
    dropped = 0
    waiting.push([now(), level, event, fields])
    writing ??= setImmediate(flush)
  }

  function flush() {
    clearImmediate(writing)
    writing = undefined
    if (waiting.length === 0) return
    out.write(waiting.map((event) => lineOf(...event)).join(''))
    if (out.failed) dropped += events
    waiting = []
    events = 0
  }

  function close() {
    process.off('exit', flush)
    flush()
  }
}

function json(time: Date, level: LogLevel, event: string, fields: Fields): string {
  return `${JSON.stringify({ time, level, event, ...fields })}\n`
}

function readable(time: Date, level: LogLevel, event: string, { stack, ...fields }: Fields): string {
  const words = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${plain(value)}`,
  )
  const line = [time.toTimeString().slice(0, 8), level.padEnd(5), event, ...words].join(' ')
  return typeof stack === 'string' ? `${line}\n${stack.split('\n').map(harmless).join('\n')}\n` : `${line}\n`
}

function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[\w.:/@+-]+$/.test(text) || typeof value !== 'string' ? harmless(text) : harmless(JSON.stringify(text))
}

/** A name that somebody chose must not steer the terminal or turn its text around. */
function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
