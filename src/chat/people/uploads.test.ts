import { expect, test } from 'vitest'
import { createUploads } from './uploads.ts'

const ADA = { id: 'ada', name: 'ada', role: 'human' } as const

test('[F28] what was uploaded before is known as soon as it can be read, and the first of too many is pushed out', async () => {
  let kept: unknown = [['ada', ['before']]]
  let isBroken = true
  const notes = {
    async get() {
      if (isBroken) throw new Error('The disk fails')
      return kept
    },
    async put(_: string, state: unknown) {
      kept = state
    },
  }
  const uploads = createUploads({ notes, views: { named: async () => [] }, report: expect.unreachable })
  const { uploaded, mayRead, withFiles } = uploads.filesOf(ADA)
  await expect(mayRead('before')).rejects.toThrow('The disk fails')
  await expect(uploaded('new')).rejects.toThrow('The disk fails')
  isBroken = false
  expect([await mayRead('before'), await mayRead('new')]).toEqual([true, false])
  for (let n = 0; n < 1000; n++) await uploaded(`${n}`)
  expect([await mayRead('before'), await mayRead('0')]).toEqual([false, true])
  await withFiles([{ hash: '0' }], async () => 'said')
  expect(await mayRead('0')).toBe(false)
  await uploads.gone(['1', 'never'])
  expect(kept).toEqual([['ada', Array.from({ length: 998 }, (_, n) => `${n + 2}`)]])
})
