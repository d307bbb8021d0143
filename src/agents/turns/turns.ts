import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createBackOff } from '../../io/back-off.ts'
import { pauseUntil } from '../../io/pause.ts'
import { unlessAborted } from '../../io/session/unless-aborted.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { DrivenSession, Happening, TurnEnd } from '../driver.ts'
import type { ConversationHub } from '../hub.ts'
import type { Store } from '../store.ts'
import { createAfterwards } from './afterwards.ts'
import type { Settled } from './asking.ts'
import { canTell, giveBack, isDoubtful, isLost, promptsAfter } from './doubt.ts'
import { promptOf } from './prompt.ts'
import { createReceiving, isOnlyStop, type Text } from './receiving.ts'
import { tellResumed } from './resumed.ts'
import { createSteering, type Turn } from './steering.ts'
import { createTelling, type Telling } from './telling.ts'
import { newTurn, type UiState } from './ui-state.ts'

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 60_000
/** The number of agents in a row that may be lost with the same prompt before it was heard of. */
const MOST_LOSSES = 4
/** The time that a turn has to be told to its end when the orchestrator ends. */
const CLOSING_MS = 3000
const INTERRUPTED =
  'The runner ended in the middle of this turn, and its agent with it. What was said is kept: say what it should do now'

interface TurnsParts {
  conversation: string
  store: Store
  hub: ConversationHub
  /** Whether we may act here; false when somebody else does. */
  acquireLease(): Promise<boolean>
  takeSession(signal: AbortSignal): Promise<DrivenSession>
  releaseSession(): void
  /** Whether what is said during a turn goes into it. */
  steers(): boolean
  /** Something that people see has changed. */
  changed(): void
  /** One sentence about what keeps the agent from starting, until it is empty. */
  trouble(sentence: string): void
  report(error: unknown): void
}

/** The turns of one conversation: one at a time, each about everything that was said before it. */
export function createTurns(parts: TurnsParts) {
  const { conversation, store, hub, acquireLease, takeSession, releaseSession, steers, changed, trouble, report } =
    parts
  const receive = createReceiving({ conversation, store, hub })
  let current: Turn | undefined
  const isInTurn = () => current !== undefined && !current.state.ended
  const steering = createSteering({ conversation, store, hub, receive, current: () => current, report })
  const afterwards = createAfterwards({ tell: (one) => tell(one, () => false), told: () => current?.telling.told() })
  /** Aborts what is being prepared or done now when it is stopped. */
  let stopping = new AbortController()
  const sessionUnlessStopped = () => unlessAborted(stopping.signal, takeSession(stopping.signal))
  let stoppedAt = ''
  let closing = false
  let closed = false
  /** The agent that knows what was said before. */
  let reminded: DrivenSession | undefined
  let running: Promise<void> | undefined
  let again = false
  const backOff = createBackOff(FIRST_WAIT_MS, LONGEST_WAIT_MS)
  /** How often in a row an agent was lost before it said anything. */
  let losses = 0
  return {
    wake,
    happens,
    behind: () => (isInTurn() ? current?.telling.behind() : afterwards.behind()),
    stop,
    abort,
    settled,
    close,
    state,
    began: () => current?.state.began_at,
    /** While it does, whatever becomes of the agent is told with the turn. */
    isPrompting: () => current?.session !== undefined,
    /** Its agent is gone. */
    sessionEnded: afterwards.end,
  }

  function state(): 'working' | 'waiting' | 'idle' {
    if (current?.telling.isWaiting() || afterwards.isWaiting()) return 'waiting'
    return running ? 'working' : 'idle'
  }

  /** There may be something to do. */
  function wake() {
    if (closing) return
    if (running) {
      again = true
      if (current?.session && steers()) steering.steer()
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
      if (!(await acquireLease())) return
      stopping = new AbortController()
      try {
        await tellResumed(parts, sessionUnlessStopped)
        await finishLast()
        const problem = await takeTurn()
        if (problem !== undefined) await failed(problem)
        else backOff.reset()
        trouble('')
      } catch (error) {
        if (closing || !(error instanceof ParleyError)) throw error
        // Where somebody else acts now, it is nobody's trouble.
        if (!(await acquireLease())) return
        await failed(error.message)
      }
    }
  }

  function hasWork(): boolean {
    const { toGive, uiState, resumed } = store
    return toGive(conversation).length > 0 || (uiState(conversation) ?? resumed(conversation)) !== undefined
  }

  /**
   * Finishes what this process or the one before did not tell to its end. What the agent may have got is not given
   * again.
   */
  async function finishLast() {
    const state = store.uiState(conversation)
    if (!state) return
    const session = isDoubtful(state) ? await sessionThatTells() : undefined
    if (session?.had === false) return void (await store.patiently(() => giveBack(store, conversation, state, session)))
    const telling = tell(state)
    const prompts = state.ended ? store.promptsIn(conversation) : session?.prompts
    if (!state.ended) telling.end({ outcome: 'failed', problem: state.lost ? undefined : INTERRUPTED }, undefined)
    await ended(state, telling, prompts)
  }

  async function sessionThatTells(): Promise<DrivenSession | undefined> {
    if (!canTell(store, conversation)) return undefined
    const session = await sessionUnlessStopped()
    releaseSession()
    return session
  }

  /** Resolves with what became of the agent, where the turn is to be taken again. */
  async function takeTurn(): Promise<string | undefined> {
    const session = store.toGive(conversation).every(isOnlyStop) ? undefined : await sessionUnlessStopped()
    try {
      const texts = await receive()
      if (texts.length === 0) return undefined
      if (!session || stopping.signal.aborted) return await endStopped(texts)
      return await give(texts, session)
    } finally {
      releaseSession()
    }
  }

  async function give(texts: Text[], session: DrivenSession): Promise<string | undefined> {
    const remind = !session.remembers && reminded !== session
    const prompt = await promptOf({ texts, remind, conversation, hub })
    if (stopping.signal.aborted) return endStopped(texts)
    reminded = session
    const ids = texts.map(({ id }) => id)
    const state = newTurn(randomUUID(), ids)
    const over = new AbortController()
    const signal = AbortSignal.any([stopping.signal, over.signal])
    const giving = async () => {
      // An agent that is lost is given nothing any more: the next one is.
      if (!turn.isGiven && !over.signal.aborted) await store.patiently(mark, signal)
      return turn.isGiven && !over.signal.aborted
    }
    const mark = () => {
      store.give(conversation, ids, state)
      turn.isGiven = true
    }
    const lost = session.lost.then((problem): TurnEnd => ({ outcome: 'failed', problem }))
    // A turn is saved only once it is given: its record says that it was.
    const telling = tell(state, () => turn.isGiven)
    const turn: Turn = { state, telling, session, isGiven: false }
    afterwards.end()
    current = turn
    changed()
    const end = await Promise.race([session.prompt({ ...prompt, giving }), lost])
    over.abort()
    turn.session = undefined
    await steering.done()
    // A turn that the next process goes on with is not over.
    if (closing && !turn.isGiven) return leave(turn, end)
    const isGone = await isLost(session)
    losses = isGone && turn.isGiven && !state.heard ? losses + 1 : 0
    if (isGone && mayBeTaken(turn) && !stopping.signal.aborted) return leave(turn, end)
    const prompts = promptsAfter(store.promptsIn(conversation), end, state, isGone)
    telling.end(
      stopping.signal.aborted ? { ...end, outcome: 'cancelled', problem: undefined } : end,
      Date.now() - state.began_at,
    )
    store.saveSession(conversation, session.id)
    await ended(state, telling, prompts)
  }

  /** It is known that the agent never had it, or will be. */
  function mayBeTaken({ isGiven, state }: Turn): boolean {
    return !isGiven || (!state.heard && losses < MOST_LOSSES && canTell(store, conversation))
  }

  function leave({ isGiven, state }: Turn, { problem = '' }: TurnEnd): string {
    if (isGiven) store.saveUi(conversation, { ...state, lost: true })
    current = undefined
    return problem
  }

  /** The person stopped it before it began; what was said after that, or with it, is for the next turn. */
  async function endStopped(texts: Text[]): Promise<undefined> {
    const ids = texts.map(({ id }) => id).filter((id) => id < stoppedAt)
    if (ids.length === 0) return undefined
    const state = newTurn(randomUUID(), ids)
    const telling = tell(state)
    telling.end({ outcome: 'cancelled' }, 0)
    await ended(state, telling, store.promptsIn(conversation))
  }

  /** Nothing is left to do but to tell it. */
  async function ended(state: UiState, telling: Telling, prompts: number | undefined) {
    await store.patiently(() =>
      store.together(() => {
        for (const id of state.texts) store.setText(id, 'done')
        store.savePrompts(conversation, prompts)
        store.saveUi(conversation, state)
      }),
    )
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
      aborted: () => current?.state === state && stop(),
      report,
      answered: (message) => store.answered(conversation, message),
      save: () => {
        if (!closed && isGiven()) store.saveUi(conversation, state)
      },
    })
  }

  /** It did not begin: people are told why, once, and it is tried again, more and more rarely. */
  async function failed(sentence: string) {
    trouble(sentence)
    await pauseUntil(backOff.next(), stopping.signal)
    if (!stopping.signal.aborted || closing) return
    await endStopped(await receive())
  }

  function happens(happening: Happening) {
    if (isInTurn()) current?.telling.happens(happening)
    else if (happening.type !== 'yield') afterwards.happens(happening)
  }

  /** Stops the turn; the id is that of the message that asked for it. */
  function stop(id = '') {
    stoppedAt = id
    stopping.abort()
    void current?.session?.interrupt().catch(report)
  }

  /** Stops the turn for a rule that decided so with this id; a turn about what was said later goes on. */
  function abort(id: string) {
    if (current?.state.texts.some((text) => text < id)) stop()
  }

  function settled(event: Settled) {
    current?.telling.settled(event)
    afterwards.settled(event)
  }

  /** What runs is told to its end, as far as there is time; the rest is kept. */
  async function close() {
    closing = true
    stop()
    afterwards.end()
    await Promise.race([running, pause(CLOSING_MS, undefined, { ref: false })])
    closed = true
  }
}
