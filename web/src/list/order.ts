import type { Mark, MarkChange, Snooze } from '../../../src/protocol/frames/preferences.ts'
import type { Talk } from '../state/conversation/talk.svelte.ts'
import type { Hub } from '../state/hub/hub.svelte.ts'
import { moment } from '../text/time.ts'

/** What was done, in words, and how it is taken back. */
export interface Undoable {
  text: string
  undo: () => void
}

export function pin({ preferences }: Hub, { id }: Talk) {
  preferences.change(id, { pinned: !preferences.of(id).pinned })
}

export function mute({ preferences }: Hub, { id }: Talk) {
  preferences.change(id, { muted: !preferences.of(id).muted })
}

export function archive(hub: Hub, talk: Talk): Undoable {
  const archived = !hub.preferences.of(talk.id).archived
  return put(hub, talk, { archived }, archived ? 'Archived' : 'Back in the list')
}

export function snooze(hub: Hub, talk: Talk, until: number | 'question'): Undoable {
  const snoozed: Snooze =
    until === 'question' ? { until, after: talk.state.last } : { until: new Date(until).toISOString() }
  const end = until === 'question' ? 'it asks' : moment(until, Date.now())
  return put(hub, talk, { snoozed }, `Snoozed until ${end}`)
}

export function wake(hub: Hub, talk: Talk): Undoable {
  return put(hub, talk, { snoozed: null }, 'Back in the list')
}

function put({ preferences }: Hub, { id, state }: Talk, change: MarkChange, text: string): Undoable {
  const before: Mark = preferences.of(id)
  preferences.change(id, change)
  const { archived = false, snoozed = null } = before
  return { text: `${text}: ${state.title}`, undo: () => preferences.change(id, { archived, snoozed }) }
}
