import { expect, test } from 'vitest'
import { createReadiness } from './readiness.ts'

const never = new Promise(() => {})

test('[S20] a hub is not ready while it reads its log, and when it closes', async () => {
  const recovered = Promise.withResolvers<void>()
  const { refusal, refuseWhenClosing, close } = createReadiness({ recovered: recovered.promise, failed: never })
  expect([refusal()?.code, refusal()?.retryAfterSeconds]).toEqual(['not_recovered', 1])
  recovered.resolve()
  await recovered.promise
  expect(refusal()).toBeUndefined()
  refuseWhenClosing()
  close()
  expect(refusal()?.code).toBe('shutting_down')
  expect(refuseWhenClosing).toThrow('Parley is shutting down; come back in a moment')
})

test('[S20] a hub whose log has failed says so, also while it closes because of that', async () => {
  const failed = Promise.withResolvers<unknown>()
  const { refusal, close } = createReadiness({ recovered: Promise.resolve(), failed: failed.promise })
  failed.resolve(new Error('The disk is gone'))
  await failed.promise
  expect(refusal()?.message).toBe('The log can no longer be used; restart Parley')
  close()
  expect(refusal()?.code).toBe('log_failed')
})

test('[S20] a log that cannot be read makes no hub ready', async () => {
  const { refusal } = createReadiness({ recovered: Promise.reject(new Error('Unreadable')), failed: never })
  await new Promise(setImmediate)
  expect(refusal()?.code).toBe('log_failed')
})
