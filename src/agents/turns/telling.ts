import { createQueue } from '../../io/queue.ts'
import { ifRefused } from '../../protocol/refusal.ts'
import type { Happening, TurnEnd } from '../driver.ts'
import { type AskingParts, createAsking } from './asking.ts'
import { beginningOf, firstSteps } from './beginnings.ts'
import { createOutbox } from './outbox.ts'
import { createSteps } from './steps.ts'
import type { Post } from './ui-state.ts'

/** What grows is shown this often at the most, and kept this often. */
const SHOW_MS = 30
const SAVE_MS = 250
/** Length in UTF-16 units, which take at most 3 bytes each: a message must stay below its limit of 1 MiB. */
const LONGEST_TEXT = 200_000
/** Outputs that grow at once; more wait. The hub shows at most 32 texts of a conversation, what the agent says among them. */
const MOST_OUTPUTS = 24

export type Telling = ReturnType<typeof createTelling>

/** Tells people what happens in one turn, in order. What must not be lost is in the state until the hub has it. */
export function createTelling({ hub, state, answered, save, changed, aborted, report }: Omit<AskingParts, 'next'>) {
  const asking = createAsking({ hub, state, answered, save, changed, aborted, next, report })
  const steps = createSteps({ state, post, grow, finished })
  /** What grows, how much of it was shown, and whether there is more. */
  const shown = new Map<
    string,
    { kind: 'message' | 'thinking' | 'output'; text: string; from: number; dirty: boolean; isShown: boolean }
  >()
  let gone: string[] = []
  let showing: NodeJS.Timeout | undefined
  let saving: NodeJS.Timeout | undefined
  const work = createQueue()
  const outbox = createOutbox({ hub, state, next, report })
  // A turn that another process has ended may still have an open question.
  if (state.ended) asking.end()
  return {
    ...{ happens, rest: endText, leave, end, settled: asking.settled, isAsked: asking.isAsked },
    isWaiting: () => state.asks.length > 0,
    told: work.idle,
    behind: outbox.behind,
  }

  function happens(happening: Happening) {
    if (!state.heard) {
      state.heard = true
      save()
    }
    switch (happening.type) {
      case 'text':
        return say('message', happening)
      case 'thought':
        return say('thinking', happening)
      case 'tool':
        endText()
        return steps.step(happening.step)
      case 'post':
        endText()
        steps.tellAll()
        return post('chat_assistant_post', { mime: happening.mime, content: happening.content }, newName())
      case 'plan':
        endText()
        return post('chat_assistant_event', { type: 'plan', steps: firstSteps(happening.steps) }, newName())
      case 'ask':
        endText()
        steps.tellAll()
        return asking.ask(happening.ask, steps.callOf(happening.ask.step))
      default:
        // The rest is of the session, not of a turn.
        return
    }
  }

  function say(kind: 'message' | 'thinking', { text, message }: { text: string; message?: string }) {
    if (text === '') return
    steps.tellAll()
    for (let rest = text; rest !== ''; ) {
      const { growing } = state
      const room = LONGEST_TEXT - (growing?.text.length ?? 0)
      const goesOn = growing?.kind === kind && growing.message === message && room > 1
      if (!goesOn) endText()
      state.growing ??= { id: newName(), kind, message, text: '' }
      const part = wholeOf(rest, goesOn ? room : LONGEST_TEXT)
      state.growing.text += part
      rest = rest.slice(part.length)
      grow(state.growing.id, kind, state.growing.text)
    }
  }

  /** What grew is a whole message now, in the place of what was shown of it. */
  function endText() {
    const { growing } = state
    if (!growing) return
    state.growing = undefined
    const { id, kind, text } = growing
    const wasShown = finished(id)
    if (text.trim() === '') {
      if (wasShown) gone.push(id)
      return
    }
    if (kind === 'message') post('chat_assistant_post', { mime: 'text/markdown', content: text }, id)
    else post('chat_assistant_event', { type: 'thinking', reasoning: text }, id)
  }

  /** Nothing of the turn stays open, however it ended. */
  function end({ outcome, problem, tokens, cost }: TurnEnd, duration_ms: number | undefined) {
    leave(outcome === 'ended' ? undefined : (problem ?? (outcome === 'cancelled' ? 'Stopped' : 'Not finished')))
    if (problem !== undefined)
      post('chat_assistant_event', { type: 'error', error: beginningOf(problem) }, `${state.turn}:problem`)
    post('yield_turn', { outcome, duration_ms, tokens, cost }, `${state.turn}:end`)
    state.ended = true
    clearTimeout(showing)
    clearTimeout(saving)
  }

  /** Ends open calls with the reason why they were not finished. */
  function leave(reason?: string) {
    endText()
    steps.end(reason)
    asking.end()
  }

  function newName(): string {
    state.names++
    return `${state.turn}:${state.names}`
  }

  function post(tool: Post['tool'], input: Record<string, unknown>, key: string) {
    outbox.add({ tool, input: { ...input, key } })
    saveSoon()
  }

  /** `text` is all of it. */
  function grow(id: string, kind: 'message' | 'thinking' | 'output', text: string) {
    const before = shown.get(id)
    const onlyGrows = kind !== 'output'
    const from = before && (onlyGrows || text.startsWith(before.text.slice(0, before.from))) ? before.from : 0
    shown.set(id, { kind, text, from, dirty: true, isShown: before?.isShown ?? false })
    saveSoon()
    showSoon()
  }

  function showSoon() {
    showing ??= setTimeout(() => {
      showing = undefined
      next(show)
    }, SHOW_MS)
  }

  /** Its entry takes its place; answers whether there was anything of it to be shown. */
  function finished(id: string): boolean {
    const was = shown.delete(id)
    if ([...shown.values()].some(({ dirty }) => dirty)) showSoon()
    return was
  }

  async function show() {
    const isOutput = ({ kind }: { kind: string }) => kind === 'output'
    let room = MOST_OUTPUTS - [...shown.values()].filter((one) => one.isShown && isOutput(one)).length
    const news = [...shown].filter(([, one]) => one.dirty && (one.isShown || !isOutput(one) || room-- > 0))
    const partials = news.map(([id, { kind, text, from }]) => ({ id, kind, from, text: text.slice(from) }))
    const nothing = gone
    gone = []
    for (const [, growing] of news) Object.assign(growing, { from: growing.text.length, dirty: false, isShown: true })
    if (partials.length + nothing.length === 0) return
    const input = { partials, ...(nothing.length > 0 && { gone: nothing }) }
    await hub.call('show_partial', input).catch(ifRefused(showAllNextTime, 'refused_by_hub'))
  }

  /** A hub that is new knows nothing of what was shown to the one before. */
  function showAllNextTime() {
    for (const growing of shown.values()) growing.from = 0
  }

  /** One after the other: no part of a message is shown after the message itself. */
  function next(act: () => Promise<unknown>) {
    work.add(act).catch(report)
  }

  function saveSoon() {
    saving ??= setTimeout(() => {
      saving = undefined
      save()
    }, SAVE_MS)
  }
}

/** Parts no character in two. */
function wholeOf(text: string, length: number): string {
  const isParted = /[\uD800-\uDBFF]/.test(text[length - 1] ?? '') && text.length > length
  return text.slice(0, isParted ? length - 1 : length)
}
