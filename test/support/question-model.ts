/** What a question's life should be, told as plainly as possible: lists and flags. */
export interface Asked {
  /** Learnt from the hub when it is asked. */
  id: string
  text: string
  by: string
  state: 'open' | 'answered' | 'expired' | 'withdrawn'
  expiresAt?: number
  reply?: Said
}

/** Anything the person said: a message, a stop, or the reply to a question. */
export interface Said {
  text: string
  stop?: true
  /** The question that it answers. */
  answers?: string
  /** It was in a result of this agent, or the agent has proven to have it. */
  given?: boolean
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
    const unread = said.find(({ answers, read }) => !read && same.some(({ id }) => id === answers))
    return (
      same.find(({ state }) => state === 'open') ??
      same.find(({ id }) => id === unread?.answers) ??
      (key === undefined ? undefined : keys.get(key))
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
    const awaited = [settlement?.id, ...waiting.map(({ question }) => question.id)]
    const unread = said.filter(
      ({ answers, given, read }) => !given && !read && !(answers !== undefined && awaited.includes(answers)),
    )
    const stopped = unread.some(({ stop }) => stop)
    const fails = settlement !== undefined && settlement.reply === undefined
    const handed = fails && !stopped ? [] : unread
    const own = settlement?.reply && !stopped ? [settlement.reply] : []
    for (const each of [...handed, ...own]) each.given = true
    unproven.push(...handed, ...own)
    return {
      settlement,
      interrupted: handed.findLast(({ stop }) => stop)?.text,
      earlier: handed.filter(({ stop }) => !stop),
    }
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
    for (const question of asked) if (question.state === 'open') question.state = 'withdrawn'
    say(words, { stop: true })
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
