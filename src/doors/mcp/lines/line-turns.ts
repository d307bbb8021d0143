import type { FromLine } from '../../../protocol/frames/link.ts'

export type Said = Extract<FromLine, { mcp: unknown }>

interface TurnsParts {
  /** Whether the line has more to read than it should. */
  isFull(): boolean
  begin(request: Said): void
  /** Whether nothing more of the line is to be read. */
  setPaused(isHeld: boolean): void
}

/** The number of large answers that wait for nobody and may be under way at once. */
const MOST_READS = 4
/** Nothing more of a line is read while its requests that wait weigh so much. */
const MOST_WAITING = 1024 * 1024
const READS = new Set(['resources/read', 'tools/list'])
/** All names of reading tools. Mounted tools may wait for people, and are not among them. */
const READING_TOOL = /^(?:(?:ui_)?(?:chat_)?read_since|(?:ui_|chat_)?read_and_advance|read_events|receive_messages)$/

interface Waiting {
  request: Said
  reads: boolean
  weight: number
}

/**
 * Begins the requests of a line in order, as long as it reads its answers. Few that read are under way at once, because
 * their answers are made sooner than anybody can take them; the others go past them.
 */
export function createTurns({ isFull, begin, setPaused }: TurnsParts) {
  let waiting: Waiting[] = []
  let waitingWeight = 0
  /** The ids of reads under way, which nobody promises to be different. */
  const reading: unknown[] = []
  /** Set until everything was read, so that nothing overtakes what waits. */
  let isBlocked = false
  return { take, answered, cancelled, goOn, forget: () => void takeWaiting() }

  /** `weight` is what it takes up while it waits. */
  function take(request: Said, weight: number) {
    isBlocked ||= isFull()
    const one = { request, reads: isRead(request.mcp), weight }
    if (mayBegin(one)) return start(one)
    wait(one)
    pauseIfTooMuch()
  }

  /** The line has read, or had an answer. */
  function goOn() {
    isBlocked = isFull()
    for (const one of takeWaiting()) {
      if (mayBegin(one)) start(one)
      else wait(one)
    }
    pauseIfTooMuch()
  }

  function wait(one: Waiting) {
    waiting.push(one)
    waitingWeight += one.weight
  }

  function takeWaiting(): Waiting[] {
    const taken = waiting
    waiting = []
    waitingWeight = 0
    return taken
  }

  function mayBegin({ reads }: Waiting): boolean {
    return !isBlocked && (!reads || reading.length < MOST_READS)
  }

  function start({ request, reads }: Waiting) {
    if (reads) reading.push(request.mcp.id)
    begin(request)
  }

  function pauseIfTooMuch() {
    setPaused(waitingWeight > MOST_WAITING)
  }

  function answered(id: unknown) {
    const at = reading.indexOf(id)
    if (at === -1) return
    reading.splice(at, 1)
    if (!isBlocked) goOn()
  }

  /** Nobody is answered what they cancelled. */
  function cancelled(id: unknown) {
    for (const one of takeWaiting()) if (one.request.mcp.id !== id) wait(one)
    answered(id)
    pauseIfTooMuch()
  }
}

function isRead({ method, params }: Said['mcp']): boolean {
  if (method !== 'tools/call') return READS.has(method as string)
  const { name } = (params ?? {}) as { name?: unknown }
  return typeof name === 'string' && READING_TOOL.test(name.replaceAll('.', '_'))
}
