import { expect, test } from 'vitest'
import { createFileStore } from '../../files/file-store.ts'
import { MASK } from '../../protocol/secrets/masking.ts'
import { createKeeping } from './keeping.ts'

const SECRET = `ghp_${'a1B2'.repeat(9)}`
const ended = { kind: 'tool_result', by: 'agent', tool_name: 'x', success: true } as const

async function open() {
  const files = createFileStore({ limitBytes: 100_000 })
  return { ...createKeeping(files), files, [Symbol.asyncDispose]: files.close }
}

test('[G195] what is one text is kept once, and everything else in its own shape, without secrets', async () => {
  await using kept = await open()
  const data = Buffer.from(`key ${SECRET}`).toString('base64')
  const sound = Buffer.from(`\xff${SECRET}`, 'latin1').toString('base64')
  for (const [given, back = given] of [
    [{ content: [{ type: 'text', text: 'one' }] }],
    [{ content: [{ type: 'text', text: 'one' }], structuredContent: { one: 1 }, _meta: { odd: true } }],
    [{ content: [], structuredContent: { list: [1, null, 'x'] }, 'x-odd': 1 }],
    [{ content: [{ type: 'text', text: 'ä'.repeat(40_000) }] }],
    [{ content: [{ type: 'odd', data: { n: [1] } }, 7, { type: 'odd', resource: 'none' }] }],
    [{ content: 'odd', contents: 7, messages: [{ role: 'user', content: 'odd' }] }],
    [{ content: [{ type: 'audio', data: sound, mimeType: 'audio/wav', annotations: { priority: 1 } }] }],
    [
      {
        content: [
          { type: 'text', text: `a ${SECRET}` },
          { type: 'text', text: 'b' },
        ],
      },
      {
        content: [
          { type: 'text', text: `a ${MASK}` },
          { type: 'text', text: 'b' },
        ],
      },
    ],
    [
      { content: [{ type: 'resource', resource: { uri: 'file:///a', blob: data } }] },
      {
        content: [
          { type: 'resource', resource: { uri: 'file:///a', blob: Buffer.from(`key ${MASK}`).toString('base64') } },
        ],
      },
    ],
  ] as Record<string, unknown>[][]) {
    const body = await kept.keep(given ?? {}, { isWhole: true })
    expect(await kept.recall({ ...ended, ...body })).toEqual(back)
  }
  const only = await kept.keep({ content: [{ type: 'text', text: 'one' }] }, { isWhole: true })
  expect(only).toEqual({ result: 'one' })
})

test('[G195] what is too large to be kept, or is gone, is an error that says so', async () => {
  await using kept = await open()
  const body = await kept.keep({ content: [{ type: 'text', text: 'x'.repeat(200_000) }] }, { isWhole: true })
  const lost = {
    isError: true,
    content: [{ text: expect.stringMatching(/of its result only this could be kept:\nxxx/) }],
  }
  expect(await kept.recall({ ...ended, ...body })).toMatchObject(lost)
  const whole_file = '0'.repeat(64)
  expect(await kept.recall({ ...ended, result: 'xxx', whole_file })).toMatchObject(lost)
})

test('[G307] fields that had secrets are told as words, because they may not be what the tool says of them', async () => {
  await using kept = await open()
  const text = { type: 'text', text: 'made' }
  const body = await kept.keep({ content: [text], structuredContent: { token: SECRET, n: 1 } }, { isWhole: true })
  expect(await kept.recall({ ...ended, ...body })).toEqual({
    isError: true,
    content: [
      { type: 'text', text: expect.stringMatching(/which are not kept:\n\{"token":"\[masked\]","n":1\}$/) },
      text,
    ],
  })
  const failed = await kept.keep(
    { content: [], structuredContent: { token: SECRET }, isError: true },
    { isWhole: true },
  )
  expect(await kept.recall({ ...ended, ...failed })).toEqual({
    isError: true,
    content: [],
    structuredContent: { token: MASK },
  })
})

test('[G195] a whole result is in its entry up to 16 KiB, and beyond that in a file', async () => {
  await using kept = await open()
  const around = JSON.stringify({ content: [], a: '' }).length
  const keep = (length: number) => kept.keep({ content: [], a: 'x'.repeat(length) }, { isWhole: true })
  const fitting = await keep(16 * 1024 - around)
  expect([fitting.whole?.length, fitting.whole_file]).toEqual([16 * 1024, undefined])
  const longer = await keep(16 * 1024 - around + 1)
  expect([longer.whole, longer.whole_file]).toEqual([undefined, expect.stringMatching(/^[0-9a-f]{64}$/)])
  expect(await kept.recall({ ...ended, ...longer })).toEqual({ a: 'x'.repeat(16 * 1024 - around + 1), content: [] })
})

test('[G195] what is one text and nothing else is told by that, whether it was a success or not', async () => {
  await using kept = await open()
  const text = [{ type: 'text', text: 'one' }]
  const whole = async (given: Record<string, unknown>) => (await kept.keep(given, { isWhole: true })).whole
  expect(await whole({ content: text, isError: true })).toBeUndefined()
  expect(await whole({ content: [...text, ...text] })).toBeDefined()
  expect(await whole({ content: [{ ...text[0], annotations: {} }] })).toBeDefined()
  expect(await whole({ content: [{ type: 'data', text: 'one' }] })).toBeDefined()
  expect(await whole({ content: text, resultType: 'complete' })).toBeDefined()
  expect(await whole({ content: [] })).toBeDefined()
  expect(await kept.recall({ ...ended, result: 'one' })).toEqual({ content: text })
  expect(await kept.recall({ ...ended, result: 'one', success: false })).toEqual({ content: text, isError: true })
})
