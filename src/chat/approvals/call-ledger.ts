import type { Entry, SettledEntry } from '../../protocol/entries/entry.ts'

/**
 * A call of a mounted tool that something is still owed to. `asked`: a person has to decide. `allowed`, `denied`: one
 * did, and nothing came of it yet. `started`: it runs, or its hub ended while it did. `done`: it is over, and its
 * caller may not know. `told`: its caller had gone, and a message waits for it.
 */
export interface OwedCall {
  conversation: string
  phase: 'asked' | 'allowed' | 'denied' | 'started' | 'done' | 'told'
  /** The question, where a person was asked. */
  question?: string
  settlement?: string
  /** The caller, and when a person was asked. */
  asker?: string
  by?: string
  folder?: string
  visit?: string
  at?: number
  message?: string
  /** Its `tool_call`, once it runs. */
  begun?: string
  /** The hub that asked, or runs it, where several share a log. */
  hub?: string
}

export type CallLedger = ReturnType<typeof createCallLedger>

/** The calls of mounted tools that are not over, by their ids, as the log tells it. */
export function createCallLedger(kept: readonly [string, OwedCall][] = []) {
  const calls = new Map<string, OwedCall>(kept)
  const byQuestion = new Map<string, string>()
  for (const [id, { question }] of calls) if (question) byQuestion.set(question, id)
  return {
    get: (id: string): Readonly<OwedCall> | undefined => calls.get(id),
    /** The messages that wait for their callers there, in their order. */
    lateResults: (conversation: string): { message: string; call: Readonly<OwedCall> }[] =>
      [...calls.values()]
        .flatMap((call) => {
          const { message } = call
          const waits = call.phase === 'told' && call.conversation === conversation && message !== undefined
          return waits ? { message, call } : []
        })
        .sort((a, b) => (a.message < b.message ? -1 : 1)),
    all: (): [string, Readonly<OwedCall>][] => [...calls],
    ofQuestion: (question: string) => byQuestion.get(question),
    isAnyAsked: () => byQuestion.size > 0,
    /** Those that a person was asked about and whose ids begin so, the last one first. */
    askedLike: (start: string) => [...byQuestion.values()].filter((id) => id.startsWith(start)).reverse(),
    see,
    forget,
  }

  function see(entry: Entry) {
    const { id, conversation, body } = entry
    switch (body.kind) {
      case 'question': {
        const { approval, asker, by, folder, visit, hub } = body
        // A driver tells of its agent's calls itself.
        if (approval?.server === undefined || approval.call_id === undefined || body.driven) return
        const whose = { asker, by, folder, visit, at: entry.at, ...(hub && { hub }) }
        calls.set(approval.call_id, { conversation, phase: 'asked', question: id, ...whose })
        byQuestion.set(id, approval.call_id)
        return
      }
      case 'settlement':
        return settle(entry as SettledEntry)
      case 'tool_call':
        if (body.server === undefined || body.call_id === undefined) return
        calls.set(body.call_id, {
          ...{ asker: body.asker, by: body.by, folder: body.folder, visit: body.visit },
          ...calls.get(body.call_id),
          conversation,
          phase: 'started',
          begun: id,
          ...(body.hub && { hub: body.hub }),
        })
        return
      case 'tool_result':
        if (body.server === undefined || body.call_id === undefined) return
        if (calls.get(body.call_id)?.question) change(body.call_id, { phase: 'done' })
        else end(body.call_id)
        return
      case 'message':
        if (body.call_id === undefined) return
        // One that was told before, in vain.
        if (body.caller) calls.set(body.call_id, { conversation, phase: 'told', visit: body.visit, ...body.caller })
        change(body.call_id, { phase: 'told', message: id })
        return
      case 'receipt': {
        const { messages, messages_to = '', replies = [], ...reader } = body
        for (const [id, call] of calls) {
          const { conversation: place, settlement = '', message = '', phase } = call
          if (place !== conversation || (phase !== 'done' && phase !== 'told')) continue
          // Reading past a message for another is not reading it; a receipt that names messages covers nothing else.
          const isPast = messages === undefined && message !== '' && message <= messages_to && isOf(reader, call)
          if (isPast || replies.includes(settlement) || messages?.includes(message)) end(id)
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

/** An older Parley kept less. */
function isOf({ asker, visit }: Pick<OwedCall, 'asker' | 'visit'>, call: OwedCall): boolean {
  const isSame = (one: string | undefined, other: string | undefined) =>
    one === undefined || other === undefined || one === other
  return isSame(asker, call.asker) && isSame(visit, call.visit)
}
