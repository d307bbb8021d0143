import { conversationIn } from '../protocol/inbox.ts'
import type { Principal } from '../protocol/principal.ts'

export type Drivers = ReturnType<typeof createDrivers>

/** Which orchestrators listen to the inbox, and so drive the agents of which conversations. */
export function createDrivers() {
  const driving = new Map<object, (string | undefined)[]>()
  const listeners = new Set<() => void>()
  return { client, drive, onChange }

  /** One session, line or stream; it drives what it listens to, until it listens to nothing. */
  function client({ role, conversation: only }: Principal) {
    const id = {}
    return { listensTo }

    function listensTo(uris: Iterable<string>) {
      if (role !== 'orchestrator') return
      const covered = [...uris].map(conversationIn).filter((conversation) => conversation !== null)
      if (covered.length === 0 && !driving.has(id)) return
      if (covered.length === 0) driving.delete(id)
      else
        driving.set(
          id,
          covered.map((conversation) => conversation ?? only),
        )
      for (const tell of [...listeners]) tell()
    }
  }

  /** Whether somebody drives the agent of this conversation; without one, that of any. */
  function drive(conversation: string | undefined): boolean {
    const covers = (covered: string | undefined) => covered === undefined || covered === conversation
    return [...driving.values()].some((all) => conversation === undefined || all.some(covers))
  }

  function onChange(listener: () => void) {
    listeners.add(listener)
    return { close: () => listeners.delete(listener) }
  }
}
