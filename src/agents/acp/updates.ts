import type { Happening } from '../driver.ts'
import type { Controls } from './controls.ts'
import type { KnownAgent } from './known-agents.ts'
import { type Loose, record, records, text } from './loose.ts'
import type { OwnServer } from './parley/own-server.ts'
import { contentText, type Tools } from './tools.ts'
import type { Usage } from './usage.ts'

interface UpdateParts {
  happens: (happening: Happening) => void
  tools: Tools
  controls: Controls
  usage: Usage
  known: KnownAgent
  own: Pick<OwnServer, 'toolIn'>
  /** Something that the agent wants people to know. */
  notice(words: string): void
}

/**
 * The part of an agent's updates that is shown: all of it, or only what it can do, while it repeats a session or was
 * stopped.
 */
type Shown = 'all' | 'controls'

const STEP_STATES = ['pending', 'in_progress', 'completed'] as const

/** Updates that an agent sends while it works. Unknown ones are skipped. */
export function createUpdates({ happens, tools, controls, usage, known, own, notice }: UpdateParts) {
  /** The last text without anything between, to know it again when it is repeated as a whole. */
  let said = { text: '', chunks: 0 }
  let count = { said: 0, told: 0, asked: 0 }
  let asked: string | undefined
  return { take, counted }

  function take(update: Loose, shown: Shown) {
    if (!takeControl(update)) takeDeed(update, shown)
  }

  /**
   * How many there were since this was last asked: of what somebody said, of anything that was shown, and of messages of
   * a person.
   */
  function counted(): typeof count {
    const before = count
    count = { said: 0, told: 0, asked: 0 }
    asked = undefined
    said = { text: '', chunks: 0 }
    return before
  }

  function takeControl(update: Loose): boolean {
    switch (update.sessionUpdate) {
      case 'available_commands_update':
        controls.commands(records(update.availableCommands))
        return true
      case 'current_mode_update':
        if (text(update.currentModeId)) controls.switched('mode', String(update.currentModeId))
        return true
      case 'config_option_update':
        controls.take(update)
        return true
      case 'usage_update':
        usage.update(update)
        return true
      case 'session_info_update':
        if (text(update.title)) happens({ type: 'title', title: String(update.title) })
        return true
      default:
        return false
    }
  }

  function takeDeed(update: Loose, shown: Shown) {
    const kind = update.sessionUpdate
    const isSpoken = kind === 'agent_message_chunk' || kind === 'user_message_chunk'
    if (isSpoken) count.said++
    if (kind === 'user_message_chunk') ask(update)
    if (shown !== 'all') return
    switch (kind) {
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
        usage.update(update)
        return say(kind === 'agent_message_chunk' ? 'text' : 'thought', update)
      case 'tool_call':
      case 'tool_call_update':
        count.told++
        said = { text: '', chunks: 0 }
        tools.take(update, { isNew: kind === 'tool_call', named: own.toolIn(update, known) })
        return
      case 'plan':
        count.told++
        return happens({ type: 'plan', steps: records(update.entries).map(stepOf) })
      case 'notice':
        count.told++
        return notice([text(update.title), text(update.description)].filter(Boolean).join(': '))
      default:
        return
    }
  }

  /** Those with one id are one message; without ids each text is one, and an image is a part of the one before. */
  function ask({ content, messageId }: Loose) {
    const id = text(messageId)
    const isNew = id === undefined ? record(content).type === 'text' : id !== asked
    asked = id
    if (isNew) count.asked++
  }

  function say(type: 'text' | 'thought', update: Loose) {
    const words = contentText(record(update.content))
    if (words === '') return
    count.told++
    const fresh = type === 'text' ? newIn(words) : words
    if (fresh === '') return
    const message = text(update.messageId)
    happens({ type, text: fresh, ...(message && { message }) })
  }

  /** The part that was not said before, where an agent sends what it has streamed once more as a whole. */
  function newIn(words: string): string {
    const isAgain = known.repeats && said.chunks > 1 && words.startsWith(said.text)
    const fresh = isAgain ? words.slice(said.text.length) : words
    said = isAgain ? { text: '', chunks: 0 } : { text: said.text + words, chunks: said.chunks + 1 }
    return fresh
  }
}

function stepOf(entry: Loose) {
  const state = STEP_STATES.find((name) => name === entry.status) ?? 'pending'
  return { text: text(entry.content) ?? '', state }
}

export type Updates = ReturnType<typeof createUpdates>
