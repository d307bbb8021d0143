import { createBackOff } from '../io/back-off.ts'
import type { Clock } from '../io/clock.ts'
import type { Launched } from '../protocol/frames/driving.ts'
import { isRefusal } from '../protocol/refusal.ts'
import { endRunner, isAlive, type Pid, type RunnerProcess, untilGone } from './runner-process.ts'

export type Lifecycle = ReturnType<typeof createLifecycle>

/** One for each agent and folder that was ever chosen. */
export interface LaunchedRunnerNote {
  name: string
  agent: string
  folder: string
  /** The process that was started for it last. */
  process?: Pid
}

/** What every runner of the hub needs. */
export interface LifecycleSurroundings {
  clock: Clock
  owed: { by(runner: string): { conversation: string; given: boolean }[] }
  /** The runner's conversations in which an agent is awake. */
  awake(runner: string): string[]
  /** What starts a process for it at once, or throws the sentence that says why nothing does. */
  prepare(runner: LaunchedRunnerNote): Promise<() => RunnerProcess>
  /** Tells people in a conversation what keeps its agent from starting. */
  tell(conversation: string, problem: string): Promise<void>
  report(error: unknown): void
}

interface LifecycleParts extends LifecycleSurroundings {
  note: LaunchedRunnerNote
  isOffered(): boolean
  started(process: Pid): void
  show(process: Launched['process'], problem?: string): void
}

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000
/** Failures in a row until nothing is tried before somebody speaks again. */
const MOST_FAILURES = 5
/** After so long it works, whatever was before. */
const STEADY_MS = 60_000
/** It has nothing to do for so long before it is ended. */
const LINGER_MS = 10_000
/** A process that has not offered itself by then hangs. */
const LONGEST_START_MS = 60_000
/** A turn that is stopped ends in this time, or its agent is ended. */
const STOP_MS = 1000
/** So long it has to end with its hub, and its agents with it. */
const GOODBYE_MS = 6000
/** It has this long to end by itself. */
const LONGEST_END_MS = 12_000

/** One runner from its first word to its last: started when it is needed, again when it fails, ended when it is not. */
export function createLifecycle({ note, owed, awake, isOffered, show, tell, clock, report, ...parts }: LifecycleParts) {
  /** A process, this hub's own or one that outlived the hub before it. */
  let current: (Pid & Partial<RunnerProcess>) | undefined
  let phase: 'none' | 'starting' | 'running' | 'ending' | 'resting' = 'none'
  let alarm: { cancel(): void } | undefined
  let idle: { cancel(): void } | undefined
  let problem: string | undefined
  /** The last problem that people were told in their conversations. */
  let told = ''
  let failures = 0
  let closed = false
  /** Somebody wanted it to end: it begins again when somebody speaks, and not before. */
  let stopped = false
  let gone = Promise.resolve()
  const backOff = createBackOff(FIRST_WAIT_MS, LONGEST_WAIT_MS)
  tellState()
  return { begin, wanted, look, stop, atWork, leave, end }

  /** Takes over what is there, and starts what is needed. */
  function begin() {
    const { process } = note
    if (process && isAlive(process)) {
      current = process
      enter('starting')
    } else if (owed.by(note.name).length > 0) void start()
  }

  /** Somebody spoke. */
  function wanted() {
    stopped = false
    if (closed || phase === 'starting') return
    if (phase === 'running') return look()
    // What ends looks once more when it has.
    if (phase === 'ending') return
    failures = 0
    backOff.reset()
    void start()
  }

  /** Something has changed that it may have to do with. */
  function look() {
    if (closed) return
    // One that was killed is offered for a while, and is not there.
    if (!current) return
    if (!isAlive(current)) return current.ended ? undefined : void over({ code: null })
    if (stopped) return
    if (isOffered() && phase === 'starting') enter('running')
    else rest()
  }

  /** Ends it after a while in which nobody is awake and nothing is to be done. */
  function rest() {
    if (phase !== 'running') return
    const isBusy = awake(note.name).length > 0 || owed.by(note.name).some(({ given }) => !given)
    if (!isBusy) idle ??= clock.alarm(clock.now() + LINGER_MS, () => enter('ending'))
    else stayAwake()
  }

  async function start() {
    if (closed || phase === 'starting' || phase === 'running') return
    enter('starting')
    try {
      const launch = await parts.prepare(note)
      // The hub may have ended meanwhile, or somebody wanted this one to.
      if (closed) return
      if (stopped) return enter('none')
      const process = launch()
      current = process
      parts.started({ pid: process.pid, began: process.began })
      gone = process.ended.then(over).catch(report)
    } catch (error) {
      if (closed) return
      if (!isRefusal(error)) report(error)
      // Nothing that was not changed by somebody would be otherwise the next time.
      fail((error as Error).message)
    }
  }

  /** Ends it once its turns were told to their end, or does not begin it. */
  function stop() {
    if (phase === 'none') return
    stopped = true
    if (phase === 'ending') return
    if (phase === 'resting') return enter('none')
    // What is being prepared is not begun.
    if (!current) return
    cancel()
    alarm = clock.alarm(clock.now() + STOP_MS, () => enter('ending'))
  }

  /** Its conversations whose agents are awake, or are about to be. */
  function atWork(): string[] {
    const coming = phase === 'none' ? [] : owed.by(note.name).map(({ conversation }) => conversation)
    return [...awake(note.name), ...coming]
  }

  /** Its process is gone. */
  async function over({ code, words }: Awaited<RunnerProcess['ended']>) {
    const wasEnding = phase === 'ending'
    const wasBusy = phase === 'starting' || awake(note.name).length > 0
    current = undefined
    enter('none')
    if (closed) return
    if (wasEnding || stopped) {
      if (!stopped && owed.by(note.name).length > 0) void start()
      return
    }
    if (!wasBusy && owed.by(note.name).length === 0) return
    problem = words ?? (code === null ? 'It was ended' : `It ended with code ${code}`)
    if (++failures >= MOST_FAILURES) return fail(`${problem}; say something to try again`)
    enter('resting')
  }

  function fail(sentence: string) {
    problem = sentence
    enter('none')
    if (sentence === told) return
    told = sentence
    for (const { conversation } of owed.by(note.name)) tell(conversation, sentence).catch(report)
  }

  function enter(next: typeof phase) {
    cancel()
    phase = next
    const now = clock.now()
    if (phase === 'starting') alarm = clock.alarm(now + LONGEST_START_MS, kill)
    if (phase === 'resting') alarm = clock.alarm(now + backOff.nextByChance(), () => void start())
    if (phase === 'running') {
      problem = undefined
      told = ''
      alarm = clock.alarm(now + STEADY_MS, steady)
      rest()
    }
    if (phase === 'ending' && current) {
      endRunner(current, 'SIGTERM')
      alarm = clock.alarm(now + LONGEST_END_MS, kill)
    }
    tellState()
  }

  function steady() {
    alarm = undefined
    failures = 0
    backOff.reset()
  }

  /** One that outlived its hub has no other end that could be seen. */
  function kill() {
    alarm = undefined
    if (!current) return
    endRunner(current, 'SIGKILL')
    if (!current.ended) void over({ code: null })
  }

  function cancel() {
    alarm?.cancel()
    alarm = undefined
    stayAwake()
  }

  function stayAwake() {
    idle?.cancel()
    idle = undefined
  }

  function tellState() {
    show(phase === 'starting' || phase === 'running' ? phase : 'none', problem)
  }

  function leave() {
    closed = true
    cancel()
  }

  async function end() {
    leave()
    if (!current) return
    endRunner(current, 'SIGTERM')
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const limit = clock.alarm(clock.now() + GOODBYE_MS, resolve)
    const over = current.ended ? gone : untilGone(current)
    await Promise.race([over, late])
    limit.cancel()
    // One that outlived the hub would start the next one.
    if (current) endRunner(current, 'SIGKILL')
    await over
  }
}
