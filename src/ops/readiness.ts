import { type ErrorCode, ParleyError } from '../protocol/errors.ts'

/** Whether the hub can work: its log was read, it still can be, and the hub is not about to end. */
export function createReadiness({ recovered }: { recovered: Promise<unknown> }) {
  let problem: ErrorCode | undefined = 'not_recovered'
  let closing = false
  recovered.then(() => {
    if (problem === 'not_recovered') problem = undefined
  }, logFailed)
  return { refusal, refuseWhenClosing, logFailed, close }

  function refusal(): ParleyError | undefined {
    if (closing) return new ParleyError('shutting_down')
    return problem && new ParleyError(problem)
  }

  function refuseWhenClosing() {
    if (closing) throw new ParleyError('shutting_down')
  }

  function logFailed() {
    problem = 'log_failed'
  }

  function close() {
    closing = true
  }
}
