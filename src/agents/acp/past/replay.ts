import type { EarlierDeed } from '../../driver.ts'
import { isName } from '../controls.ts'
import { type Loose, record, text } from '../loose.ts'
import { contentText } from '../tools.ts'

const WHAT: Record<string, EarlierDeed['what']> = {
  user_message_chunk: 'user',
  agent_message_chunk: 'assistant',
  agent_thought_chunk: 'thinking',
}
const MOST = 2000
const LONGEST = 20_000
/** Some repeat what they told the model besides as if the person had said it. */
const HIDDEN = /^<([a-z][\w-]*)>[\s\S]*<\/\1>$/

/** What an agent repeats of a session that it loads, as what was said earlier. */
export function createReplay() {
  let said: (EarlierDeed & { message?: string })[] = []
  const calls = new Map<string, EarlierDeed>()
  let left = 0
  return { take, said: all }

  function take(update: Loose) {
    const kind = String(update.sessionUpdate)
    const what = WHAT[kind]
    if (what) return say(what, update)
    const id = text(update.toolCallId)
    if (id === undefined || !/^tool_call(_update)?$/.test(kind)) return
    const title = text(update.title)
    const known = calls.get(id)
    if (known) {
      if (title !== undefined) known.text = title
      return
    }
    const name = update.name ?? record(record(update._meta).claudeCode).toolName ?? record(update._meta).toolName
    const call: EarlierDeed = { what: 'tool', text: title ?? 'tool', ...(isName(name) && { tool_name: name }) }
    calls.set(id, call)
    add(call)
  }

  /** Those with one id are one message; without ids each text is one. */
  function say(what: EarlierDeed['what'], update: Loose) {
    const words = contentText(record(update.content))
    const message = text(update.messageId)
    const last = said.at(-1)
    if (last && last.what === what && message !== undefined && last.message === message) last.text += words
    else if (words !== '') add({ what, text: words, ...(message !== undefined && { message }) })
  }

  function add(one: EarlierDeed & { message?: string }) {
    said.push(one)
    if (said.length <= 2 * MOST) return
    left += said.length - MOST
    said = said.slice(-MOST)
  }

  function all(): EarlierDeed[] {
    const shown = said.filter(
      ({ what, text: words }) => words.trim() !== '' && !(what === 'user' && HIDDEN.test(words.trim())),
    )
    const kept = shown.slice(-MOST)
    const count = left + shown.length - kept.length
    const note: EarlierDeed[] = count > 0 ? [{ what: 'assistant', text: `(${count} earlier ones are left out)` }] : []
    return [...note, ...kept.map(({ message: _, ...one }) => ({ ...one, text: shortened(one.text) }))]
  }
}

function shortened(words: string): string {
  return words.length > LONGEST ? `${words.slice(0, LONGEST).toWellFormed()}…` : words
}
