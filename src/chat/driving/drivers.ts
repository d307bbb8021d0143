import { createEmitter } from '../../io/emitter.ts'
import { conversationIn } from '../../protocol/frames/inbox.ts'
import type { Principal } from '../../protocol/principal.ts'

export type Drivers = ReturnType<typeof createDrivers>

interface Listening {
  isOrchestrator: boolean
  /** It waits to be given conversations, and answers in no other. */
  isRunner: boolean
  /** `undefined` is every conversation. */
  covered: (string | undefined)[]
}

/** The programs that listen to the inbox for their agents, and the conversations they drive. */
export function createDrivers() {
  const listening = new Map<object, Listening>()
  const changed = createEmitter()
  return { client, drive, answers, elsewhere, onChange: changed.on }

  /** One session, line or stream; it drives what it listens to, until it listens to nothing. */
  function client({ role, conversation, home }: Principal) {
    const id = {}
    const only = conversation ?? (home?.isNamed ? home.conversation : undefined)
    return { listensTo }

    function listensTo(uris: Iterable<string>, isRunner = false) {
      const isProgram = role === 'orchestrator' || role === 'agent'
      // People who listen answer nobody; an administrator may be a person, unless it was told one conversation.
      if (role === 'human' || (!isProgram && only === undefined)) return
      const named = [...uris].map(conversationIn).filter((conversation) => conversation !== null)
      if (named.length === 0 && !listening.has(id)) return
      const heard = named.map((conversation) => conversation ?? only)
      const covered = isProgram ? heard : heard.filter((conversation) => conversation === only)
      if (covered.length === 0) listening.delete(id)
      else listening.set(id, { isOrchestrator: role === 'orchestrator', isRunner, covered })
      changed.emit()
    }
  }

  /** Whether somebody drives the agent of this conversation; without one, that of any. */
  function drive(conversation: string | undefined): boolean {
    return [...listening.values()].some(
      ({ isOrchestrator, covered }) => isOrchestrator && (conversation === undefined || covers(covered, conversation)),
    )
  }

  /** Whether a program answers there that nobody has to give the conversation to. */
  function answers(conversation: string): boolean {
    return others().some(({ covered }) => covers(covered, conversation))
  }

  /** The conversations in which such programs answer: these, or all. */
  function elsewhere(): string[] | true {
    const all = others().flatMap(({ covered }) => covered)
    return all.includes(undefined) || [...new Set(all.filter((one) => one !== undefined))]
  }

  function others(): Listening[] {
    return [...listening.values()].filter(({ isRunner }) => !isRunner)
  }
}

function covers(covered: (string | undefined)[], conversation: string): boolean {
  return covered.some((one) => one === undefined || one === conversation)
}
