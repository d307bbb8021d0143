import type { ClearTexts } from '../../files/clear-texts.ts'
import type { Entry, SettledEntry } from '../../protocol/entries/entry.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { ClearText, Revealed } from '../../protocol/secrets/clear-text.ts'
import { unmasked } from '../../protocol/secrets/masking.ts'

interface RevealingParts {
  clear: Pick<ClearTexts, 'read'>
  entry(id: string): Promise<Entry | undefined>
  /** The conversation of an open question. */
  placeOf(question: string): string | undefined
  outcome(question: string, signal: AbortSignal): Promise<SettledEntry>
}

/** The masked texts of a call, for whoever may decide about it, before that and ever after. */
export function createRevealing({ clear, entry, placeOf, outcome }: RevealingParts) {
  return { reveal, clearInput }

  async function reveal(id: string, maySee: (conversation: string) => boolean): Promise<Revealed> {
    const found = await entry(id)
    const text = found && maySee(found.conversation) ? await clearTextOf(found) : undefined
    if (!found || !text) throw new ParleyError('nothing_masked')
    const input = found.body.kind === 'question' ? await changedBy(id) : undefined
    if (input === undefined) return text
    return { ...text, changed: JSON.stringify(unmasked(JSON.parse(input), JSON.parse(text.input))) }
  }

  /** The arguments of a call that was asked about, with its secrets. */
  async function clearInput(question: string): Promise<string | undefined> {
    const found = await entry(question)
    return found && (await clearTextOf(found))?.input
  }

  async function clearTextOf({ conversation, body }: Entry): Promise<ClearText | undefined> {
    const name = 'clear' in body ? body.clear : undefined
    return name === undefined ? undefined : clear.read(conversation, name)
  }

  /** The arguments as a person changed them, in which masks stand for what they stood for. */
  async function changedBy(question: string): Promise<string | undefined> {
    if (placeOf(question) !== undefined) return undefined
    return (await outcome(question, new AbortController().signal)).body.input
  }
}
