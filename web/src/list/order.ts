import type { Mark, MarkChange, Snooze } from '../../../src/protocol/frames/preferences.ts'
import type { Conversation } from '../state/conversation/conversation.svelte.ts'
import type { Hub } from '../state/hub/hub.svelte.ts'
import { moment } from '../text/time.ts'

/** The deed in words, and how it is taken back. */
export interface Undoable {
  text: string
  undo: () => void
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

function put({ preferences }: Hub, { id, state }: Conversation, change: MarkChange, text: string): Undoable {
  const before: Mark = preferences.of(id)
  preferences.change(id, change)
  const { archived = false, snoozed = null } = before
  return { text: `${text}: ${state.title}`, undo: () => preferences.change(id, { archived, snoozed }) }
}
