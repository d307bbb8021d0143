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
const HIDDEN = /^\s*<([a-z][\w-]*)>/
const LONGEST_END = 100

/** A deed while it is put together, with how its words end where only their beginning is kept. */
interface Repeated extends EarlierDeed {
  message?: string
  end: string
}

/** What an agent repeats of a session that it loads, as what was said earlier: bounded, whatever comes. */
export function createReplay() {
  let said: Repeated[] = []
  let calls = new Map<string, Repeated>()
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
      if (title !== undefined) known.text = shortened(title)
      return
    }
    const name = update.name ?? record(record(update._meta).claudeCode).toolName ?? record(update._meta).toolName
    const words = shortened(title ?? 'tool')
    const call: Repeated = { what: 'tool', text: words, ...(isName(name) && { tool_name: name }), end: '' }
    calls.set(id, call)
    add(call)
  }

  /** Those with one id are one message; without ids each text is one. */
  function say(what: EarlierDeed['what'], update: Loose) {
    const words = contentText(record(update.content))
    const message = text(update.messageId)
    const last = said.at(-1)
    if (words === '') return
    if (last && last.what === what && message !== undefined && last.message === message) {
      // What was cut is longer than that, and stays as it is.
      if (last.text.length <= LONGEST) last.text = shortened(last.text + words)
      last.end = endOf(last.end + words)
    } else add({ what, text: shortened(words), ...(message !== undefined && { message }), end: endOf(words) })
  }

  function add(one: Repeated) {
    said.push(one)
    if (said.length <= 2 * MOST) return
    left += said.length - MOST
    said = said.slice(-MOST)
    const kept = new Set(said)
    calls = new Map([...calls].filter(([, call]) => kept.has(call)))
  }

  function all(): EarlierDeed[] {
    const shown = said.filter((one) => one.text.trim() !== '' && !isHidden(one))
    const kept = shown.slice(-MOST)
    const count = left + shown.length - kept.length
    const note: EarlierDeed[] = count > 0 ? [{ what: 'assistant', text: `(${count} earlier ones are left out)` }] : []
    return [...note, ...kept.map(({ message: _, end: __, ...one }) => one)]
  }
}

function isHidden({ what, text: words, end }: Repeated): boolean {
  const [, tag] = (what === 'user' && HIDDEN.exec(words)) || []
  return tag !== undefined && end.trimEnd().endsWith(`</${tag}>`)
}

function shortened(words: string): string {
  return words.length > LONGEST ? `${copied(words.slice(0, LONGEST))}…` : words
}

function endOf(words: string): string {
  return copied(words.slice(-LONGEST_END))
}

/** A part of a text keeps all of it in memory. */
function copied(part: string): string {
  return Buffer.from(part.toWellFormed()).toString()
}
