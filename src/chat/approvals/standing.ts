import { idBefore } from '../../log/journal.ts'
import type { Views } from '../../log/views.ts'
import type { Body } from '../../protocol/entries/entry.ts'
import type { ConversationState, Grant } from '../../protocol/entries/fold.ts'
import { bodies } from '../conversation/decision.ts'
import type { Projection } from '../conversation/projection.ts'
import type { Rooms } from '../conversation/rooms.ts'
import type { Settling } from '../questions/settling.ts'
import type { Policing } from './policing.ts'

interface StandingParts {
  rooms: Pick<Rooms, 'append' | 'state'>
  views: Pick<Views, 'conversations' | 'read'>
  policing: Pick<Policing, 'decidedNow'>
  settling: Pick<Settling, 'wanted'>
  projection: Pick<Projection, 'ready' | 'conversations' | 'granted'>
  report(error: unknown): void
}

interface GrantedIn extends Grant {
  conversation: string
  title: string
  at: number
}

const PAGE = 100

/** The standing permissions, in whichever conversation, and what becomes of open cards once the rules change. */
export function createStanding({ rooms, views, policing, settling, projection, report }: StandingParts) {
  return { grants, reconsider }

  /** The newest first. */
  async function grants(): Promise<GrantedIn[]> {
    await projection.ready
    const known = projection.granted() ?? projection.granted(await lookEverywhere()) ?? []
    const states = await Promise.all(known.map((conversation) => rooms.state(conversation)))
    const granted = states.flatMap(({ id, title, always = [] }) =>
      always.map(async (grant) => ({ ...grant, conversation: id, title, at: await timeOf(grant.since) })),
    )
    const found = await Promise.all(granted)
    return found.sort((one, other) => (one.since < other.since ? 1 : -1))
  }

  async function timeOf(id: string): Promise<number> {
    const [entry] = await views.read({ after: idBefore(id), limit: 1 })
    return entry?.at ?? 0
  }

  /** An older Parley did not keep where. */
  async function lookEverywhere(): Promise<string[]> {
    const found: string[] = []
    for (let before: string | undefined; ; ) {
      const page = await views.conversations({ before, limit: PAGE })
      found.push(...page.map(({ conversation }) => conversation))
      before = page.at(-1)?.last
      if (page.length < PAGE) return found
    }
  }

  /** Cards that a rule decides about by now need nobody. */
  async function reconsider(): Promise<void> {
    await projection.ready
    const settled = (state: ConversationState): Body[] =>
      state.open.flatMap((asked) => policing.decidedNow(state, asked) ?? [])
    const settle = (conversation: string) =>
      rooms.append(conversation, (state) => bodies(...settling.wanted(settled(state))))
    // The rules are what they are, whatever becomes of these.
    await Promise.all(projection.conversations().map((conversation) => settle(conversation).catch(report)))
  }
}
