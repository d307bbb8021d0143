/** What a question's life should be, told as plainly as possible: lists and flags. */
export interface Asked {
  /** Learnt from the hub when it is asked. */
  id: string
  text: string
  by: string
  state: 'open' | 'answered' | 'expired' | 'withdrawn'
  expiresAt?: number
  reply?: Said
  /** What withdrew it, where it was a stop. */
  stoppedBy?: Said
}

/** Anything the person said: a message, a stop, or the reply to a question. */
export interface Said {
  text: string
  stop?: true
  /** The question that it answers. */
  answers?: string
  /** It was in a result of this agent. */
  given?: boolean
  /** It was in a result of any agent. */
  delivered?: boolean
  read?: boolean
}

export interface Waiting<Call> {
  call: Call
  question: Asked
  until?: number
}

export interface Ended {
  settlement?: Asked
  pending?: Asked
  interrupted?: string
  earlier: Said[]
}

export type Model<Call> = ReturnType<typeof createModel<Call>>

export function createModel<Call>(now: number) {
  const asked: Asked[] = []
  const said: Said[] = []
  const keys = new Map<string, Asked>()
  let waiting: Waiting<Call>[] = []
  let unproven: Said[] = []
  let clock = now
  return {
    asked,
    open: () => asked.filter(({ state }) => state === 'open'),
    settled: () => asked.filter(({ state }) => state !== 'open'),
    waiting: () => waiting,
    now: () => clock,
    start,
    ask,
    wait,
    handOver,
    pack,
    say,
    settle,
    stop,
    giveUp,
    nextDue,
    moveTo: (time: number) => {
      clock = time
    },
    forget,
  }

  /** A call begins, which proves that the results before it arrived. */
  function start() {
    for (const each of unproven) each.read = true
    unproven = []
  }

  /** What asking leads to: a stop, a question that is known, or nothing, for a new one. */
  function ask({ text, by, key }: { text: string; by: string; key?: string }): Asked | 'stopped' | undefined {
    if (said.some(({ stop, given, read }) => stop && !given && !read)) return 'stopped'
    const same = asked.filter((question) => question.text === text && question.by === by)
    const unread = said.find(({ answers, delivered }) => !delivered && same.some(({ id }) => id === answers))
    return (
      (key === undefined ? undefined : keys.get(key)) ??
      same.find(({ state }) => state === 'open') ??
      same.find(({ id }) => id === unread?.answers)
    )
  }

  function wait(call: Call, question: Asked, { key, until }: { key?: string; until?: number }) {
    if (!asked.includes(question)) {
      asked.push(question)
      if (key !== undefined) keys.set(key, question)
    }
    waiting.push({ call, question, until })
  }

  /** What a result brings, and that it does. */
  function handOver(settlement?: Asked): Ended {
    const { handed, ...ended } = pack(settlement)
    for (const each of handed) Object.assign(each, { given: true, delivered: true })
    unproven.push(...handed)
    return ended
  }

  /** What a result would bring. */
  function pack(settlement?: Asked): Ended & { handed: Said[] } {
    const awaited = [settlement?.id, ...waiting.map(({ question }) => question.id)]
    const unread = said.filter(
      ({ answers, given, read }) => !given && !read && !(answers !== undefined && awaited.includes(answers)),
    )
    // A stop that withdrew the question is told to every call that waits for it.
    const stops = said.filter((each) => each === settlement?.stoppedBy || (each.stop && unread.includes(each)))
    const own = settlement?.reply && stops.length === 0 ? [settlement.reply] : []
    const interrupted = stops.length > 0 ? stops.map(({ text }) => text).join('\n\n') : undefined
    const earlier = unread.filter(({ stop }) => !stop)
    return { handed: [...earlier, ...own, ...stops], settlement, interrupted, earlier }
  }

  function say(text: string, more: Pick<Said, 'stop' | 'answers'> = {}): Said {
    const words: Said = { text, ...more }
    said.push(words)
    return words
  }

  /** The calls that end with it, in the order in which they began to wait. */
  function settle(question: Asked, state: Asked['state'], reply?: string): Waiting<Call>[] {
    question.state = state
    if (reply !== undefined) question.reply = say(reply, { answers: question.id })
    return leave(({ question: awaited }) => awaited === question)
  }

  function stop(words: string): Waiting<Call>[] {
    const stoppedBy = say(words, { stop: true })
    for (const question of asked.filter(({ state }) => state === 'open'))
      Object.assign(question, { state: 'withdrawn', stoppedBy })
    return leave(() => true)
  }

  function giveUp(one: Waiting<Call>) {
    leave((other) => other === one)
  }

  function leave(ends: (one: Waiting<Call>) => boolean): Waiting<Call>[] {
    const ended = waiting.filter(ends)
    waiting = waiting.filter((one) => !ended.includes(one))
    return ended
  }

  /** Deadlines of questions and of calls, whichever is first. */
  function nextDue(): { at: number; question?: Asked; call?: Waiting<Call> } | undefined {
    const questions = asked.flatMap((question) =>
      question.state === 'open' && question.expiresAt !== undefined ? [{ at: question.expiresAt, question }] : [],
    )
    const calls = waiting.flatMap((call) => (call.until === undefined ? [] : [{ at: call.until, call }]))
    return [...questions, ...calls].sort((a, b) => a.at - b.at)[0]
  }

  /** The agent is gone: what it did not prove to have is handed to the next one. */
  function forget() {
    waiting = []
    unproven = []
    for (const each of said) each.given = false
  }
}
