import type { Entry } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Conversation } from '../protocol/fold.ts'
import { parseFrame } from '../protocol/parse.ts'
import { Name } from '../protocol/text.ts'
import type { TimelineFrame } from '../protocol/timeline.ts'
import { PAGE_LIMIT, TimelineCommand } from '../protocol/timeline-command.ts'
import { unreachable } from '../protocol/unreachable.ts'
import type { Line, Speaker } from './dialect.ts'
import { serialiseOnce } from './frames.ts'

// A page that missed more than this starts anew: cheaper for both sides than the replay.
const RESUME_LIMIT = 500
const CONVERSATIONS_SHOWN = 50
const WAITING_SHOWN = 100
const FIRST_PAGE = 60
const HITS = 30

type Command<Type extends TimelineCommand['type']> = Extract<TimelineCommand, { type: Type }>

const frameOf = serialiseOnce((entries: Entry[]) => ({ type: 'entries', entries }) satisfies TimelineFrame)

/** The dialect of our own page: resumes from a cursor, reads pages, and every command has a key. */
export function speakTimeline({ chat, conversation: only, by, send, fail }: Line): Speaker {
  let greetings = 0
  let following: { close(): void } | undefined
  let closed = false
  return { receive, refuse, close }

  async function receive(text: string) {
    const command = parseFrame(TimelineCommand, text)
    if (command.type !== 'hello' && greetings === 0) throw new ParleyError('hello_first')
    switch (command.type) {
      case 'hello':
        return greet(command)
      case 'read':
        return read(command)
      case 'list':
        return list(command)
      case 'post': {
        const { key, conversation, text, attachments } = command
        return accept(key, chat.post(conversation, { author: 'user', by, text, attachments }, key))
      }
      case 'answer': {
        const { key, question, text, attachments } = command
        return accept(key, chat.answer(question, text, by, key, attachments))
      }
      case 'choose':
        return accept(command.key, chat.choose(command.question, command.choices, by, command.key))
      case 'allow': {
        const { key, question, input, always } = command
        return accept(key, (always ? chat.allowAlways : chat.allow)(question, input, by, key))
      }
      case 'revoke':
        return accept(command.key, chat.revoke(command.conversation, command.tool_name, by, command.key))
      case 'deny':
        return accept(command.key, chat.deny(command.question, command.reason, by, command.key))
      case 'interrupt':
        return accept(command.key, chat.interrupt(command.conversation, command.text, by, command.key))
      case 'rename':
        return accept(command.key, chat.rename(command.conversation, command.title, command.key))
      case 'search':
        return search(command)
      default:
        return unreachable(command)
    }
  }

  async function greet({ cursor, conversation }: Command<'hello'>) {
    const turn = ++greetings
    following?.close()
    const last = await chat.last()
    const resumed = cursor !== undefined && (await chat.canResume(cursor, RESUME_LIMIT))
    const { conversations, has_more } = await listed()
    const waiting = has_more ? await waitingBeyond(conversations) : undefined
    const agents = Object.fromEntries(chat.agents().map((id) => [id, chat.agentState(id)]))
    const search = chat.canSearch()
    say({ type: 'welcome', cursor: last, resumed, conversations, has_more, waiting, agents, search })
    const shown = only ?? conversation ?? conversations[0]?.id
    if (!resumed && shown !== undefined) await showPage(shown)
    // Only the newest hello follows; two would be told everything twice.
    if (closed || turn !== greetings) return
    const after = resumed ? cursor : last
    following = chat.follow({ after }, { entries: deliver, agent: tellAgent, failed: fail })
  }

  async function waitingBeyond(listed: Conversation[]): Promise<Conversation[]> {
    const known = new Set(listed.map(({ id }) => id))
    const others = (await chat.current()).filter((id) => !known.has(id)).slice(0, WAITING_SHOWN)
    const found = await Promise.all(others.map((id) => chat.conversation(id)))
    return found.filter(({ open }) => open.length > 0)
  }

  function deliver(entries: Entry[]) {
    return send(frameOf(entries))
  }

  function tellAgent(conversation: string, state: ReturnType<typeof chat.agentState>) {
    say({ type: 'agent', conversation, state })
  }

  async function showPage(id: string) {
    const [page, conversation] = await Promise.all([chat.page(id, { limit: FIRST_PAGE }), chat.conversation(id)])
    if (page.entries.length > 0) say({ type: 'page', conversation, ...page })
  }

  async function read({ type: _, key, conversation: id, limit = PAGE_LIMIT, ...place }: Command<'read'>) {
    const [page, conversation] = await Promise.all([chat.page(id, { ...place, limit }), chat.conversation(id)])
    say({ type: 'page', key, conversation, ...page })
  }

  async function list({ key, before }: Command<'list'>) {
    say({ type: 'listed', key, ...(await listed(before)) })
  }

  async function search({ key, query, before, conversation }: Command<'search'>) {
    const { hits, next, indexing } = await chat.search({ query, before, conversation, limit: HITS })
    say({ type: 'found', key, hits, has_more: next !== undefined, next, indexing: indexing || undefined })
  }

  async function listed(before?: string) {
    const conversations = await chat.conversations({ before, limit: CONVERSATIONS_SHOWN + 1 })
    return {
      conversations: conversations.slice(0, CONVERSATIONS_SHOWN),
      has_more: conversations.length > CONVERSATIONS_SHOWN,
    }
  }

  async function accept(key: string, done: Promise<Entry>) {
    const { id } = await done
    say({ type: 'accepted', key, id })
  }

  function refuse({ code, message }: ParleyError, text: string) {
    say({ type: 'refused', key: keyIn(text), code, error: message })
  }

  function say(frame: TimelineFrame) {
    void send(JSON.stringify(frame))
  }

  function close() {
    closed = true
    following?.close()
  }
}

/** Tells the client which of its commands is meant, even when the command itself is malformed. */
function keyIn(text: string): string | undefined {
  try {
    return Name.safeParse(JSON.parse(text)?.key).data
  } catch {
    return undefined
  }
}
