import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ParleyError } from '../protocol/errors.ts'
import type { Settled } from './asking.ts'
import type { AgentSession, Happening, TurnEnd } from './driver.ts'
import type { ConversationHub } from './hub.ts'
import { promptOf } from './prompt.ts'
import { createReceiving, isOnlyStop, type Text } from './receiving.ts'
import type { Store } from './store.ts'
import { createTelling, type Telling } from './telling.ts'
import { newTurn, type UiState } from './ui-state.ts'
import { wordsOf } from './user-text.ts'

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 60_000
/** So long a turn has to be told to its end when the orchestrator ends. */
const CLOSING_MS = 3000
const INTERRUPTED =
  'The runner ended in the middle of this turn, and its agent with it. What was said is kept: say what it should do now'

export interface TurnsParts {
  conversation: string
  store: Store
  hub: ConversationHub
  /** Whether we may act here; false when somebody else does. */
  hold(): Promise<boolean>
  takeSession(signal: AbortSignal): Promise<AgentSession>
  releaseSession(): void
  /** Whether what is said during a turn goes into it. */
  steers(): boolean
  /** Something that people see has changed. */
  changed(): void
  /** One sentence about what keeps the agent from starting, until it is empty. */
  trouble(sentence: string): void
  report(error: unknown): void
}

interface Turn {
  state: UiState
  telling: Telling
  /** While it works on the prompt. */
  session?: AgentSession
  /** The agent may have the prompt. */
  isGiven: boolean
}

export type Turns = ReturnType<typeof createTurns>

/** The turns of one conversation: one at a time, each about everything that was said before it. */
export function createTurns(parts: TurnsParts) {
  const { conversation, store, hub, hold, takeSession, releaseSession, steers, changed, trouble, report } = parts
  const receive = createReceiving({ conversation, store, hub })
  let current: Turn | undefined
  /** Of what is being prepared or done now; aborted by a stop. */
  let stopping = new AbortController()
  let stoppedAt = ''
  let closing = false
  let closed = false
  /** The agent that knows what was said before. */
  let reminded: AgentSession | undefined
  let running: Promise<void> | undefined
  let again = false
  let failures = 0
  let steering: Promise<unknown> = Promise.resolve()
  return {
    wake,
    happens,
    stop,
    settled,
    close,
    state,
    began: () => current?.state.began_at,
    /** Whatever becomes of the agent now is told with the turn. */
    isPrompting: () => current?.session !== undefined,
  }

  function state(): 'working' | 'waiting' | 'idle' {
    if (current?.telling.isWaiting()) return 'waiting'
    return running ? 'working' : 'idle'
  }

  /** There may be something to do. */
  function wake() {
    if (closing) return
    if (running) {
      again = true
      if (current?.session) steering = steering.then(steer).catch(report)
      return
    }
    again = false
    running = work()
      .catch(report)
      .finally(() => {
        running = undefined
        changed()
        if (again) wake()
      })
    changed()
  }

  async function work() {
    while (!closing && hasWork()) {
      if (!(await hold())) return
      stopping = new AbortController()
      await finishLast()
      try {
        await takeTurn()
        failures = 0
        trouble('')
      } catch (error) {
        if (closing || !(error instanceof ParleyError)) throw error
        await failed(error.message)
      }
    }
  }

  function hasWork(): boolean {
    return store.toGive(conversation).length > 0 || store.uiState(conversation) !== undefined
  }

  /** What a process before this one did not tell to its end. What the agent may have is not given to it again. */
  async function finishLast() {
    const state = store.uiState(conversation)
    if (!state) return
    if (!state.ended && isUntold(state) && !(await mayHaveHeard(state))) return giveBack(state)
    const telling = tell(state)
    if (!state.ended) telling.end({ outcome: 'failed', problem: INTERRUPTED }, undefined)
    await ended(state, telling)
  }

  /** Of a session that tells all that was said in it, it is known. */
  async function mayHaveHeard({ texts }: UiState): Promise<boolean> {
    try {
      const session = await takeSession(stopping.signal)
      return session.heard?.(store.given(texts).map(wordsOf).join('\n\n')) ?? true
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error
      return true
    } finally {
      releaseSession()
    }
  }

  function giveBack({ texts }: UiState) {
    store.together(() => {
      for (const id of texts) store.setText(id, 'received')
      store.dropUi(conversation)
    })
  }

  async function takeTurn() {
    const session = await sessionUnlessStopped()
    try {
      const texts = await receive()
      if (texts.length === 0) return
      if (!session || stopping.signal.aborted) return await endStopped(texts)
      await give(texts, session)
    } finally {
      releaseSession()
    }
  }

  /** Nothing when the person stopped it before it began. */
  async function sessionUnlessStopped(): Promise<AgentSession | undefined> {
    if (store.toGive(conversation).every(isOnlyStop)) return undefined
    const { signal } = stopping
    const stopped = new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true })
    })
    const taken = takeSession(signal)
    // Whoever stopped it does not wait for it either.
    taken.catch(() => {})
    return Promise.race([taken, stopped])
  }

  async function give(texts: Text[], session: AgentSession) {
    const remind = !session.remembers && reminded !== session
    const prompt = await promptOf({ texts, remind, conversation, hub })
    if (stopping.signal.aborted) return endStopped(texts)
    reminded = session
    const ids = texts.map(({ id }) => id)
    const state = newTurn(randomUUID(), ids)
    const giving = () => {
      if (!turn.isGiven) store.give(conversation, ids, state)
      turn.isGiven = true
    }
    const lost = session.lost.then((problem): TurnEnd => ({ outcome: 'failed', problem }))
    // What is kept of a turn says that it was given.
    const telling = tell(state, () => turn.isGiven)
    const turn: Turn = { state, telling, session, isGiven: false }
    current = turn
    changed()
    const end = await Promise.race([session.prompt({ ...prompt, giving }), lost])
    turn.session = undefined
    await steering
    telling.end(
      stopping.signal.aborted ? { ...end, outcome: 'cancelled', problem: undefined } : end,
      Date.now() - state.began_at,
    )
    store.saveSession(conversation, session.id)
    await ended(state, telling)
  }

  /** The person stopped it before it began; what was said after that, or with it, is for the next turn. */
  async function endStopped(texts: Text[]) {
    const ids = texts.map(({ id }) => id).filter((id) => id < stoppedAt)
    if (ids.length === 0) return
    const state = newTurn(randomUUID(), ids)
    const telling = tell(state)
    telling.end({ outcome: 'cancelled' }, 0)
    await ended(state, telling)
  }

  /** Nothing is left to do but to tell it. */
  async function ended(state: UiState, telling: Telling) {
    store.together(() => {
      for (const id of state.texts) store.setText(id, 'done')
      store.saveUi(conversation, state)
    })
    await telling.told()
    if (closed && state.outbox.length > 0) return
    store.dropUi(conversation)
    current = undefined
    changed()
  }

  function tell(state: UiState, isGiven = () => true): Telling {
    return createTelling({
      hub,
      state,
      changed,
      report,
      save: () => {
        if (!closed && isGiven()) store.saveUi(conversation, state)
      },
    })
  }

  /** Gives what was said meanwhile to the turn that runs, where that is wanted and can be. */
  async function steer() {
    const turn = current
    if (!turn?.isGiven || !turn.session?.steer || !steers()) return
    const { state, session } = turn
    const texts = await receive()
    if (texts.length === 0 || current?.session !== session) return
    const prompt = await promptOf({ texts, remind: false, conversation, hub })
    const ids = texts.map(({ id }) => id)
    state.texts.push(...ids)
    store.give(conversation, ids, state)
    if (await session.steer?.(prompt)) return
    state.texts = state.texts.filter((id) => !ids.includes(id))
    store.together(() => {
      for (const id of ids) store.setText(id, 'received')
      store.saveUi(conversation, state)
    })
  }

  /** It did not begin: people are told why, once, and it is tried again, more and more rarely. */
  async function failed(sentence: string) {
    trouble(sentence)
    const wait = Math.min(FIRST_WAIT_MS * 2 ** failures++, LONGEST_WAIT_MS)
    await pause(wait, undefined, { signal: stopping.signal }).catch(() => {})
    if (!stopping.signal.aborted || closing) return
    await endStopped(await receive())
  }

  function happens(happening: Happening) {
    if (!current?.state.ended) current?.telling.happens(happening)
  }

  /** By the message with this id. */
  function stop(id = '') {
    stoppedAt = id
    stopping.abort()
    void current?.session?.interrupt().catch(report)
  }

  function settled(event: Settled) {
    current?.telling.settled(event)
  }

  /** What runs is told to its end, as far as there is time; the rest is kept. */
  async function close() {
    closing = true
    stop()
    await Promise.race([running, pause(CLOSING_MS, undefined, { ref: false })])
    closed = true
  }
}

/** Nothing has come of it that anybody could know. */
function isUntold({ names, steps, asks, outbox }: UiState): boolean {
  return names + steps.length + asks.length + outbox.length === 0
}
