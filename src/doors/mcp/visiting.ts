import { isRequest } from '../../protocol/entries/agent.ts'
import type { PlaceTaken } from '../../protocol/frames/link.ts'
import type { Principal } from '../../protocol/principal.ts'
import type { Caller } from './surface.ts'
import type { ChatParts } from './tools/chat-tools.ts'

export type Visiting = ReturnType<typeof createVisiting>

type Visitor = Pick<Caller, 'client' | 'principal' | 'folder' | 'visit' | 'run'>

interface VisitingParts {
  /** The start of the connection. */
  began?: number
  /** Called with the conversations of its agents, from their first calls on. */
  came?(place: PlaceTaken): void
}

/**
 * Lets the hub know that the agents of one connection are there until it ends: that somebody speaks in a conversation,
 * from the start; who it is, from their first calls.
 */
export function createVisiting(viewOf: ChatParts['viewOf'], { began = Date.now(), came }: VisitingParts = {}) {
  const here = new Map<string, { leave(): void }>()
  let isOver = false
  return { begins, isHere, leave }

  function begins(principal: Principal) {
    const attending = isOver ? undefined : agentsOf(viewOf)(principal)
    if (attending) here.set('', attending)
  }

  function isHere({ client: agent, principal, folder, visit, run }: Visitor, conversation: string) {
    const name = JSON.stringify([visit, conversation, agent])
    // A request that comes alone is nobody whom something could come back to.
    if (isOver || isRequest(visit) || here.has(name)) return
    here.set(
      name,
      viewOf(principal).visits(conversation, () => ({ agent, folder, visit, began })),
    )
    came?.({ conversation, run })
  }

  function leave() {
    isOver = true
    for (const one of here.values()) one.leave()
    here.clear()
  }
}

/** An agent that was told where it speaks is there until it leaves. */
export function agentsOf(viewOf: ChatParts['viewOf']) {
  return (principal: Principal) => {
    const { role, home } = principal
    if (!home || (role !== 'agent' && role !== 'admin')) return undefined
    return viewOf(principal).attends(home.conversation)
  }
}
