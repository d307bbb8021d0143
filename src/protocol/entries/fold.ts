import { LOCAL_AGENT } from '../local.ts'
import { isBytes, kindOf, typeOf } from '../text/mime.ts'
import { alwaysCommand, inputIn } from '../tools/always-command.ts'
import { isSameTool } from '../tools/called-tool.ts'
import { deedOf } from '../tools/target.ts'
import { unreachable } from '../unreachable.ts'
import { isRequest, isSameAgent } from './agent.ts'
import type { Attachment } from './attachment.ts'
import { BEFORE_ALL } from './bounds.ts'
import type {
  ConversationState,
  Grant,
  OlderReplies,
  OpenQuestion,
  UnreadReplies,
  UnreadReply,
} from './conversation.ts'
import type { Body, Entry, Message, Question, Receipt, Revocation, Settlement } from './entry.ts'
import { gistOfFiles } from './files.ts'
import { isInboxMessage } from './said.ts'
import { withHeard, withStop } from './stops.ts'

export { ConversationState, Grant, OpenQuestion } from './conversation.ts'

const PREVIEW_LENGTH = 120
/** Two in a row, or another space than the plain one. */
const MORE_THAN_SPACES = /\s\s|[^\S ]/
type Messages = ConversationState['messages']
/** A conversation names at most so many replies that nobody has read; more are a count. */
export const REPLIES_LISTED = 32

export function emptyConversation(id: string): ConversationState {
  return {
    id,
    title: id,
    last: BEFORE_ALL,
    last_at: 0,
    said: BEFORE_ALL,
    preview: '',
    open: [],
    replies: { recent: [] },
    messages: { last: BEFORE_ALL, delivered: BEFORE_ALL, read: BEFORE_ALL },
  }
}

/** Folding an entry twice changes nothing, so history and live delivery may overlap. */
export function fold(state: ConversationState, entry: Entry): ConversationState {
  if (entry.id <= state.last) return state
  const next = { ...state, last: entry.id, last_at: entry.at }
  const { body } = entry
  if (isInboxMessage(body)) next.said = entry.id
  const agent = agentIn(body)
  if (agent !== undefined) next.agent = agent
  switch (body.kind) {
    case 'message':
      tell(next, body.author === 'user' && body.call_id === undefined ? 'person' : undefined, gistOf(body))
      if (body.author === 'user') next.messages = { ...state.messages, last: entry.id }
      if (next.preview_of === 'person') next.preview_entry = entry.id
      if (body.interrupt) next.stop = withStop(state.stop, entry.id)
      return next
    case 'revision':
      next.revised = true
      next.revision = entry.id
      next.messages = { ...state.messages, last: entry.id }
      // What the person said is shown only until the agent says or does something.
      if (state.preview_of === 'person' && body.message === (state.preview_entry ?? state.messages.last))
        next.preview = body.text === undefined ? 'Taken back' : preview(body.text, body.attachments)
      return next
    case 'question': {
      tell(next, undefined, askedIn(body))
      next.open = [...state.open, openIn(entry.id, entry.at, body)]
      return next
    }
    case 'settlement': {
      const question = state.open.find((open) => open.id === body.question)
      next.open = state.open.filter((open) => open !== question)
      if (question) settle(next, question, body)
      if (question && body.reply !== undefined) {
        const { id, fingerprint, at, folder, visit } = question
        const reply = { question: id, settlement: entry.id, fingerprint, at, folder, visit, delivered: false }
        next.replies = withReply(state.replies, reply)
      }
      if (question?.approval && body.always === 'granted' && body.scope === undefined && !isRequest(question.visit)) {
        // An older Parley asked nobody who it was.
        const { asker = LOCAL_AGENT, by: agent, folder, visit, approval } = question
        const { tool_name, server, tool, fingerprint } = approval
        const mounted = server !== undefined && { server, tool, fingerprint }
        const command = alwaysCommand(inputIn(approval.input))
        const what = { tool_name, ...mounted, ...(command && { command }) }
        const grant = { ...what, asker, agent, folder, visit, by: body.by, since: entry.id }
        next.always = [...(state.always ?? []).filter((other) => !isSame(other, grant)), grant]
      }
      return next
    }
    case 'revocation':
      next.always = (state.always ?? []).filter((grant) => !isTakenBack(grant, body))
      return next
    case 'receipt':
      next.replies = body.state === 'read' ? withoutRead(state.replies, body) : withDelivered(state.replies, body)
      next.messages = withAhead({ ...state.messages, ...reached(state.messages, body.state, body.messages_to) }, body)
      if (state.stop) next.stop = withHeard(state.stop, reached(state.stop, body.state, body.stop ?? body.messages_to))
      return next
    case 'permitted_call':
      tell(next, 'deed', preview(deedOf(body.approval.tool_name, body.approval.input)))
      return next
    case 'refused_call':
      tell(next, 'deed', preview(`Denied ${deedOf(body.approval.tool_name, body.approval.input)}`))
      return next
    case 'tool_call':
      tell(next, 'deed', preview(deedOf(body.tool_name, body.tool_args)))
      next.step_at = entry.at
      return next
    case 'tool_result':
      if (state.step_at !== undefined) tell(next, 'deed', `${state.preview} · ${took(entry.at - state.step_at)}`)
      return next
    case 'progress':
      tell(next, 'deed', preview(body.text, body.attachments))
      return next
    case 'error':
      tell(next, 'deed', `Error: ${preview(body.error.trim().split('\n', 1)[0] ?? '')}`)
      return next
    case 'thinking':
    case 'plan':
    case 'earlier':
    case 'unknown':
      return next
    case 'wish': {
      const { kind: _, by: __, waiting: ___, resume: ____, ...wanted } = body
      next.wish = { ...state.wish, ...wanted }
      return next
    }
    case 'turn':
      next.step_at = undefined
      if (state.stop) next.stop = { ...state.stop, turned: entry.id }
      return next
    case 'title':
      if (!body.overruled) next.title = body.title
      // A title that comes with a folder, or first, is made of the first words.
      if (body.by_agent || body.folder !== undefined || state.last === BEFORE_ALL) {
        if (body.title !== state.title && !body.overruled) next.titled = 'agent'
      } else delete next.titled
      if (body.folder !== undefined) next.folder = body.folder
      if (body.look !== undefined) next.look = body.look
      return next
    default:
      return unreachable(body)
  }
}

function openIn(id: string, at: number, { kind: _, ...question }: Question): OpenQuestion {
  return { id, at, ...question }
}

/** Questions that came shortened are whole where they were known so, or where their entries are there. */
export function withWhole(state: ConversationState, known: OpenQuestion[], entries: Entry[] = []): ConversationState {
  if (!state.open.some(({ shortened }) => shortened)) return state
  const whole = new Map(known.filter(({ shortened }) => !shortened).map((question) => [question.id, question]))
  for (const { id, at, body } of entries) if (body.kind === 'question') whole.set(id, openIn(id, at, body))
  return { ...state, open: state.open.map((question) => whole.get(question.id) ?? question) }
}

/** The agent whose deed or words this is, if it is an agent's. */
export function agentIn(body: Body): string | undefined {
  switch (body.kind) {
    case 'message':
      return body.author === 'assistant' ? body.by : undefined
    case 'question':
    case 'permitted_call':
    case 'refused_call':
    case 'tool_call':
    case 'tool_result':
    case 'thinking':
    case 'progress':
    case 'plan':
    case 'error':
    case 'turn':
      return body.by
    default:
      return undefined
  }
}

/** What was asked, in one line. */
function askedIn({ approval, text }: Pick<Question, 'approval' | 'text'>): string {
  return preview(approval ? `Wants to use ${deedOf(approval.tool_name, approval.input)}` : text)
}

const ENDS = {
  approved: 'Allowed',
  denied: 'Denied',
  expired: 'Expired:',
  withdrawn: 'Withdrawn:',
  answered: 'Answered:',
}

/** A question that is settled is not shown as if it were open. A call is told with what was allowed of it. */
function settle(next: ConversationState, question: OpenQuestion, { outcome, input }: Settlement) {
  const { approval, text } = question
  const isDecided = approval && (outcome === 'approved' || outcome === 'denied')
  if (next.preview !== askedIn(question) && !isDecided) return
  const what = approval ? deedOf(approval.tool_name, input ?? approval.input) : text
  tell(next, approval && 'deed', preview(`${ENDS[outcome]} ${what}`))
}

/** The person knows what they said themselves: it is shown only where the agent has not said or done anything. */
function tell(next: ConversationState, of: ConversationState['preview_of'], preview: string) {
  next.step_at = undefined
  if (of === 'person' && next.preview !== '' && next.preview_of !== 'person') return
  next.preview = preview
  next.preview_of = of
}

function took(ms: number): string {
  return ms < 60_000 ? `${Math.max(1, Math.round(ms / 1000))} s` : `${Math.round(ms / 60_000)} min`
}

function gistOf(body: Message): string {
  if (isBytes(body)) return kindOf(body) === 'image' ? 'Image' : typeOf(body.mime)
  return preview(body.text, body.attachments)
}

function preview(text: string, files: Attachment[] = []): string {
  const beginning = text.slice(0, PREVIEW_LENGTH)
  // Every post comes here, and to replace each space by one takes far longer than to see that this changes nothing.
  const line = MORE_THAN_SPACES.test(beginning) ? beginning.replace(/\s+/g, ' ') : beginning
  return line.trim() || gistOfFiles(files)
}

/** Replies beyond the list are only counted; whoever hands them over reads them from the log. */
function withReply({ recent, older, gaps }: UnreadReplies, reply: UnreadReply): UnreadReplies {
  const all = [...recent, reply]
  if (all.length <= REPLIES_LISTED) return { recent: all, ...(older && { older }), ...(gaps && { gaps }) }
  const [oldest = reply, ...rest] = all
  const { settlement: to } = oldest
  const counted = { from: older?.from ?? to, to, count: (older?.count ?? 0) + 1 }
  return { recent: rest, older: counted, ...(gaps && { gaps }) }
}

function withoutRead({ recent, older, gaps }: UnreadReplies, receipt: Receipt): UnreadReplies {
  const { replies = [], replies_to = BEFORE_ALL } = receipt
  const unread = recent.filter(({ settlement }) => settlement > replies_to && !replies.includes(settlement))
  const left = older && stillOlder(older, receipt)
  const first = left?.from ?? unread[0]?.settlement
  const hasGaps = first !== undefined && (gaps || replies.some((reply) => reply > first))
  return { recent: unread, ...(left && { older: left }), ...(hasGaps && { gaps: true as const }) }
}

/** They end where the last of them is read: a count alone could be told the same twice. */
function stillOlder({ from, to, count }: OlderReplies, { replies = [], replies_to = BEFORE_ALL }: Receipt) {
  if (replies_to >= to) return undefined
  const read = replies.filter((reply) => reply >= from && reply <= to).length
  return { from: later(from, after(replies_to)), to, count: Math.max(1, count - read) }
}

function withDelivered({ recent, ...more }: UnreadReplies, { replies = [] }: Receipt): UnreadReplies {
  const delivered = (reply: UnreadReply) => (replies.includes(reply.settlement) ? { ...reply, delivered: true } : reply)
  return { recent: recent.map(delivered), ...more }
}

/** Revisions up to the id that was read need no names any longer. */
function withAhead({ ahead: known = [], ...messages }: Messages, { state, ahead: more = [] }: Receipt): Messages {
  const read = state === 'read'
  const kept = known.filter(({ id }) => !more.includes(id) || !read)
  const added = more.filter((id) => !kept.some((one) => one.id === id)).map((id) => ({ id, read }))
  const ahead = [...kept, ...added].filter(({ id }) => id > messages.read)
  return { ...messages, ...(ahead.length > 0 && { ahead }) }
}

/** A message that was read was delivered, too. */
function reached(known: { delivered: string; read: string }, state: Receipt['state'], upTo = BEFORE_ALL) {
  const delivered = later(known.delivered, upTo)
  return state === 'read' ? { delivered, read: later(known.read, upTo) } : { delivered }
}

/** An older Parley takes back all that is allowed of a tool. */
export function isTakenBack(grant: Grant, { tool_name, since }: Pick<Revocation, 'tool_name' | 'since'>): boolean {
  return grant.tool_name === tool_name && (since === undefined || grant.since === since)
}

function isSame(one: Grant, other: Grant): boolean {
  const isSameCommand = JSON.stringify(one.command) === JSON.stringify(other.command)
  return isSameCommand && isSameTool(one, other) && isSameAgent(one, other)
}

function later(a: string, b: string): string {
  return a > b ? a : b
}

/** The smallest id that is greater. */
function after(id: string): string {
  return String(BigInt(id) + 1n).padStart(BEFORE_ALL.length, '0')
}
