import { expect, test, vi } from 'vitest'
import { until } from '../../../test/support/chat.ts'
import { fullDisk, WROTE } from '../../../test/support/policy/governor.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { createCallLog } from './call-log.ts'

const LOGGED = {
  ...{ call_id: 'c1', conversation: 'work', by: 'codex', server: 'diary', tool: 'write', shown: 'diary_write' },
  ...{ asker: 'bot', decided: { decision: 'allow' } as const },
}

type Ended = Parameters<Parameters<typeof createCallLog>[0]['calls']['end']>

/** A log of calls, and everything that is written to it while its disk takes it. */
function opened() {
  const begun: unknown[][] = []
  const ended: Ended[1][] = []
  const kept: boolean[] = []
  const problems: unknown[] = []
  const disk = { failing: undefined as (() => Promise<never>) | undefined }
  const log = createCallLog({
    calls: {
      begin: async (...args) => void begun.push(args),
      end: async (_, result) => {
        await disk.failing?.()
        ended.push(result)
      },
    },
    keep: async (_, { isWhole }) => {
      kept.push(isWhole)
      return { result: 'kept', masked: 0 }
    },
    keepInput: async (input) => ({ tool_args: JSON.stringify(input) }),
    report: (error) => problems.push(error),
  })
  return { log, begun, ended, kept, problems, disk }
}

test('[G60] a call begins with everything that it is, and the key of its client', async () => {
  const { log, begun } = opened()
  const naming = { title: 'Diary', folder: '/work' }
  await log.begin({ ...LOGGED, naming, key: 'k', wasAsked: true }, { text: 'one' })
  const { shown, conversation, ...more } = LOGGED
  const call = { ...more, tool_name: shown, tool_args: '{"text":"one"}' }
  expect(begun).toEqual([[conversation, call, { key: 'k', wasAsked: true, ...naming }]])
})

test('[G60] how a call ended is a success where its tool says nothing else', async () => {
  const { log, ended } = opened()
  await log.end(LOGGED, { result: WROTE }, 4.6)
  await log.end(LOGGED, { result: { ...WROTE, isError: true } }, 1, true)
  await log.end(LOGGED, { error: new Error('No ink') }, 0)
  const result = { by: 'codex', tool_name: 'diary_write', server: 'diary', call_id: 'c1', decided: LOGGED.decided }
  expect(ended).toEqual([
    { ...result, success: true, duration_ms: 5, result: 'kept', masked: 0 },
    { ...result, success: false, duration_ms: 1, result: 'kept', masked: 0, late: true },
    { ...result, success: false, duration_ms: 0, result: 'No ink' },
  ])
})

test('[G195] a result is kept whole for whoever may come again for it', async () => {
  const { log, kept } = opened()
  await log.end(LOGGED, { result: WROTE }, 0)
  await log.end({ ...LOGGED, wasAsked: true }, { result: WROTE }, 0)
  await log.end({ ...LOGGED, key: 'k' }, { result: WROTE }, 0)
  expect(kept).toEqual([false, true, true])
})

test('[G195] what the disk does not take is there until it does, and then written', async () => {
  vi.useFakeTimers()
  const { log, ended, disk, problems } = opened()
  disk.failing = fullDisk
  const ending = { result: WROTE }
  await log.end(LOGGED, ending, 0)
  const unwritten = log.unwritten('c1')
  expect(unwritten?.ending).toBe(ending)
  await vi.advanceTimersByTimeAsync(1000)
  expect([ended, log.unwritten('c1')?.ending]).toEqual([[], ending])
  disk.failing = undefined
  await vi.advanceTimersByTimeAsync(1000)
  await unwritten?.written
  expect([ended.length, log.unwritten('c1'), problems]).toEqual([1, undefined, []])
  vi.useRealTimers()
})

test('[G195] what nobody can write is reported, and not tried again', async () => {
  const { log, ended, disk, problems } = opened()
  const broken = new Error('Not this one')
  disk.failing = () => Promise.reject(broken)
  await log.end(LOGGED, { result: WROTE }, 0)
  expect([ended, log.unwritten('c1'), problems]).toEqual([[], undefined, [broken]])
})

test('[G195] a hub that ends waits for what is being written, and not for a disk that takes nothing', async () => {
  const { log, ended, disk, problems } = opened()
  const writing = Promise.withResolvers<never>()
  let isWriting = false
  disk.failing = () => {
    isWriting = true
    return writing.promise
  }
  log.endSoon(LOGGED, { result: WROTE }, 0)
  const closed = log.close()
  await until(() => isWriting)
  disk.failing = fullDisk
  writing.reject(new ParleyError('disk_full'))
  await closed
  expect([ended, log.unwritten('c1')]).toEqual([[], undefined])
  expect(problems).toMatchObject([{ code: 'disk_full' }])
})

test('[G60] what ends soon is written before the hub has ended', async () => {
  const { log, ended, disk } = opened()
  const writing = Promise.withResolvers<void>()
  disk.failing = () => writing.promise as Promise<never>
  log.endSoon(LOGGED, { result: WROTE }, 0)
  const closed = log.close()
  writing.resolve()
  await closed
  expect(ended).toHaveLength(1)
})
