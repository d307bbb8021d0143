import { createEmitter } from '../../io/emitter.ts'
import { createQueue } from '../../io/queue.ts'
import type { Views } from '../../log/views.ts'
import { type Agent, agentIn, isForDriver } from '../../protocol/entries/agent.ts'
import type {
  Entry,
  Message,
  Question,
  Receipt,
  SettledEntry,
  ToolCallBody,
  ToolResultBody,
} from '../../protocol/entries/entry.ts'
import type { Grant } from '../../protocol/entries/fold.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { CALL_KEYS } from '../../protocol/tools/call-keys.ts'
import { bodies } from '../conversation/decision.ts'
import type { Projection } from '../conversation/projection.ts'
import type { Rooms } from '../conversation/rooms.ts'
import type { Ledger } from '../delivery/ledger.ts'
import type { Visits } from '../delivery/visits.ts'
import type { Roster } from '../hubs/roster.ts'
import { type Naming, titled } from '../questions/asking.ts'
import { createStopBehind } from '../questions/stop-behind.ts'
import { createWaiters } from '../questions/waiters.ts'
import { grantOf } from './always.ts'
import type { OwedCall } from './call-ledger.ts'
import type { Policing } from './policing.ts'

interface MountedCallsParts {
  rooms: Pick<Rooms, 'append' | 'state'>
  views: Pick<Views, 'find' | 'read'>
  projection: Pick<Projection, 'calls' | 'ready' | 'reached'>
  entry(id: string): Promise<Entry | undefined>
  outcome(question: string, signal: AbortSignal): Promise<SettledEntry>
  isHeld(conversation: string): boolean | Promise<boolean>
  visits: Pick<Visits, 'isAskedAgain' | 'isFor'>
  ledger: Pick<Ledger, 'carry' | 'isCarried'>
  policing: Pick<Policing, 'subjectOf'>
  roster: Roster
  /** The arguments of a call that was asked about, with its secrets. */
  clearInput(question: string): Promise<string | undefined>
}

export type MountedCalls = ReturnType<typeof createMountedCalls>
export type AskedCall = Question & { approval: NonNullable<Question['approval']> }
/** News of a call that somebody is to be told, and the message that says it. */
interface Untold {
  message: string
  text: string
  call_id: string
}
/** Another hub, or another connection of its line, has begun the same call. */
export class BegunElsewhere extends Error {}

/** What the call is begun with, besides itself. */
type Beginning = Partial<Naming> & { key?: string; wasAsked?: boolean; isRepeated?: boolean }
type NewCall = Omit<ToolCallBody, 'kind'> & { call_id: string }
type Brought = Omit<ToolResultBody, 'kind'> & { call_id: string }

/**
 * The log's knowledge of calls of mounted tools, and how it is written. Who may call, and what runs, is decided
 * elsewhere.
 */
export function createMountedCalls(parts: MountedCallsParts) {
  const { rooms, views, projection, entry, outcome, isHeld, visits, ledger, policing, roster, clearInput } = parts
  const settled = createEmitter<[call: string]>()
  const results = createWaiters<Entry>()
  /** Notes, one after the other, the results that callers have shown they know. */
  const noting = createQueue()
  return {
    ready: projection.ready,
    owed: (): [string, Readonly<OwedCall>][] => projection.calls().all(),
    stateOf: (call: string) => projection.calls().get(call),
    isAnyAsked: () => projection.calls().isAnyAsked(),
    /** The last that a person was asked about, of those whose ids begin so, if this agent means it by asking again. */
    askedLike: (start: string, agent: Agent, isAwaited: (call: string) => boolean) =>
      projection
        .calls()
        .askedLike(start)
        .find((id) => {
          const { at, ...call } = projection.calls().get(id) ?? {}
          return visits.isAskedAgain({ ...agentIn(call), at, id }, agent, isAwaited)
        }),
    grant: async (
      conversation: string,
      call: Parameters<typeof grantOf>[1],
      agent: Agent,
    ): Promise<Grant | undefined> => grantOf(await rooms.state(conversation), call, agent),
    ask,
    asked,
    /** The call of a question as rules see it now, with other arguments. */
    subjectOf: async (conversation: string, asked: AskedCall, input: Record<string, unknown>) => ({
      ...policing.subjectOf(await rooms.state(conversation), asked),
      arguments: input,
    }),
    clearInput,
    outcome,
    /** The stop that withdrew the question of a call, if one did. */
    stopBehind: createStopBehind(views),
    begin,
    end,
    resultOf,
    mustBeOthers,
    tell,
    tellAgain,
    answered,
    known,
    /** The call that a client gave this key. */
    begun: async (conversation: string, key: string) =>
      (await views.find(conversation, CALL_KEYS.begun(key))) as Entry | undefined,
    entry,
    untold,
    told,
    /** Messages about calls that an answer takes along, so that no other does. */
    carry: ledger.carry,
    isCarried: ledger.isCarried,
    /** A person decided about a call. */
    onSettled: settled.on,
    isGone: roster.isGone,
    isElsewhere,
    onGone: roster.onGone,
    over,
    stopWaiting: results.close,
    happened,
  }

  /** Asks a person; the id of the question. */
  async function ask(conversation: string, question: AskedCall, naming: Partial<Naming> = {}): Promise<string> {
    const key = question.approval.call_id
    const asking = roster.own ? { ...question, hub: roster.own } : question
    const entries = await rooms.append(
      conversation,
      (state) => bodies(...titled(state, { ...naming, title: naming.title ?? conversation }), asking),
      { key },
    )
    const { id } = entries.at(-1) as Entry
    await projection.reached(id)
    return id
  }

  async function asked(question: string): Promise<AskedCall | undefined> {
    const found = await entry(question)
    return found?.body.kind === 'question' && found.body.approval ? (found.body as AskedCall) : undefined
  }

  /**
   * Resolves when it is durable; keys are of clients' making, and one that was used before hides no other call. One that
   * a person was asked about begins once, at one hub; so does one that its line makes again.
   */
  async function begin(conversation: string, call: NewCall, { key, wasAsked, isRepeated, ...naming }: Beginning) {
    const body: ToolCallBody = { kind: 'tool_call', ...call, ...(roster.own && { hub: roster.own }) }
    const first = wasAsked ? (last: string) => mustNotHaveBegun(call.call_id, last) : undefined
    const [entry] = (
      await rooms.append(
        conversation,
        (state) => bodies(...titled(state, { ...naming, title: naming.title ?? conversation }), body),
        { key: key && CALL_KEYS.begun(key), first },
      )
    ).slice(-1)
    const begun = entry?.body.kind === 'tool_call' ? entry.body : undefined
    if (begun?.call_id === call.call_id) return
    if (isRepeated && begun?.asker === call.asker) throw new BegunElsewhere()
    await rooms.append(conversation, () => bodies(body), { first })
  }

  /** Everything up to the entry that it is appended behind has been looked at, so that nobody can begin it too. */
  async function mustNotHaveBegun(call_id: string, last: string) {
    await projection.reached(last)
    const { phase } = projection.calls().get(call_id) ?? {}
    if (phase !== 'allowed' && phase !== 'denied') throw new BegunElsewhere()
  }

  /** Another hub has it, and is there. */
  function isElsewhere({ hub }: { hub?: string } = {}): boolean {
    return hub !== undefined && hub !== roster.own && !roster.isGone(hub)
  }

  /** Resolves once a call is over, whichever hub runs it. */
  async function over(conversation: string, call_id: string, signal: AbortSignal): Promise<void> {
    const isKnown = new AbortController()
    const waiting = results.wait(call_id, AbortSignal.any([signal, isKnown.signal]))
    waiting.catch(() => {})
    if (await resultOf(conversation, call_id)) isKnown.abort()
    else await waiting
  }

  async function end(conversation: string, result: Brought) {
    const key = CALL_KEYS.result(result.call_id)
    await seen(await rooms.append(conversation, () => bodies({ kind: 'tool_result', ...result }), { key }))
  }

  async function resultOf(conversation: string, call_id: string): Promise<ToolResultBody | undefined> {
    const found = (await views.find(conversation, CALL_KEYS.result(call_id))) as Entry | undefined
    return found?.body.kind === 'tool_result' ? found.body : undefined
  }

  /** The gateway alone tells what becomes of a call of a mounted tool. */
  async function mustBeOthers(conversation: string, call_id: string) {
    const isOwed = projection.calls().get(call_id)?.conversation === conversation
    if (isOwed || (await views.find(conversation, CALL_KEYS.result(call_id))))
      throw new ParleyError('call_of_gateway', { call: call_id })
  }

  /** The caller of a call that is over has gone: a message waits for it. */
  async function tell(call_id: string, text: string, attachments?: Message['attachments']) {
    const { conversation, phase, visit } = projection.calls().get(call_id) ?? {}
    if (conversation === undefined || phase !== 'done') return
    const message: Message = {
      kind: 'message',
      author: 'user',
      by: TELLER,
      text,
      call_id,
      visit,
      ...(attachments && { attachments }),
    }
    await seen(await rooms.append(conversation, () => bodies(message), { key: CALL_KEYS.told(call_id) }))
  }

  /** The caller of a call that was known to know let that fall. */
  async function tellAgain(call_id: string, known: Readonly<OwedCall>, text: string, files?: Message['attachments']) {
    const { conversation, visit, asker, by, folder, at } = known
    const message: Message = { kind: 'message', author: 'user', by: TELLER, text, call_id, visit }
    const told = { ...message, caller: { asker, by, folder, at }, ...(files && { attachments: files }) }
    await seen(await rooms.append(conversation, () => bodies(told)))
  }

  /** The caller of a call that is over knows. */
  async function answered(call_id: string) {
    const { conversation, settlement } = projection.calls().get(call_id) ?? {}
    if (conversation === undefined || settlement === undefined) return
    const receipt: Receipt = { kind: 'receipt', state: 'delivered', replies: [settlement] }
    await seen(await rooms.append(conversation, () => bodies(receipt)))
  }

  /** A caller shows, to the next hub, that it knows what became of these. */
  function known(asker: string, call_ids: string[]): Promise<void> {
    return noting.add(async () => {
      await projection.ready
      for (const id of call_ids) {
        const { phase, conversation = '', settlement, message = '', asker: own } = projection.calls().get(id) ?? {}
        if (own !== asker || (phase !== 'done' && phase !== 'told')) continue
        await (settlement === undefined ? told(conversation, [message]) : answered(id))
      }
    })
  }

  async function seen(entries: Entry[]) {
    const [entry] = entries
    if (entry) await projection.reached(entry.id)
  }

  /**
   * News for this caller of a conversation about calls that came to an end without it; drivers get those of their
   * agents' calls.
   */
  async function untold(conversation: string, agent: Agent): Promise<Untold[]> {
    await noting.idle()
    const late = projection.calls().lateResults(conversation)
    const own = late.filter(
      ({ call: { at, ...call } }) =>
        call.asker !== undefined && visits.isFor({ ...agentIn(call), at }, conversation, agent),
    )
    if (own.length === 0) return []
    const isDriven = await isHeld(conversation)
    const told = own.filter(({ call }) => !isDriven || !isForDriver(call.visit))
    const found = await Promise.all(told.map(({ message }) => entry(message)))
    return found.flatMap((message) =>
      message?.body.kind === 'message'
        ? { message: message.id, text: message.body.text, call_id: message.body.call_id ?? '' }
        : [],
    )
  }

  async function told(conversation: string, messages: string[]) {
    await seen(await rooms.append(conversation, () => bodies({ kind: 'receipt', state: 'delivered', messages })))
  }

  function happened(entry: Entry) {
    const { body } = entry
    if (body.kind === 'tool_result' && body.call_id !== undefined) results.settled(body.call_id, entry)
    if (body.kind !== 'settlement') return
    const call = projection.calls().ofQuestion(body.question)
    if (call !== undefined) settled.emit(call)
  }
}

/** The name under which an agent is told what became of a call. */
const TELLER = 'parley'
