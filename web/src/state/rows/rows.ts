import type { Attachment } from '../../../../src/protocol/entries/attachment.ts'
import type { Entry, Revision } from '../../../../src/protocol/entries/entry.ts'
import { inWordsOf } from '../../../../src/protocol/entries/exchange.ts'
import type { ConversationState } from '../../../../src/protocol/entries/fold.ts'
import { unreachable } from '../../../../src/protocol/unreachable.ts'
import { visible } from '../../text/visible.ts'
import type { Answer } from '../hub/outbox.ts'
import { isNews } from '../list/seen.svelte.ts'
import { createDeeds } from './deeds.ts'
import { createExchanges } from './exchanges.ts'
import type { Growing } from './partials.svelte.ts'
import { createRecords, type Verdict } from './records.ts'
import { type Revising, showRevising } from './revising.ts'
import type { Bubble, DeliveryState, EntryRow, Logged, Row } from './row.ts'
import { gatherSteps } from './steps.ts'
import { createTurns } from './turns.ts'
import { withoutMerged } from './without-merged.ts'

/** A message of the person that the log has not yet shown us. */
export interface Pending {
  key: string
  text: string
  at: number
  attachments?: Attachment[]
  question?: string
  /** The words beside the ticked options; `text` has both. */
  words?: string
  choices?: string[]
  /** Answers to several questions at once; then there is nothing else. */
  answers?: Answer[]
  accepted?: string
  /** The message that it is about. */
  about?: string
  /** The verdict is shown where the question stands, not as words. */
  verdict?: Verdict
  /** A tap on what the question offers, which is still there should it fail. */
  tapped?: boolean
  /** Tells the agent to stop. */
  stop?: true
}

interface Shown {
  entries: Entry[]
  state: ConversationState
  pending: Pending[]
  /** The messages that this page is changing or taking back. */
  revising?: Revising[]
  thinking: boolean
  /** The texts that are being written. */
  growing?: Growing[]
  /** Whether what is said now waits for the next turn. */
  waits?: boolean
  /** The keys of this page's own commands. */
  mine?: ReadonlySet<string>
  /** The last id that the person had seen when they came. */
  since?: string
  /** The first entry is the first of the conversation. */
  wholly?: boolean
  /** The fate of the tools without a result, when nobody is at them. */
  left?: 'gone' | 'open'
}

const RUN_MS = 5 * 60_000

/** The entries as a person reads them. A row's key is its command's, so an own message stays the same row once it is an entry. */
export function rowsOf({ entries, state, pending, revising = [], thinking, mine = new Set(), ...shown }: Shown): Row[] {
  const { since, wholly, left, growing = [], waits } = shown
  const rows: EntryRow[] = []
  let fresh = freshAfter(entries, since, wholly)
  let day = { from: 0, to: 0 }
  const texts = new Map<string, string | undefined>()
  const deeds = createDeeds(growing)
  const turns = createTurns(wholly)
  const records = createRecords(mine, state.always)
  const open = new Set(state.open.map(({ id }) => id))
  const merged = new Set<EntryRow | undefined>()
  const exchanges = createExchanges(open, records.whoElse)
  const unread = new Map(state.replies.recent.map((reply) => [reply.settlement, reply]))

  for (const entry of entries) {
    texts.set(entry.id, wordsOf(entry))
    const row = rowOf(entry)
    const worked = turns.workedUntil(entry)
    // A turn that tells how long it took has said that already.
    if (row && !(entry.body.kind === 'turn' && entry.body.duration_ms !== undefined)) row.worked = worked
    if (row && fresh && since !== undefined && entry.id > since && isNews(entry)) {
      row.fresh = fresh.at
      fresh = undefined
    }
    if (row) add(row)
  }
  if (left) deeds.leave(left)
  for (const words of pending) {
    const row = pendingRowOf(words)
    if (row) add(row)
  }
  for (const row of rows) if (row.kind === 'approval' && row.state === 'waiting') deeds.waits(row)
  for (const text of growing) {
    const row = growingRowOf(text)
    if (row) add(row)
  }
  const gathered: Row[] = gatherSteps(withoutMerged(rows, merged))
  if (thinking) gathered.push({ kind: 'thinking', key: 'thinking', id: undefined, at: rows.at(-1)?.at ?? 0 })
  return gathered

  /** How far a reply came. Of those that are only counted, nobody has fetched any. */
  function reachedBy(reply: string): DeliveryState {
    const { older } = state.replies
    const waiting = unread.get(reply)
    if (waiting) return waiting.delivered ? 'delivered' : 'accepted'
    return older && reply >= older.from && reply <= older.to ? 'accepted' : 'read'
  }

  function add(row: EntryRow) {
    showRevising(row, revising)
    const above = rows.at(-1)
    if (row.at < day.from || row.at >= day.to) {
      day = dayAround(row.at)
      row.day = row.at
    }
    if (row.kind === 'bubble' && above?.kind === 'bubble') {
      const starts = row.day !== undefined || row.fresh !== undefined
      row.continued = above.side === row.side && above.by === row.by && !starts && row.at - above.at < RUN_MS
    }
    rows.push(row)
  }

  function rowOf({ id, at, key = id, body }: Entry): EntryRow | undefined {
    const base = { key, id, at }
    switch (body.kind) {
      case 'message': {
        const { author, by, text, mime, attachments, interrupt: stop, answers, revised, structured, call_id } = body
        // Nobody said it.
        if (call_id !== undefined) return { kind: 'note', ...base, text: `The agent was told: ${text}` }
        if (author === 'assistant') return said({ ...base, side: 'agent', by, text, mime, attachments })
        const who = records.whoElse(by, key)
        const gone = revised === 'taken_back'
        // A driver hears a stop before the messages that it comes behind.
        const { read, delivered } = (stop && state.stop) || state.messages
        const isReceived = id <= delivered
        const revisable = gone || who || stop || structured ? undefined : true
        return {
          ...said({ ...base, side: 'person', by, text, mime, attachments }),
          stop,
          who,
          reference: refer(answers),
          revised,
          revisable,
          waits: waits && !isReceived ? revisable : undefined,
          delivery: gone ? undefined : id <= read ? 'read' : isReceived ? 'delivered' : 'accepted',
        }
      }
      case 'question': {
        const { by, text, attachments, exchange } = body
        if (exchange !== undefined) return exchanges.asked(base, exchange, body)
        const record = records.asked(base, body)
        if (!record) return { ...said({ ...base, side: 'agent', by, text, attachments }), open: open.has(id) }
        merged.add(deeds.wanted(record))
        return record
      }
      case 'settlement': {
        if (exchanges.settled(base, body, reachedBy(id))) return undefined
        if (body.reply === undefined) return records.settled(base, body)
        return {
          ...said({ ...base, side: 'person', by: body.by, text: body.reply, attachments: body.attachments }),
          who: records.whoElse(body.by, key),
          reference: refer(body.question),
          delivery: reachedBy(id),
        }
      }
      case 'permitted_call':
        return records.permitted(base, body)
      case 'refused_call':
        return records.refused(base, body)
      case 'revocation':
        return records.revoked(base, body)
      case 'title':
        // The title a conversation begins with is no news; a change of it is.
        if (rows.length === 0 || body.overruled) return undefined
        return { kind: 'note', ...base, text: `The title is now “${body.title}”` }
      case 'revision':
        return body.late && changeOf(base, body)
      case 'wish': {
        const text = body.resume ? 'Continues a session' : body.from && 'Continues another conversation'
        return text ? { kind: 'note', ...base, tone: 'faint', text } : undefined
      }
      case 'receipt':
        return undefined
      case 'unknown':
        return {
          kind: 'note',
          ...base,
          tone: 'faint',
          text: `Update Parley to see this (${visible(body.name)})`,
        }
      case 'progress': {
        const { by, text, attachments } = body
        // A picture needs more room than a note has.
        if (attachments) return said({ ...base, side: 'agent', by, text, mime: 'text/plain', attachments })
        return deeds.rowOf(base, body)
      }
      case 'earlier': {
        const { what, by, text } = body
        const side = what === 'user' ? 'person' : 'agent'
        return deeds.earlier(base, body) ?? { ...said({ ...base, side, by, text }), earlier: true }
      }
      case 'tool_call':
      case 'tool_result':
      case 'thinking':
      case 'plan':
      case 'error':
      case 'turn':
        return deeds.rowOf(base, body)
      default:
        return unreachable(body)
    }
  }

  /** The message itself has its newest words already. */
  function changeOf(base: Logged, { by, message, text, was, mime, attachments, superseded }: Revision): EntryRow {
    const who = records.whoElse(by, base.key)
    if (text === undefined) {
      const did = superseded ? 'changed an earlier message' : 'took an earlier message back'
      return { kind: 'note', ...base, text: `${who ?? 'You'} ${did}, which the agent had` }
    }
    const { read, delivered } = state.messages
    return {
      ...said({ ...base, side: 'person', by, text, mime, attachments }),
      who,
      change: true,
      reference: { id: message, text: was },
      delivery: base.id <= read ? 'read' : base.id <= delivered ? 'delivered' : 'accepted',
    }
  }

  function pendingRowOf(pending: Pending): EntryRow | undefined {
    const { key, text, attachments, at, question, about = question, accepted, verdict, stop } = pending
    if (question && verdict) return records.deciding({ key, id: accepted, at }, question, verdict)
    const delivery = accepted ? 'accepted' : 'sending'
    const answers = answersIn(pending)
    if (answers.filter((answer) => exchanges.answering(answer, delivery)).length > 0) return undefined
    return {
      ...said({
        key,
        id: accepted,
        at,
        text: text || answers.map(({ choices, text }) => inWordsOf(choices ?? [], text)).join('\n\n'),
        attachments,
        side: 'person',
        by: '',
      }),
      stop,
      reference: refer(about),
      revisable: stop || pending.answers || (question && accepted) ? undefined : true,
      delivery,
    }
  }

  /** It keeps its key, and so its place, when it becomes an entry. */
  function growingRowOf(growing: Growing): EntryRow | undefined {
    const { id: key, kind, by, at } = growing
    if (kind === 'output') return undefined
    if (kind === 'thinking') return { kind: 'musing', key, id: undefined, at, growing }
    return { ...said({ key, id: undefined, at, side: 'agent', by, text: '' }), growing }
  }

  /** A reply right below its question needs no reminder of what it answers. */
  function refer(id: string | undefined): Bubble['reference'] {
    return id === undefined || rows.at(-1)?.id === id ? undefined : { id, text: texts.get(id) }
  }
}

/** The answer to each question. */
export function answersIn({ answers, question, text, attachments }: Pending): Answer[] {
  return answers ?? (question === undefined ? [] : [{ question, text, attachments }])
}

function wordsOf({ body }: Entry): string | undefined {
  if (body.kind === 'message' || body.kind === 'question') return body.text || undefined
  return body.kind === 'settlement' ? body.reply : undefined
}

function said(words: Pick<Bubble, 'key' | 'id' | 'at' | 'side' | 'by' | 'text' | 'mime' | 'attachments'>): Bubble {
  return { kind: 'bubble', continued: false, ...words }
}

/** The last that was seen, where the window shows the place after it; elsewhere nothing may look like the first new one. */
function freshAfter(entries: Entry[], since = '', wholly = false): { at: number } | undefined {
  const last = since === '' ? undefined : entries.findLast(({ id }) => id <= since)
  return last ?? (wholly ? entries[0] : undefined)
}

/** The day from midnight to midnight here, which is not always 24 hours. */
function dayAround(at: number): { from: number; to: number } {
  const start = new Date(at)
  start.setHours(0, 0, 0, 0)
  const end = new Date(start)
  end.setDate(end.getDate() + 1)
  return { from: start.getTime(), to: end.getTime() }
}
