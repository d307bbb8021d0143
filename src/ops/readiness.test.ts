import { expect, test } from 'vitest'
import { createReadiness } from './readiness.ts'

test('[S20] a hub is not ready while it reads its log, when the log has failed, and when it closes', async () => {
  const recovered = Promise.withResolvers<void>()
  const { refusal, refuseWhenClosing, logFailed, close } = createReadiness({ recovered: recovered.promise })
  expect([refusal()?.code, refusal()?.retryAfterSeconds]).toEqual(['not_recovered', 1])
  recovered.resolve()
  await recovered.promise
  expect(refusal()).toBeUndefined()
  logFailed()
  expect(refusal()?.message).toBe('The log cannot be used any more; restart Parley')
  refuseWhenClosing()
  close()
  expect(refusal()?.code).toBe('shutting_down')
  expect(refuseWhenClosing).toThrow('Parley is shutting down; come back in a moment')
})

test('[S20] a log that cannot be read makes no hub ready', async () => {
  const { refusal } = createReadiness({ recovered: Promise.reject(new Error('Unreadable')) })
  await new Promise(setImmediate)
  expect(refusal()?.code).toBe('log_failed')
})
