import type { MountedCalls } from '../../chat/approvals/mounted-calls.ts'
import type { ToolResultBody } from '../../protocol/entries/entry.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { CallResult, MountedCall } from '../../protocol/tools/gateway.ts'
import type { Keeping } from './keeping.ts'
import { callerOf, denialIn, lateResultText } from './words.ts'

interface LateResultsParts extends Pick<Keeping, 'recall'> {
  calls: Pick<
    MountedCalls,
    'stateOf' | 'untold' | 'told' | 'tell' | 'tellAgain' | 'answered' | 'resultOf' | 'carry' | 'isCarried'
  >
  report(error: unknown): void
}

/** Tells callers what became of calls that came to an end without them, each once. */
export function createLateResults({ calls, recall, report }: LateResultsParts) {
  /** Calls that are over and whose answers are on their way, each with what lets go of the message about it. */
  const answering = new Map<string, () => void>()
  /** Those of them whose answers say what becomes of them. */
  const carried = new Set<string>()
  return { withLateResults, bring, tell, carryAnswer, isAnswering }

  /** Its caller has what came of it, or is about to: the same call made now is another one. */
  function isAnswering(id: string): boolean {
    return answering.has(id) || calls.isCarried(calls.stateOf(id)?.message ?? '')
  }

  /** The answer to any call brings them besides. */
  async function withLateResults(call: MountedCall, result: CallResult): Promise<CallResult> {
    if (call.isRequest) return result
    const { conversation } = call.subject
    const untold = (await calls.untold(conversation, callerOf(call))).filter(
      ({ message, call_id }) => !calls.isCarried(message) && !answering.has(call_id),
    )
    if (untold.length === 0) return result
    const messages = untold.map(({ message }) => message)
    const over = calls.carry(messages)
    const tellAllAgain = untold.map(({ call_id }) => again(call_id))
    let noted: Promise<void> = Promise.resolve()
    call.carry({
      deliveredIds: { conversation, replies: [], calls: untold.map(({ call_id }) => call_id) },
      arrived() {
        noted = calls.told(conversation, messages).catch(report).finally(over)
      },
      returned: over,
      missed: () => void noted.then(() => Promise.all(tellAllAgain.map((tell) => tell()))).catch(report),
    })
    const told = await Promise.all(untold.map(({ text, call_id }) => toldIn(text, call_id)))
    return { ...result, content: [...contentOf(result), ...told.flat()] }
  }

  /** The text, with the whole result where that is more than words. */
  async function toldIn(text: string, call_id: string): Promise<unknown[]> {
    const result = await resultOf(call_id)
    const isMore = result?.whole !== undefined || result?.whole_file !== undefined
    return [{ type: 'text', text }, ...(isMore ? contentOf(await recall(result)) : [])]
  }

  /** The very call that is over, made again: it gets what it would have got. */
  async function bring(id: string, call: MountedCall): Promise<CallResult> {
    // From now on the same call is another one.
    answer(id)
    try {
      const result = await resultOf(id)
      if (!result) throw new ParleyError('call_in_doubt', { tool: call.shown })
      const denial = denialIn(result)
      const brought = denial ? undefined : await recall(result)
      carryAnswer(id, call)
      if (denial) throw denial
      return brought as CallResult
    } finally {
      if (!carried.has(id)) letGo(id)
    }
  }

  /** The answer to a call that is over is sent now: what comes back, or falls, is told later. */
  function carryAnswer(id: string, call: MountedCall) {
    const tellAgain = again(id)
    let noted: Promise<void> = Promise.resolve()
    if (call.signal.aborted) return returned()
    answer(id)
    carried.add(id)
    const deliveredIds = { conversation: call.subject.conversation, replies: [], calls: [id] }
    call.carry({ deliveredIds, arrived, returned, missed })

    function arrived() {
      noted = calls.answered(id).catch(report).finally(over)
    }

    function returned() {
      over()
      tell(id).catch(report)
    }

    function missed() {
      noted.then(tellAgain).catch(report)
    }

    function over() {
      carried.delete(id)
      letGo(id)
    }
  }

  function answer(id: string) {
    const { message } = calls.stateOf(id) ?? {}
    if (!answering.has(id)) answering.set(id, calls.carry(message === undefined ? [] : [message]))
  }

  function letGo(id: string) {
    answering.get(id)?.()
    answering.delete(id)
  }

  /** Tells once more what its caller was known to know, and let fall. */
  function again(id: string): () => Promise<void> {
    const known = calls.stateOf(id)
    return async () => {
      const result = known && (await calls.resultOf(known.conversation, id))
      if (result) await calls.tellAgain(id, known, lateResultText(result), result.attachments)
    }
  }

  /** Nobody got the answer of a call that is over. */
  async function tell(id: string) {
    const result = await resultOf(id)
    if (result) await calls.tell(id, lateResultText(result), result.attachments)
  }

  async function resultOf(id: string): Promise<ToolResultBody | undefined> {
    const { conversation = '' } = calls.stateOf(id) ?? {}
    return calls.resultOf(conversation, id)
  }
}

function contentOf({ content }: CallResult): unknown[] {
  return Array.isArray(content) ? content : []
}
