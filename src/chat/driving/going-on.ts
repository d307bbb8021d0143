import { AFTER_ALL, BEFORE_ALL, type Body, type Earlier } from '../../protocol/entries/entry.ts'
import { GOES_ON } from '../../protocol/entries/title.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { Reading } from '../reading/reading.ts'

/** What is taken along of a conversation that another one goes on from: the newest. */
const MOST_TAKEN = 100
const PAGES = 20
const LONGEST = 4000
/** What an agent is told of it that has none of it. */
const MOST_TOLD = 20
const LONGEST_TOLD = 1000

type Said = Pick<Earlier, 'by' | 'what' | 'text'>

/** What was said in a conversation up to an entry, or in all of it, for one that goes on from there. */
export async function saidBefore(
  page: Reading['page'],
  { conversation, entry }: { conversation: string; entry?: string },
) {
  const said: Earlier[] = []
  const revised = new Map<string, string>()
  let isWhole = true
  let last = ''
  let before = AFTER_ALL
  for (let looked = 0; looked < PAGES && said.length < MOST_TAKEN; looked++) {
    const { entries, has_older } = await page(conversation, { before, limit: MOST_TAKEN })
    if (entries.length === 0 && looked === 0) throw new ParleyError('unknown_conversation', { conversation })
    last ||= entries.at(-1)?.id ?? ''
    for (const { body } of entries.toReversed())
      if (body.kind === 'revision' && !revised.has(body.message)) revised.set(body.message, body.text ?? '')
    const earlier = entries.filter(({ id }) => entry === undefined || id <= entry)
    if (entries.some((one) => !earlier.includes(one) && earlierOf(one.body))) isWhole = false
    said.unshift(...earlier.flatMap(({ id, body }) => earlierOf(body, revised.get(id)) ?? []))
    before = entries[0]?.id ?? ''
    if (!has_older) break
  }
  return { said: said.slice(-MOST_TAKEN), ...(isWhole && { whole_to: last }) }
}

/** In the newest words, where it has others by now. */
function earlierOf(body: Body, words?: string): Earlier | undefined {
  const found = saidIn(body.kind === 'message' && words !== undefined ? { ...body, text: words } : body)
  return found && { kind: 'earlier', ...found, text: shortened(found.text, LONGEST) }
}

function saidIn(body: Body): Said | undefined {
  switch (body.kind) {
    case 'message':
      return body.text === '' || body.interrupt || body.call_id !== undefined
        ? undefined
        : { by: body.by, what: body.author, text: body.text }
    case 'question':
      return body.approval ? undefined : { by: body.by, what: 'assistant', text: body.text }
    case 'settlement':
      return body.reply ? { by: body.by, what: 'user', text: body.reply } : undefined
    case 'earlier':
      return body.what === 'user' || body.what === 'assistant' ? body : undefined
    default:
      return undefined
  }
}

/** The last of what was said before a conversation began, in words for an agent; nothing where it began by itself. */
export async function contextOf(page: Reading['page'], conversation: string): Promise<string> {
  let said: Earlier[] = []
  let after = BEFORE_ALL
  for (let hasMore = true; hasMore; ) {
    const { entries, has_newer } = await page(conversation, { after, limit: MOST_TAKEN })
    const earlier = entries.flatMap(({ body }) => (body.kind === 'earlier' ? body : []))
    said = [...said, ...earlier.filter(({ what }) => what !== 'tool')].slice(-MOST_TOLD)
    // They stand at its beginning.
    hasMore = has_newer && earlier.length > 0
    after = entries.at(-1)?.id ?? after
  }
  if (said.length === 0) return ''
  const lines = said.map(({ what, text }) => `${what === 'user' ? 'Person' : 'You'}: ${shortened(text, LONGEST_TOLD)}`)
  return `${GOES_ON} What was said last:\n\n${lines.join('\n')}\n\n`
}

function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text
}
