import type { MountedCalls } from '../chat/mounted-calls.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { CallResult, MountedCall } from '../protocol/gateway.ts'
import { resultKey } from './call-log.ts'

interface TidingsParts {
  calls: Pick<MountedCalls, 'stateOf' | 'untold' | 'told' | 'find'>
  report(error: unknown): void
}

/** Tells callers what became of calls that came to an end without them, each once. */
export function createTidings({ calls, report }: TidingsParts) {
  /** Messages that an answer takes along just now. */
  const onTheWay = new Set<string>()
  return { withTidings, bring }

  /** The answer to any call brings them besides. */
  async function withTidings(call: MountedCall, result: CallResult): Promise<CallResult> {
    const { conversation, principal } = call.subject
    const untold = (await calls.untold(conversation, principal)).filter(({ message }) => !onTheWay.has(message))
    if (untold.length === 0) return result
    take(
      call,
      untold.map(({ message }) => message),
    )
    const content = Array.isArray(result.content) ? result.content : []
    return { ...result, content: [...content, ...untold.map(({ text }) => ({ type: 'text', text }))] }
  }

  /** The very call that came to an end, made again: it gets what it would have got. */
  async function bring(id: string, call: MountedCall): Promise<CallResult> {
    const { conversation = '', message } = calls.stateOf(id) ?? {}
    if (message !== undefined) take(call, [message])
    const found = await calls.find(conversation, resultKey(id))
    if (found?.body.kind !== 'tool_result') throw new ParleyError('call_in_doubt', { tool: call.shown })
    const { result: text, success } = found.body
    return { content: [{ type: 'text', text }], ...(!success && { isError: true }) }
  }

  function take({ subject: { conversation }, carry }: MountedCall, messages: string[]) {
    for (const message of messages) onTheWay.add(message)
    const over = () => {
      for (const message of messages) onTheWay.delete(message)
    }
    carry({
      arrived: () => void calls.told(conversation, messages).catch(report).finally(over),
      returned: over,
    })
  }
}
