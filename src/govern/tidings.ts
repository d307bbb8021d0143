import type { MountedCalls } from '../chat/mounted-calls.ts'
import type { ToolResultBody } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { CallResult, MountedCall } from '../protocol/gateway.ts'
import { answerOf, callerOf, tidingsOf } from './words.ts'

interface TidingsParts {
  calls: Pick<MountedCalls, 'stateOf' | 'untold' | 'told' | 'tell' | 'answered' | 'resultOf'>
  report(error: unknown): void
}

/** Tells callers what became of calls that came to an end without them, each once. */
export function createTidings({ calls, report }: TidingsParts) {
  /** Messages that an answer takes along just now. */
  const onTheWay = new Set<string>()
  /** Calls that are over and whose answers are on their way. */
  const answering = new Set<string>()
  return { withTidings, bring, tell, carryAnswer, isAnswering }

  /** Its caller has what came of it, or is about to: the same call made now is another one. */
  function isAnswering(id: string): boolean {
    return answering.has(id) || onTheWay.has(calls.stateOf(id)?.message ?? '')
  }

  /** The answer to any call brings them besides. */
  async function withTidings(call: MountedCall, result: CallResult): Promise<CallResult> {
    const { conversation } = call.subject
    const untold = (await calls.untold(conversation, callerOf(call))).filter(({ message }) => !onTheWay.has(message))
    if (untold.length === 0) return result
    const messages = untold.map(({ message }) => message)
    for (const message of messages) onTheWay.add(message)
    call.carry({
      arrived: () => void calls.told(conversation, messages).catch(report).finally(over),
      returned: over,
    })
    const content = Array.isArray(result.content) ? result.content : []
    return { ...result, content: [...content, ...untold.map(({ text }) => ({ type: 'text', text }))] }

    function over() {
      for (const message of messages) onTheWay.delete(message)
    }
  }

  /** The very call that is over, made again: it gets what it would have got. */
  async function bring(id: string, call: MountedCall): Promise<CallResult> {
    const { message } = calls.stateOf(id) ?? {}
    const result = await resultOf(id)
    if (!result) throw new ParleyError('call_in_doubt', { tool: call.shown })
    if (message !== undefined) onTheWay.add(message)
    carryAnswer(id, call)
    return answerOf(result)
  }

  /** The answer to a call that is over is sent now: what comes back is told later. */
  function carryAnswer(id: string, call: MountedCall) {
    const { message = '' } = calls.stateOf(id) ?? {}
    if (call.signal.aborted) return returned()
    answering.add(id)
    call.carry({ arrived, returned })

    function arrived() {
      void calls.answered(id).catch(report).finally(over)
    }

    function returned() {
      over()
      tell(id).catch(report)
    }

    function over() {
      answering.delete(id)
      onTheWay.delete(message)
    }
  }

  /** Nobody got the answer of a call that is over. */
  async function tell(id: string) {
    const result = await resultOf(id)
    if (result) await calls.tell(id, tidingsOf(result))
  }

  async function resultOf(id: string): Promise<ToolResultBody | undefined> {
    const { conversation = '' } = calls.stateOf(id) ?? {}
    return calls.resultOf(conversation, id)
  }
}
