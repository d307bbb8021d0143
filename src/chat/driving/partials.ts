import type { Clock } from '../../io/clock.ts'
import type { Entry } from '../../protocol/entries/entry.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { Partial } from '../../protocol/frames/driving.ts'
import { createGrowingText, type GrowingText } from './growing-text.ts'

/** Texts that grow, and those that became nothing. */
export interface Growth {
  by: string
  partials: Partial[]
  gone?: string[]
}

export interface Grown extends Growth {
  conversation: string
}

interface PartialsParts {
  clock: Clock
  /** Called at most once in every while for each conversation, with everything that was shown meanwhile. */
  grown(grown: Grown): void
}

interface ConversationPartials {
  by: string
  texts: Map<string, GrowingText>
  changed: Set<string>
  gone: Set<string>
  /** The texts whose entries came in this turn: what is shown of them late is nothing new. */
  finished: Set<string>
  alarm?: { cancel(): void }
}

const COALESCED_MS = 40
const MOST_AT_ONCE = 32

/** Texts as they grow, in memory alone: the finished ones are entries. */
export function createPartials({ clock, grown }: PartialsParts) {
  const places = new Map<string, ConversationPartials>()
  return { show, soFar, growing, happened, end, forget, close }

  function show(conversation: string, { by, partials, gone = [] }: Growth) {
    const place = places.get(conversation) ?? emptyPlace()
    const texts = withTexts(place, partials)
    places.set(conversation, place)
    place.by = by
    place.texts = texts
    for (const { id, from, text } of partials) {
      if (texts.get(id)?.put(from, text)) place.changed.add(id)
    }
    for (const id of gone) drop(place, id)
    tellSoon(conversation, place)
  }

  /** All texts that there are then; throws before anything has changed. */
  function withTexts({ texts, finished }: ConversationPartials, partials: Partial[]): Map<string, GrowingText> {
    const all = new Map(texts)
    const lengths = new Map<string, number>()
    for (const { id, kind, from, text } of partials) {
      if (finished.has(id)) continue
      const growing = all.get(id) ?? createGrowingText({ id, kind })
      if (from > (lengths.get(id) ?? 0)) growing.mustReach(from)
      lengths.set(id, from + text.length)
      all.set(id, growing)
    }
    if (all.size > MOST_AT_ONCE) throw new ParleyError('too_many_partials', { most: MOST_AT_ONCE })
    return all
  }

  /** The texts as far as everyone was told: the rest comes to whoever follows. */
  function soFar(conversation: string): Grown | undefined {
    const { by, texts } = places.get(conversation) ?? emptyPlace()
    const partials = [...texts.values()].filter((text) => text.isTold()).map((text) => text.soFar())
    return partials.length > 0 ? { conversation, by, partials } : undefined
  }

  /** The conversations in which one grows. */
  function growing(): string[] {
    return [...places].flatMap(([conversation, { texts }]) => (texts.size > 0 ? [conversation] : []))
  }

  /** A finished text takes the place of the growing one; with the turn all of them end. */
  function happened({ conversation, key, body }: Entry) {
    const place = places.get(conversation)
    if (!place) return
    for (const id of [key, body.kind === 'tool_result' ? body.call_id : undefined]) {
      if (id === undefined || !place.texts.delete(id)) continue
      place.changed.delete(id)
      place.finished.add(id)
    }
    if (body.kind === 'turn') end(conversation)
  }

  /** Nothing of it grows any more. */
  function end(conversation: string) {
    const place = places.get(conversation)
    if (!place) return
    place.finished.clear()
    for (const id of [...place.texts.keys()]) drop(place, id)
    tellSoon(conversation, place)
  }

  function drop({ texts, changed, gone }: ConversationPartials, id: string) {
    const text = texts.get(id)
    texts.delete(id)
    changed.delete(id)
    if (text?.isTold()) gone.add(id)
  }

  function tellSoon(conversation: string, place: ConversationPartials) {
    place.alarm ??= clock.after(COALESCED_MS, () => tell(conversation, place))
  }

  function tell(conversation: string, place: ConversationPartials) {
    const { by, texts, changed, gone, finished } = place
    place.alarm = undefined
    const partials = [...changed].flatMap((id) => texts.get(id)?.next() ?? [])
    const news = { conversation, by, partials, ...(gone.size > 0 && { gone: [...gone] }) }
    changed.clear()
    gone.clear()
    if (texts.size + finished.size === 0) places.delete(conversation)
    if (news.partials.length > 0 || news.gone) grown(news)
  }

  /** Forgets silently: the conversation itself is gone. */
  function forget(conversation: string) {
    places.get(conversation)?.alarm?.cancel()
    places.delete(conversation)
  }

  function close() {
    for (const conversation of [...places.keys()]) forget(conversation)
  }
}

function emptyPlace(): ConversationPartials {
  return { by: '', texts: new Map(), changed: new Set(), gone: new Set(), finished: new Set() }
}
