import type { Principal } from '../protocol/principal.ts'
import { type ActsParts, createActs } from './acts.ts'
import { openDrivingEvents } from './driving/driving-events.ts'
import { openInbox } from './inbox/inbox.ts'
import { createWatermarks } from './inbox/watermarks.ts'
import { createPreferencesStore } from './people/preferences-store.ts'
import { viewFor } from './view.ts'

export type Chat = ReturnType<typeof createChat>

/** The domain: people and agents talk, and every question gets exactly one outcome. Doors get views of it. */
export function createChat(parts: ActsParts) {
  const acts = createActs(parts)
  const inbox = openInbox({ acts, report: parts.report })
  const events = openDrivingEvents({ acts, report: parts.report })
  const watermarks = createWatermarks({ memo: acts.memo })
  const preferencesStore = createPreferencesStore({ acts, report: parts.report })
  return {
    /** Once everything that was in the log is known. */
    ready: acts.ready,
    /** The chat, able to do only what this principal may. */
    as: (principal: Principal) => viewFor({ acts, inbox, watermarks, preferencesStore, events, principal }),
    /** Calls of mounted tools, for the one that decides about them. */
    mountedCalls: acts.mountedCalls,
    /** Standing permissions and open cards, for the one that changes the rules. */
    standing: { grants: acts.grants, revoke: acts.revoke, reconsider: acts.reconsider },
    /** Which programs listen for their agents; doors tell it. */
    drivers: acts.drivers,
    withdrawAbandoned: acts.withdrawAbandoned,
    openQuestions: acts.openQuestions,
    /** The conversations that have an agent. */
    agents: acts.agents,
    /** Those that an agent has a session in, be it there or expected back. */
    withAgents: acts.withAgents,
    roomsInMemory: acts.roomsInMemory,
    /** Once nothing of what was forgotten is left. */
    erased: acts.erased,
    stopWaiting: acts.stopWaiting,
    async close() {
      inbox.close()
      events.close()
      await acts.close()
    },
  }
}
