import { type Entry, EntryId, type Message } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import { revised } from '../protocol/revision.ts'
import { bodies, type Decide } from './decision.ts'
import type { Received } from './received.ts'

interface RevisingParts {
  append(conversation: string, decide: Decide, key?: string): Promise<Entry>
  /** Once everything that was said there before is kept. */
  settled(conversation: string): Promise<unknown>
  entry(id: string): Promise<Entry | undefined>
  find(conversation: string, key: string): Promise<Entry | undefined>
  /** The newest revision of a message, once everything up to an entry is known. */
  revisionOf(message: string): string | undefined
  reached(entry: string): Promise<void>
  received: Pick<Received, 'revising' | 'isReceived'>
}

type Said = Entry & { body: Message }

/** What a person said is taken back or gets other words, as long as no agent has received it. */
export function createRevising({ append, settled, entry, find, revisionOf, reached, received }: RevisingParts) {
  return { revise, amended }

  /** `named`: the id of the message, or the key that it was posted with. */
  function revise(conversation: string, named: string, text: string | undefined, by: string, key?: string) {
    return received.revising(conversation, async () => {
      await settled(conversation)
      const found = await (EntryId.safeParse(named).success ? entry(named) : find(conversation, named))
      const newest = found && (await newestOf(found))
      const decide: Decide = (state) => {
        const { id, body } = mustBeSaid(found, conversation, named)
        mustBeRevisable(body, by, text, isTakenBack(newest))
        if (id <= state.messages.delivered || received.isReceived(conversation, id))
          throw new ParleyError('already_received')
        return bodies({ kind: 'revision', by, message: id, text })
      }
      const revision = await append(conversation, decide, key)
      await reached(revision.id)
      return revision
    })
  }

  /** The entries as they are to be read: every message with its newest words. */
  async function amended(entries: Entry[]): Promise<Entry[]> {
    if (!entries.some(({ id }) => revisionOf(id) !== undefined)) return entries
    return Promise.all(entries.map(async (one) => revised(one, (await newestOf(one))?.body)))
  }

  async function newestOf({ id }: Entry): Promise<Entry | undefined> {
    const revision = revisionOf(id)
    return revision === undefined ? undefined : entry(revision)
  }
}

function mustBeSaid(found: Entry | undefined, conversation: string, message: string): Said {
  if (found?.conversation === conversation && found.body.kind === 'message') return found as Said
  throw new ParleyError('unknown_message', { message })
}

function mustBeRevisable(body: Message, by: string, text: string | undefined, isTakenBack: boolean) {
  const isOwn = body.author === 'user' && body.by === by
  if (!isOwn || body.interrupt || isTakenBack || (text !== undefined && body.structured))
    throw new ParleyError('not_revisable')
  if (text !== undefined && text.trim() === '' && !body.attachments)
    throw new ParleyError('invalid', { problem: '"text" must not be empty' })
}

function isTakenBack(revision: Entry | undefined): boolean {
  return revision?.body.kind === 'revision' && revision.body.text === undefined
}
