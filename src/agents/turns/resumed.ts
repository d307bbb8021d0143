import { hash } from 'node:crypto'
import type { RunSettings } from '../../protocol/entries/entry.ts'
import { MOST_EARLIER } from '../../protocol/frames/driving.ts'
import type { DrivenSession, EarlierDeed, SessionWanted } from '../driver.ts'
import type { ConversationHub } from '../hub.ts'
import type { Store } from '../store.ts'

interface ResumedParts {
  conversation: string
  store: Store
  hub: Pick<ConversationHub, 'call' | 'post'>
  releaseSession(): void
}

/** The session that an agent begins with: one that is gone on with, or one that is forked. */
export function sessionFor(
  conversation: string,
  store: Store,
  from: RunSettings['from'],
): Pick<SessionWanted, 'resume' | 'fork' | 'replay'> {
  const resumed = store.resumed(conversation)
  // Two conversations with one session would have each other's words.
  if (resumed !== undefined) return { [store.isTaken(conversation) ? 'fork' : 'resume']: resumed, replay: true }
  const own = store.agentSession(conversation)
  if (own !== undefined) return own === null ? {} : { resume: own }
  const { conversation: other = '', whole_to } = from ?? {}
  const isWhole = whole_to !== undefined && !store.hasLater(other, whole_to)
  const fork = isWhole ? store.agentSession(other) : undefined
  return fork ? { fork } : {}
}

/** A call of the hub takes less than this much. */
const MOST_CHARACTERS = 200_000

/** Tells what was said in the session that the agent goes on with, once, and ends that as a turn: from then on people speak. */
export async function tellResumed(
  { conversation, store, hub, releaseSession }: ResumedParts,
  take: () => Promise<DrivenSession | undefined>,
) {
  const resumed = store.resumed(conversation)
  const session = resumed === undefined ? undefined : await take()
  // The person stopped it; it is tried again with what is said next.
  if (!session) return
  try {
    // The agent may call it anything, and a key is a name.
    const key = `earlier:${hash('sha256', `${resumed}`).slice(0, 16)}`
    for (const [n, entries] of batches(session.earlier ?? []).entries())
      await hub.call('tell_earlier', { key: `${key}:${n}`, entries })
    const problem = session.remembers ? undefined : sentenceOf(store.isTaken(conversation))
    if (problem !== undefined)
      await hub.post({ tool: 'chat_assistant_event', input: { type: 'error', error: problem, key: `${key}:problem` } })
    await hub.post({ tool: 'yield_turn', input: { outcome: problem ? 'failed' : 'ended', key: `${key}:end` } })
    delete session.earlier
    store.saveSession(conversation, session.id)
    await store.patiently(() => store.dropResumed(conversation))
  } finally {
    releaseSession()
  }
}

function sentenceOf(isTaken: boolean): string {
  return isTaken
    ? 'Another conversation goes on with this session, and the agent cannot fork it; this one begins anew'
    : 'The agent could not go on with this session; it begins anew'
}

function batches(all: EarlierDeed[]): EarlierDeed[][] {
  const found: EarlierDeed[][] = []
  let room = 0
  for (const one of all) {
    room -= one.text.length
    const last = found.at(-1)
    if (last && room >= 0 && last.length < MOST_EARLIER) last.push(one)
    else {
      found.push([one])
      room = MOST_CHARACTERS - one.text.length
    }
  }
  return found
}
