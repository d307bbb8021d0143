import { setTimeout as pause } from 'node:timers/promises'
import { RequestError } from '@agentclientprotocol/sdk'
import type { Prompt, TurnEnd } from '../driver.ts'
import type { Asks } from './asks.ts'
import type { AgentLink } from './connection.ts'
import type { KnownAgent } from './known-agents.ts'
import { type Loose, text } from './loose.ts'
import type { Notices } from './notices.ts'
import type { Patience } from './patience.ts'
import type { Tools } from './tools.ts'
import type { Updates } from './updates.ts'
import type { Usage } from './usage.ts'

interface TurnParts {
  name: string
  session: string
  known: KnownAgent
  patience: Patience
  link: AgentLink
  takesImages: boolean
  canSteer: boolean
  asks: Asks
  tools: Tools
  updates: Updates
  usage: Usage
  notices: Notices
  /** Gives what ends everything that the agent has started since. */
  watchStarted(): () => void
  /** Nothing is given to it any more: it is gone, or is being ended. */
  isGone(): boolean
  /** Resolves with one sentence once it is gone. */
  gone: Promise<string>
  /** It does not stop although it was told to. */
  stuck(): void
}

interface Turn {
  isSent: boolean
  isCancelled: boolean
  /** Whether the turn is over for people. */
  isOver: boolean
  /** Ends it for people, whatever the agent does. */
  giveUp(): void
  givenUp: Promise<undefined>
  over: PromiseWithResolvers<void>
}

/** Turns of one session, one after the other. */
export function createTurns(parts: TurnParts) {
  const { name, session, known, patience, link, asks, tools, updates, usage, notices } = parts
  let turn: Turn | undefined
  let before: Promise<unknown> = Promise.resolve()
  /** The agent has answered the last prompt that it got, or is gone. */
  let answered: Promise<void> = Promise.resolve()
  let restUntil = 0
  /** Words of a person for which the protocol had no place, or no time. */
  let unsaid: string[] = []
  /**
   * Set after a turn was cancelled, until the next prompt: whatever still comes belongs to that turn and is of no
   * interest.
   */
  let isMuted = false
  return { prompt, steer, cancel, tell, isMuted: () => isMuted, isStopped: () => turn?.isCancelled === true }

  function prompt(words: Prompt): Promise<TurnEnd> {
    const { promise: givenUp, resolve } = Promise.withResolvers<undefined>()
    const over = Promise.withResolvers<void>()
    const giveUp = () => resolve(undefined)
    const mine: Turn = { isSent: false, isCancelled: false, isOver: false, giveUp, givenUp, over }
    if (!turn || turn.isOver) turn = mine
    const end = before.then(() => run(words, mine))
    before = end
    void end.then(() => over.resolve())
    return end
  }

  async function run(words: Prompt, mine: Turn): Promise<TurnEnd> {
    turn = mine
    await Promise.race([rested(), mine.givenUp, parts.gone])
    if (parts.isGone() && !mine.isCancelled) {
      mine.isOver = true
      return { outcome: 'failed', problem: await parts.gone, unsent: true }
    }
    const isGiven = !mine.isCancelled && (await words.giving?.()) !== false
    if (!isGiven || mine.isCancelled) {
      // The agent is told with the next prompt.
      unsaid.push(words.text)
      mine.isOver = true
      return { outcome: 'cancelled', unsent: true }
    }
    notices.clear()
    updates.counted()
    tools.letGo()
    usage.begin()
    const endStarted = known.keeps_running ? parts.watchStarted() : undefined
    const said = [...unsaid, words.text].join('\n\n')
    unsaid = []
    const request = link.request('session/prompt', { sessionId: session, prompt: blocksOf({ ...words, text: said }) })
    mine.isSent = true
    isMuted = false
    answered = request.then(settle, settle)
    notices.watch(
      () => asks.isWaiting(),
      () => tools.running(),
    )
    const end = await Promise.race([request.then((result) => endOf(result, mine), failure), mine.givenUp])
    notices.unwatch()
    asks.cancelAll()
    const told: TurnEnd = mine.isCancelled || !end ? asCancelled(end) : end
    tools.close(told.outcome === 'ended')
    mine.isOver = true
    isMuted = mine.isCancelled
    return told

    function settle() {
      if (mine.isCancelled) endStarted?.()
      if (mine.isCancelled || known.needs_pause) restUntil = Date.now() + patience.restMs
      if (turn === mine && !mine.isCancelled) turn = undefined
    }
  }

  /** One that was given up may not be over for the agent. */
  async function rested() {
    await answered
    const left = restUntil - Date.now()
    if (left > 0) await pause(left)
  }

  function endOf(result: Loose, mine: Turn): TurnEnd {
    const spent = usage.end(result)
    switch (result.stopReason) {
      case 'cancelled':
        return { outcome: 'cancelled', ...spent }
      case 'refusal':
        return { outcome: 'refused', ...spent }
      case 'max_tokens':
        return { outcome: 'failed', problem: `${name} reached its limit of tokens before it was done`, ...spent }
      case 'max_turn_requests':
        return { outcome: 'failed', problem: `${name} reached its limit of steps before it was done`, ...spent }
      default:
        if (updates.counted().told === 0 && !mine.isCancelled) notices.say(`${name} ended its turn without an answer`)
        return { outcome: 'ended', ...spent }
    }
  }

  async function failure(error: unknown): Promise<TurnEnd> {
    const { message } = await link.sentenceOf(error, known.login)
    return { outcome: 'failed', problem: message }
  }

  /** The turn is over for people within a second; an agent that does not answer at all is ended. */
  async function cancel(): Promise<void> {
    const mine = turn
    if (!mine || mine.isCancelled) return
    mine.isCancelled = true
    if (mine.isSent) {
      const timers = [setTimeout(mine.giveUp, patience.cancelMs), setTimeout(parts.stuck, patience.stuckMs)]
      void answered.then(() => timers.forEach(clearTimeout))
      void link.notify('session/cancel', { sessionId: session })
      asks.cancelAll()
    } else mine.giveUp()
    await mine.over.promise
  }

  async function steer(words: Prompt): Promise<boolean> {
    if (!turn?.isSent || turn.isCancelled) return false
    const _meta = { steering: { idleBehavior: 'promptRequired' } }
    const asked = link.request('_session/steering', { sessionId: session, prompt: blocksOf(words), _meta })
    const { outcome } = await asked.catch(refusedOrGone)
    return outcome === 'injected'
  }

  /** Whether an agent that is gone has taken the words in nobody knows: they are of the turn that fails with it. */
  function refusedOrGone(error: unknown) {
    return { outcome: error instanceof RequestError ? 'refused' : 'injected' }
  }

  async function tell(words: string) {
    if (!(parts.canSteer && (await steer({ text: words })))) unsaid.push(words)
  }

  function blocksOf({ text: words, images = [] }: Prompt): Loose[] {
    const lost = parts.takesImages ? [] : images
    const notes = lost.map((image) => `(The image ${text(image.name) ?? ''} is not here: this agent takes none.)`)
    const shown = parts.takesImages ? images : []
    return [
      { type: 'text', text: [words, ...notes].join('\n\n') },
      ...shown.map(({ mime, base64 }) => ({ type: 'image', mimeType: mime, data: base64 })),
    ]
  }
}

/** The end of a cancelled turn, whatever the agent calls it. */
function asCancelled(end: TurnEnd | undefined): TurnEnd {
  const { tokens, cost } = end ?? {}
  return { outcome: 'cancelled', ...(tokens && { tokens }), ...(cost && { cost }) }
}

export type Turns = ReturnType<typeof createTurns>
