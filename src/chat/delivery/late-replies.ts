import { idBefore } from '../../log/journal.ts'
import type { Views } from '../../log/views.ts'
import type { Agent } from '../../protocol/entries/agent.ts'
import type { UnreadReply } from '../../protocol/entries/conversation.ts'
import { type Entry, isSettlement } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import { later } from '../../protocol/entries/later.ts'
import { askerOf } from '../questions/own-outcome.ts'
import { pagesAfter } from '../reading/pages-after.ts'
import { createBudget } from './budget.ts'
import type { Given, Undelivered } from './undelivered.ts'
import type { Visits } from './visits.ts'

interface LateRepliesParts {
  views: Pick<Views, 'read'>
  entry(id: string): Promise<Entry | undefined>
  /** It is the reply of a call, and nobody's earlier message. */
  isTaken(reply: Pick<UnreadReply, 'question' | 'settlement'>, given: Given): boolean
  /** The agent whose questions they answer. */
  whose: Agent
  visits: Pick<Visits, 'isFor'>
}

export type LateReplies = ReturnType<typeof createLateReplies>

/** Replies to what one asker asked, and that came when nobody waited for them. */
export function createLateReplies({ views, entry, isTaken, whose, visits }: LateRepliesParts) {
  /** The id up to which everything that is only counted is somebody else's, by conversation. */
  const others = new Map<string, string>()
  return lateReplies

  /** Those that are only counted come first, a page with each call, because they are older. */
  async function lateReplies(state: ConversationState, given: Given, agent: string | undefined) {
    const older = given.busy ? undefined : await olderReplies(state, given, agent)
    if (older && (older.said.length > 0 || !older.isAll)) return older
    const late = state.replies.recent.filter((reply) => !isTaken(reply, given))
    const found = await Promise.all(late.map(async ({ settlement }) => replyIn(await entry(settlement), agent)))
    const own = found.filter((reply) => reply !== undefined && reply !== OTHERS)
    const budget = createBudget()
    const end = own.findIndex(({ text }) => !budget.takes(text))
    const said = end < 0 ? own : own.slice(0, end)
    return { said, contents: { ...older?.contents, replies: said.map(({ id }) => id) } }
  }

  /**
   * The older replies up to the first that is on its way; only those are read up to one that have nobody else's among
   * them.
   */
  async function olderReplies(
    { id: conversation, replies }: ConversationState,
    given: Given,
    agent: string | undefined,
  ) {
    if (!replies.older) return undefined
    const { from, to } = replies.older
    const passed = others.get(conversation) ?? ''
    const begin = later(idBefore(from), given.replies_to, passed)
    const read = replies.gaps && begin < to ? await readSince(conversation, later(from, passed)) : new Set()
    const budget = createBudget()
    const said: Undelivered[] = []
    let hasOthers = passed >= from
    let replies_to: string | undefined
    for await (const page of pagesAfter(views, { conversation, after: begin, to })) {
      for (const entry of page.filter(({ id }) => id <= to && !read.has(id))) {
        if (!isSettlement(entry)) continue
        const reply = await replyIn(entry, agent)
        if (reply === OTHERS) hasOthers = true
        else if (isTaken({ question: entry.body.question, settlement: entry.id }, given)) return filled(false)
        else if (reply && !budget.takes(reply.text)) return filled(false)
        else if (reply) said.push(reply)
        if (!hasOthers) replies_to = entry.id
      }
    }
    if (!hasOthers) replies_to = to
    else if (said.length === 0) others.set(conversation, to)
    return filled(true)

    function filled(isAll: boolean) {
      return { said, isAll, contents: { replies: said.map(({ id }) => id), replies_to } }
    }
  }

  /** The replies that were read by name, from one on. */
  async function readSince(conversation: string, from: string): Promise<Set<string>> {
    const read = new Set<string>()
    for await (const page of pagesAfter(views, { conversation, after: from }))
      for (const { body } of page)
        if (body.kind === 'receipt' && body.state === 'read') for (const reply of body.replies ?? []) read.add(reply)
    return read
  }

  async function replyIn(
    found: Entry | undefined,
    agent: string | undefined,
  ): Promise<Undelivered | typeof OTHERS | undefined> {
    if (found?.body.kind !== 'settlement' || found.body.reply === undefined) return undefined
    const { question, reply: text, attachments } = found.body
    const asked = await entry(question)
    const by = asked && askerOf(asked.body)
    if (by && !visits.isFor({ ...by, at: asked.at }, found.conversation, { ...whose, agent })) return OTHERS
    const in_reply_to = asked?.body.kind === 'question' ? asked.body.text : undefined
    return { id: found.id, text, attachments, at: found.at, in_reply_to }
  }
}

/** It answers what somebody else asked. */
const OTHERS = 'others'
