import type { Entry, SettledEntry } from '../protocol/entry.ts'

/**
 * A call of a mounted tool that something is still owed to. `asked`: a person has to decide. `allowed`, `denied`: one
 * did, and nothing came of it yet. `started`: it runs, or its hub ended while it did. `done`: it is over, and its caller
 * may not know. `told`: its caller had gone, and a message waits for it.
 */
export interface OwedCall {
  conversation: string
  phase: 'asked' | 'allowed' | 'denied' | 'started' | 'done' | 'told'
  /** Where a person was asked. */
  question?: string
  settlement?: string
  /** The principal that called. */
  asker?: string
  message?: string
  /** Its `tool_call`, once it runs. */
  begun?: string
}

export type CallLedger = ReturnType<typeof createCallLedger>

/** Which calls of mounted tools are not over, by their ids, as the log tells it. */
export function createCallLedger(kept: readonly [string, OwedCall][] = []) {
  const calls = new Map<string, OwedCall>(kept)
  const byQuestion = new Map<string, string>()
  for (const [id, { question }] of calls) if (question) byQuestion.set(question, id)
  return {
    get: (id: string): Readonly<OwedCall> | undefined => calls.get(id),
    /** And whoever called so is this one. An older Parley kept no name. */
    isOwedTo: (id: string, asker: string) => isOf(asker, calls.get(id)),
    /** The messages that wait for this one there, in their order. */
    tidings: (conversation: string, asker: string) =>
      [...calls.values()]
        .filter((call) => call.phase === 'told' && call.conversation === conversation && isOf(asker, call))
        .flatMap(({ message = [] }) => message)
        .sort(),
    all: (): [string, Readonly<OwedCall>][] => [...calls],
    ofQuestion: (question: string) => byQuestion.get(question),
    isAnyAsked: () => byQuestion.size > 0,
    /** The last that a person was asked about, of those whose ids begin so. */
    askedLike: (start: string) => [...byQuestion.values()].findLast((id) => id.startsWith(start)),
    see,
    forget,
  }

  function see(entry: Entry) {
    const { id, conversation, body } = entry
    switch (body.kind) {
      case 'question': {
        const { approval, asker } = body
        if (approval?.server === undefined || approval.call_id === undefined) return
        calls.set(approval.call_id, { conversation, phase: 'asked', question: id, asker })
        byQuestion.set(id, approval.call_id)
        return
      }
      case 'settlement':
        return settle(entry as SettledEntry)
      case 'tool_call':
        if (body.server === undefined || body.call_id === undefined) return
        calls.set(body.call_id, {
          asker: body.asker,
          ...calls.get(body.call_id),
          conversation,
          phase: 'started',
          begun: id,
        })
        return
      case 'tool_result':
        if (body.server === undefined || body.call_id === undefined) return
        if (calls.get(body.call_id)?.question) change(body.call_id, { phase: 'done' })
        else end(body.call_id)
        return
      case 'message':
        if (body.call_id !== undefined) change(body.call_id, { phase: 'told', message: id })
        return
      case 'receipt': {
        const { messages = [], messages_to = '', replies = [], asker } = body
        for (const [id, call] of calls) {
          const { conversation: place, settlement = '', message = '', phase } = call
          if (place !== conversation || (phase !== 'done' && phase !== 'told')) continue
          // Who reads past what was for another has not read it.
          const isRead = message !== '' && message <= messages_to && (asker === undefined || isOf(asker, call))
          if (isRead || replies.includes(settlement) || messages.includes(message)) end(id)
        }
        return
      }
    }
  }

  function settle({ id, body: { question, outcome } }: SettledEntry) {
    const call = byQuestion.get(question)
    if (call === undefined) return
    // Nobody wants to know any more.
    if (outcome === 'withdrawn') end(call)
    else change(call, { phase: outcome === 'approved' ? 'allowed' : 'denied', settlement: id })
  }

  function change(id: string, part: Partial<OwedCall>) {
    const call = calls.get(id)
    if (call) calls.set(id, { ...call, ...part })
  }

  function end(id: string) {
    const { question } = calls.get(id) ?? {}
    if (question) byQuestion.delete(question)
    calls.delete(id)
  }

  function forget(conversation: string) {
    for (const [id, call] of calls) if (call.conversation === conversation) end(id)
  }
}

function isOf(asker: string, call: OwedCall | undefined): boolean {
  return call !== undefined && (call.asker === undefined || call.asker === asker)
}
