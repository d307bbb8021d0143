/// <reference types="svelte" />
import { expect, onTestFinished } from 'vitest'
import { eventually } from './eventually.ts'
// What takes its time the first time.
import '../../web/src/state/hub/understood.ts'
import { TIMELINE } from '../../src/protocol/frames/timeline.ts'
import type { Conversation } from '../../web/src/state/conversation/conversation.svelte.ts'
import { Hub } from '../../web/src/state/hub/hub.svelte.ts'
import type { DraftStore } from '../../web/src/state/list/drafts.ts'
import { Preferences } from '../../web/src/state/list/preferences.svelte.ts'
import { Seen } from '../../web/src/state/list/seen.svelte.ts'

interface Visit {
  shown?: string
  entry?: string
  /** Where the browser keeps drafts. */
  drafts?: DraftStore
}

/** The page's state on a real hub. */
export async function openPageState(url: string, visit: Visit = {}): Promise<Hub> {
  const page = new Hub({ url: `${url.replace('http', 'ws')}/ws?dialect=${TIMELINE}`, ...visit, wait: () => 10 })
  onTestFinished(() => page.link.close())
  page.link.open()
  await eventually(() => expect(page.link.status).toBe('open'))
  return page
}

/** The conversation, once it is loaded. */
export async function conversationOf(page: Hub, id: string): Promise<Conversation> {
  return eventually(() => {
    const conversation = page.roster.get(id)
    if (!conversation?.timeline.loaded) throw new Error(`${id} is not loaded`)
    return conversation
  })
}

/** The state of somebody who keeps nothing yet. */
export function nothingSeen(): Seen {
  return new Seen(new Preferences())
}

/** A store like a browser's, for drafts. */
export function draftStore(): DraftStore & { stored: Map<string, string> } {
  const stored = new Map<string, string>()
  return {
    stored,
    getItem: (name) => stored.get(name) ?? null,
    setItem: (name, text) => void stored.set(name, text),
    removeItem: (name) => void stored.delete(name),
  }
}
