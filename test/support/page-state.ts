/// <reference types="svelte" />
import { expect, onTestFinished, vi } from 'vitest'
import { TIMELINE } from '../../src/protocol/timeline.ts'
import { Hub } from '../../web/src/state/hub.svelte.ts'
import { Seen } from '../../web/src/state/seen.svelte.ts'
import type { Talk } from '../../web/src/state/talk.svelte.ts'

interface Visit {
  shown?: string
  entry?: string
  /** What the browser kept from earlier visits. */
  store?: Map<string, string>
}

/** The page's state on a real hub. */
export async function openPageState(url: string, { store, ...address }: Visit = {}): Promise<Hub> {
  const page = new Hub({
    url: `${url.replace('http', 'ws')}/ws?dialect=${TIMELINE}`,
    seen: seenIn(store),
    ...address,
    wait: () => 10,
  })
  onTestFinished(() => page.link.close())
  page.link.open()
  await vi.waitFor(() => expect(page.link.status).toBe('open'))
  return page
}

/** The conversation, once it is loaded. */
export async function talkOf(page: Hub, id: string): Promise<Talk> {
  return vi.waitFor(() => {
    const talk = page.roster.get(id)
    if (!talk?.timeline.loaded) throw new Error(`${id} is not loaded`)
    return talk
  })
}

export function seenIn(store = new Map<string, string>()): Seen {
  return new Seen({
    getItem: (name) => store.get(name) ?? null,
    setItem: (name, value) => void store.set(name, value),
  })
}
