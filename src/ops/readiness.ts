import { type ErrorCode, ParleyError } from '../protocol/errors.ts'

export interface ReadinessParts {
  /** Once the log was read. */
  recovered: Promise<unknown>
  /** Once it cannot be used any more. */
  failed: Promise<unknown>
}

/** Whether the hub can work: its log was read, it still can be, and the hub is not about to end. */
export function createReadiness({ recovered, failed }: ReadinessParts) {
  let problem: ErrorCode | undefined = 'not_recovered'
  let closing = false
  let wasReady = false
  const listeners = new Set<() => void>()
  recovered.then(() => {
    if (problem === 'not_recovered') problem = undefined
    look()
  }, logFailed)
  failed.then(logFailed, logFailed)
  return { refusal, isReady, onChange, refuseWhenClosing, isClosing: () => closing, close }

  function isReady(): boolean {
    return refusal() === undefined
  }

  function onChange(listener: () => void) {
    listeners.add(listener)
    return { close: () => listeners.delete(listener) }
  }

  function look() {
    if (isReady() === wasReady) return
    wasReady = isReady()
    for (const tell of [...listeners]) tell()
  }

  function refusal(): ParleyError | undefined {
    if (problem === 'log_failed') return new ParleyError(problem)
    if (closing) return new ParleyError('shutting_down')
    return problem && new ParleyError(problem)
  }

  function refuseWhenClosing() {
    if (closing) throw new ParleyError('shutting_down')
  }

  function logFailed() {
    problem = 'log_failed'
    look()
  }

  function close() {
    closing = true
    look()
  }
}
