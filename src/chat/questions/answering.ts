import type { Body, Entry } from '../../protocol/entries/entry.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { beginningOf, isInboxMessage } from '../../protocol/frames/inbox.ts'

interface AnsweringParts {
  entry(id: string): Promise<Entry | undefined>
  /** The entries as they are to be read. */
  amended(entries: Entry[]): Promise<Entry[]>
}

/** Messages that say what they are about. */
export function createAnswering({ entry, amended }: AnsweringParts) {
  /** The last look-up in each conversation; what is said afterwards waits for it. */
  const turns = new Map<string, Promise<unknown>>()
  return { inTurn, beginning }

  /** Says it, if what it answers is there; everything that is said afterwards comes after it. */
  function inTurn(conversation: string, answers: string | undefined, say: () => Promise<Entry>): Promise<Entry> {
    const before = turns.get(conversation)
    if (answers === undefined && !before) return say()
    const looked = answers === undefined ? undefined : mustBeThere(conversation, answers)
    // Its own caller gets the error; whoever comes next only waits for the look.
    const checked = Promise.all([before, looked?.catch(() => {})])
    turns.set(conversation, checked)
    void checked.then(() => turns.get(conversation) === checked && turns.delete(conversation))
    return checked.then(async () => {
      await looked
      return say()
    })
  }

  async function mustBeThere(conversation: string, answers: string) {
    const found = await entry(answers)
    if (found?.conversation !== conversation || !isInboxMessage(found.body))
      throw new ParleyError('unknown_message', { message: answers })
  }

  /** How the entry begins that this one answers. */
  async function beginning({ body, conversation }: Entry): Promise<string | undefined> {
    const answers = answeredBy(body)
    if (answers === undefined) return undefined
    const named = await entry(answers)
    const found = named?.body.kind === 'revision' ? await entry(named.body.message) : named
    const [answered] = found?.conversation === conversation ? await amended([found]) : []
    return beginningOf(answered)
  }
}

/** The entry that another is about: a message may name it, and a reply has its question. */
export function answeredBy(body: Body): string | undefined {
  if (body.kind === 'message') return body.answers
  return body.kind === 'settlement' && body.reply !== undefined ? body.question : undefined
}
