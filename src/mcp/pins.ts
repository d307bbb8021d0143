import type { Chat } from '../chat/chat.ts'
import type { Pins } from './resources.ts'

const MEMO = 'pins'

/** Pinned subscriptions by the name of their principal: stored, so that they outlive sessions and restarts. */
export function openPins({ chat }: { chat: Chat }): Pins {
  let stored: Promise<Record<string, string[]>> | undefined
  return {
    async of(name) {
      return (await load())[name] ?? []
    },
    async add(name, uri) {
      const pins = await load()
      pins[name] = [...new Set([...(pins[name] ?? []), uri])]
      await chat.memo.put(MEMO, pins)
    },
    async remove(name, uri) {
      const pins = await load()
      pins[name] = (pins[name] ?? []).filter((pinned) => pinned !== uri)
      await chat.memo.put(MEMO, pins)
    },
  }

  function load() {
    stored ??= chat.memo.get(MEMO).then((pins) => (pins ?? {}) as Record<string, string[]>)
    return stored
  }
}
