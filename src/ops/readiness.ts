import { createEmitter } from '../io/emitter.ts'
import { ParleyError } from '../protocol/errors.ts'
import { isRefusal } from '../protocol/refusal.ts'

interface ReadinessParts {
  /** Resolves once the log was read. */
  recovered: Promise<unknown>
  /** Resolves once it can no longer be used. */
  failed: Promise<unknown>
  /** The present problem with the disk. */
  disk?: { refusal(): ParleyError | undefined; onChange(listener: () => void): unknown }
}

/** Whether the hub can work: its log was read, it still can be, something can be kept, and the hub is not about to end. */
export function createReadiness({ recovered, failed, disk }: ReadinessParts) {
  let reading: ParleyError | undefined = new ParleyError('not_recovered')
  let failure: ParleyError | undefined
  let closing = false
  let told = refusal()?.message
  const changes = createEmitter()
  recovered.then(() => {
    reading = undefined
    look()
  }, logFailed)
  failed.then(logFailed, logFailed)
  disk?.onChange(look)
  return { refusal, isReady, onChange: changes.on, refuseWhenClosing, isClosing: () => closing, close }

  function isReady(): boolean {
    return refusal() === undefined
  }

  function look() {
    const now = refusal()?.message
    if (now === told) return
    told = now
    changes.emit()
  }

  function refusal(): ParleyError | undefined {
    if (failure) return failure
    if (closing) return new ParleyError('shutting_down')
    return reading ?? disk?.refusal()
  }

  function refuseWhenClosing() {
    if (closing) throw refusal()
  }

  /** The reason is told where it is one for people. */
  function logFailed(error: unknown) {
    failure = isRefusal(error, 'data_gone') ? error : new ParleyError('log_failed')
    look()
  }

  function close() {
    closing = true
    look()
  }
}
