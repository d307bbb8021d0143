import type { Mark, MarkChange, Snooze } from '../../../src/protocol/frames/preferences.ts'
import type { Conversation } from '../state/conversation/conversation.svelte.ts'
import type { Hub } from '../state/hub/hub.svelte.ts'
import { moment } from '../text/time.ts'

/** The deed in words, and how it is taken back. */
export interface Undoable {
  text: string
  undo: () => void
  /** How long it can be undone; as long as a hand is on the note, where that is not said. */
  ms?: number
}

export function pin({ preferences }: Hub, { id }: Conversation) {
  preferences.change(id, { pinned: !preferences.of(id).pinned })
}

export function mute({ preferences }: Hub, { id }: Conversation) {
  preferences.change(id, { muted: !preferences.of(id).muted })
}

export function archive(hub: Hub, conversation: Conversation): Undoable {
  const archived = !hub.preferences.of(conversation.id).archived
  return put(hub, conversation, { archived }, archived ? 'Archived' : 'Back in the list')
}

export function snooze(hub: Hub, conversation: Conversation, until: number | 'question'): Undoable {
  const snoozed: Snooze =
    until === 'question' ? { until, after: conversation.state.last } : { until: new Date(until).toISOString() }
  const end = until === 'question' ? 'it asks' : moment(until, Date.now())
  return put(hub, conversation, { snoozed }, `Snoozed until ${end}`)
}

export function wake(hub: Hub, conversation: Conversation): Undoable {
  return put(hub, conversation, { snoozed: null }, 'Back in the list')
}

const KEPT_MS = 10_000

/** Nothing is sent before its time is over: a page that is left until then, and a hub that ends, have deleted nothing. */
export function remove(hub: Hub, conversation: Conversation): Undoable {
  const { roster } = hub
  const { id } = conversation
  const next = hub.shownId === id ? (roster.neighbourOf(id, 1) ?? roster.neighbourOf(id, -1)) : undefined
  roster.leaving = [...roster.leaving, id]
  if (next !== undefined) hub.go(next)
  const timer = setTimeout(() => {
    hub.person.forget(conversation)
    comeBack()
  }, KEPT_MS)
  return { text: `Deleting for everyone: ${conversation.state.title}`, undo, ms: KEPT_MS }

  function undo() {
    clearTimeout(timer)
    comeBack()
    if (next !== undefined) hub.go(id)
  }

  function comeBack() {
    roster.leaving = roster.leaving.filter((other) => other !== id)
  }
}

function put({ preferences }: Hub, { id, state }: Conversation, change: MarkChange, text: string): Undoable {
  const before: Mark = preferences.of(id)
  preferences.change(id, change)
  const { archived = false, snoozed = null } = before
  return { text: `${text}: ${state.title}`, undo: () => preferences.change(id, { archived, snoozed }) }
}
