import { ifError } from '../../io/if-error.ts'
import { type Body, type Entry, EntryId, type Message, type Revision } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import { quoteOf, revised, revisedBy } from '../../protocol/entries/revision.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { IsMeant } from '../conversation/appending.ts'
import { bodies, type Decide, Overtaken } from '../conversation/decision.ts'

interface RevisingParts {
  append(conversation: string, decide: Decide, key?: string, isMeant?: IsMeant): Promise<Entry>
  /** Resolves once everything that was said there before is kept. */
  settled(conversation: string): Promise<ConversationState>
  entry(id: string): Promise<Entry | undefined>
  find(conversation: string, key: string): Promise<Entry | undefined>
  /** The newest revision of a message, once everything up to an entry is known. */
  revisionOf(message: string): string | undefined
  reached(entry: string): Promise<void>
}

export type Revised = Entry & { body: Revision }
type Said = Entry & { body: Message }

/** A person's message is taken back or gets other words. It stays as it was said: the change is an entry of its own. */
export function createRevising({ append, settled, entry, find, revisionOf, reached }: RevisingParts) {
  return { revise, amended, revisions }

  /** `named`: the id of the message, or the key that it was posted with. */
  async function revise(conversation: string, named: string, text: string | undefined, by: string, key?: string) {
    for (;;) {
      const known = await settled(conversation)
      const found = await (EntryId.safeParse(named).success ? entry(named) : find(conversation, named))
      const [before] = found ? await revisions(found, known.last) : []
      const decide: Decide = (state) => {
        const said = mustBeSaid(found, conversation, named)
        // Somebody was faster, and what this one replaces may be another.
        if (state.revision !== known.revision) throw new Overtaken()
        mustBeRevisable(said.body, by, text, isTakenBack(before))
        return bodies(revisionOfSaid(said, before, { by, text, late: said.id <= state.messages.delivered }))
      }
      const isMeant = (body: Body) => body.kind === 'revision' && body.message === found?.id && body.text === text
      const revision = await append(conversation, decide, key, isMeant).catch(ifError(Overtaken, () => undefined))
      if (!revision) continue
      await reached(revision.id)
      return revision
    }
  }

  /** The entries as they are to be read: every message with its newest words. */
  async function amended(entries: Entry[]): Promise<Entry[]> {
    if (!entries.some(({ id }) => revisionOf(id) !== undefined)) return entries
    return Promise.all(entries.map(async (one) => revised(one, (await newestKnown(one.id))?.body)))
  }

  /** Those that came after a message or one of its revisions, newest first: all up to an entry and maybe later ones. */
  async function revisions(said: Entry, upTo: string): Promise<Revised[]> {
    await reached(upTo)
    const all: Revised[] = []
    for (let next = revisionOf(revisedBy(said)); next !== undefined && next > said.id; ) {
      const found = (await entry(next)) as Revised | undefined
      if (found) all.push(found)
      next = found?.body.replaces
    }
    return all
  }

  async function newestKnown(message: string): Promise<Entry | undefined> {
    const revision = revisionOf(message)
    return revision === undefined ? undefined : entry(revision)
  }
}

function mustBeSaid(found: Entry | undefined, conversation: string, message: string): Said {
  if (found?.conversation === conversation && found.body.kind === 'message') return found as Said
  throw new ParleyError('unknown_message', { message })
}

function mustBeRevisable(body: Message, by: string, text: string | undefined, isTakenBack: boolean) {
  const isOwn = body.author === 'user' && body.by === by && body.call_id === undefined
  if (!isOwn || body.interrupt || isTakenBack || (text !== undefined && body.structured))
    throw new ParleyError('not_revisable')
  if (text !== undefined && text.trim() === '' && !body.attachments)
    throw new ParleyError('invalid', { problem: '"text" must not be empty' })
}

function isTakenBack(revision: Entry | undefined): boolean {
  return revision?.body.kind === 'revision' && revision.body.text === undefined
}

/** Says by itself which message is meant and all that it is now. */
function revisionOfSaid(
  said: Said,
  before: Entry | undefined,
  { by, text, late }: { by: string; text: string | undefined; late: boolean },
): Revision {
  const { mime, attachments } = said.body
  return {
    kind: 'revision',
    by,
    message: said.id,
    text,
    was: quoteOf(revised(said, before?.body).body as Message),
    ...(before && { replaces: before.id }),
    ...(text !== undefined && mime !== undefined && { mime }),
    ...(text !== undefined && attachments && { attachments }),
    ...(late && { late }),
  }
}
