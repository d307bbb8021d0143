import { expect, test } from 'vitest'
import { newLog } from '../../../test/support/chat.ts'
import { NO_NOTE, type Notes } from '../../log/notes.ts'
import { createUploads } from './uploads.ts'

const ADA = { id: 'ada', name: 'ada', role: 'human' } as const

test('[F28] what was uploaded before is known as soon as it can be read, and the first of too many is pushed out', async () => {
  const { notes: kept } = newLog()
  await kept.put('uploads', [['ada', ['before']]], NO_NOTE)
  let isBroken = true
  const notes: Notes = {
    ...kept,
    async get(name) {
      if (isBroken) throw new Error('The disk fails')
      return kept.get(name)
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
  expect(await kept.get('unsaid files ada')).toMatchObject({ value: Array.from({ length: 998 }, (_, n) => `${n + 2}`) })
  expect(await kept.get('uploads')).toBeUndefined()
})

test('[F28] a hub that begins writes nothing about uploads, so that a full disk hides no file', async () => {
  const { notes: kept } = newLog()
  await kept.put('unsaid files ada', ['before'], NO_NOTE)
  const notes: Notes = { ...kept, put: () => expect.unreachable(), forget: () => expect.unreachable() }
  const uploads = createUploads({ notes, views: { named: async () => [] }, report: expect.unreachable })
  expect(await uploads.filesOf(ADA).mayRead('before')).toBe(true)
})
