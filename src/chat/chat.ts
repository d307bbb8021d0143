import type { Principal } from '../protocol/principal.ts'
import { type ChatServiceParts, createChatService } from './chat-service.ts'
import { openDrivingEvents } from './driving/driving-events.ts'
import { openInbox } from './inbox/inbox.ts'
import { createWatermarks } from './inbox/watermarks.ts'
import { createPreferencesStore } from './people/preferences-store.ts'
import { type View, viewFor } from './view.ts'

export type Chat = ReturnType<typeof createChat>

/** The domain: people and agents talk, and every question gets exactly one outcome. Doors get views of it. */
export function createChat(parts: ChatServiceParts) {
  const service = createChatService(parts)
  const inbox = openInbox({ service, report: parts.report })
  const events = openDrivingEvents({ service, report: parts.report })
  const { notes, report } = parts
  const watermarks = createWatermarks({ notes })
  const preferencesStore = createPreferencesStore({ notes, last: service.last, report })
  const views = new WeakMap<Principal, View>()
  return {
    /** Resolves once everything that was in the log is known. */
    ready: service.ready,
    as,
    /** Calls of mounted tools, for the one that decides about them. */
    mountedCalls: service.mountedCalls,
    /** Standing permissions and open cards, for the one that changes the rules. */
    standing: { grants: service.grants, revoke: service.revoke, reconsider: service.reconsider },
    /** The programs that listen for their agents; doors report them. */
    drivers: service.drivers,
    /** What the hub needs to start runners by itself: the offers of all, and what each has to do. */
    runners: service.driving.runners,
    owedBy: service.owedBy,
    driven: service.driving.all,
    /** Takes who looks at the folders of the runners that the hub starts while they have no process. */
    lookedAtBy: service.lookedAtBy,
    /** What such a runner can do, as a whole, and who keeps that while it has no process. */
    choices: { all: service.allChoices, keptBy: service.choicesKeptBy },
    withdrawAbandoned: service.withdrawAbandoned,
    openQuestions: service.openQuestions,
    /** The conversations that have an agent. */
    agents: service.agents,
    /** Those that an agent has a session in, be it there or expected back. */
    withAgents: service.withAgents,
    roomsInMemory: service.roomsInMemory,
    /** Resolves once nothing of what was forgotten is left. */
    erased: service.erased,
    stopWaiting: service.stopWaiting,
    async close() {
      inbox.close()
      events.close()
      preferencesStore.close()
      await service.close()
    },
  }

  /** The chat, able to do only what this principal may. All who are the same principal share it. */
  function as(principal: Principal): View {
    const known = views.get(principal)
    if (known) return known
    const view = viewFor({ service, notes, inbox, watermarks, preferencesStore, events, principal })
    views.set(principal, view)
    return view
  }
}
