import { expect, test } from 'vitest'
import { createFileStore } from '../../files/file-store.ts'
import { MASK } from '../../protocol/secrets/masking.ts'
import { keepInput } from './kept-input.ts'
import { keepResult, RESULT_LIMIT_BYTES } from './kept-result.ts'

const SECRET = `ghp_${'a1B2'.repeat(9)}`
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const WORDS = { isWhole: false }

async function open() {
  const files = createFileStore({})
  return { files, [Symbol.asyncDispose]: files.close }
}

test('[G83] a result that fits is its texts, without secrets', async () => {
  await using opened = await open()
  const content = [
    { type: 'text', text: 'one' },
    { type: 'resource', resource: { uri: 'file:///a', text: `TOKEN=${SECRET}` } },
    { type: 'resource_link', uri: 'file:///b', name: 'b' },
  ]
  expect(await keepResult({ content, structuredContent: { password: 'hunter' } }, opened.files, WORDS)).toEqual({
    result: `one\nTOKEN=${MASK}\n{"type":"resource_link","uri":"file:///b","name":"b"}\n{"password":"${MASK}"}`,
    masked: 2,
  })
})

test('[G83] what a server says twice, in a text and in fields, is stored once', async () => {
  await using opened = await open()
  const structuredContent = { answer: 42, token: 'abc' }
  const content = [{ type: 'text', text: JSON.stringify(structuredContent, null, 2) }]
  expect(await keepResult({ content, structuredContent }, opened.files, WORDS)).toEqual({
    result: `{\n  "answer": 42,\n  "token": "${MASK}"\n}`,
    masked: 1,
  })
  const besides = [{ type: 'text', text: 'Found:' }, ...content]
  expect(await keepResult({ content: besides, structuredContent }, opened.files, WORDS)).toEqual({
    result: `Found:\n{\n  "answer": 42,\n  "token": "${MASK}"\n}`,
    masked: 1,
  })
})

test('[G83] of a result over the limit the beginning is stored, cut at a character, and a file has all of it', async () => {
  await using opened = await open()
  const text = `${SECRET} ${'ä€😀'.repeat(3000)}`
  const {
    result,
    masked,
    attachments = [],
  } = await keepResult({ content: [{ type: 'text', text }] }, opened.files, WORDS)
  expect(Buffer.byteLength(result)).toBeLessThanOrEqual(RESULT_LIMIT_BYTES)
  expect(result).toMatch(/^\[masked\] ä€😀.*…$/u)
  expect(result.isWellFormed() && !result.includes('\ufffd')).toBe(true)
  expect(masked).toBe(1)
  expect(attachments).toMatchObject([{ name: 'result.txt', mime: 'text/plain' }])
  expect(String(await opened.files.read(attachments[0]?.hash ?? ''))).toBe(text.replace(SECRET, MASK))
  const list = [{ type: 'text', text: JSON.stringify(Array(RESULT_LIMIT_BYTES).fill(1)) }]
  expect(await keepResult({ content: list }, opened.files, WORDS)).toMatchObject({
    attachments: [{ name: 'result.json', mime: 'application/json' }],
  })
})

test('[G83] images and other data are files, masked where they are text', async () => {
  await using opened = await open()
  const blob = Buffer.from(`key ${SECRET}`).toString('base64')
  const content = [
    { type: 'image', data: DOT, mimeType: 'image/png' },
    { type: 'resource', resource: { uri: 'file:///x/../notes.txt', mimeType: 'text/plain', blob } },
  ]
  const { result, masked, attachments = [] } = await keepResult({ content }, opened.files, WORDS)
  expect({ result, masked }).toEqual({ result: '', masked: 1 })
  expect(attachments).toMatchObject([
    { name: 'image-1.png', mime: 'image/png', width: 1, height: 1 },
    { name: 'notes.txt', mime: 'text/plain' },
  ])
  expect(String(await opened.files.read(attachments[1]?.hash ?? ''))).toBe(`key ${MASK}`)
})

test('[G83] what is too much to be kept is said', async () => {
  await using opened = await open()
  const content = Array.from({ length: 12 }, () => ({ type: 'image', data: DOT, mimeType: 'image/png' }))
  const { result, attachments } = await keepResult(
    { content: [...content, { type: 'image', data: '' }] },
    opened.files,
    WORDS,
  )
  expect({ result, kept: attachments?.length }).toEqual({ result: '[3 files are not kept]', kept: 10 })
  const one = [{ type: 'text', text: 'a picture' }, ...content.slice(1)]
  expect(await keepResult({ content: one }, opened.files, WORDS)).toMatchObject({
    result: 'a picture\n[1 file is not kept]',
  })
})

test('[G83] whatever a server gives can be kept', async () => {
  await using opened = await open()
  for (const [given, result] of [
    [undefined, ''],
    [null, 'null'],
    ['plain', 'plain'],
    [{ content: 'x' }, '{"content":"x"}'],
    [{ content: [null, 1, {}] }, '{}\n{}\n{}'],
    [JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)), `${'['.repeat(200)}"[nested too deeply]"${']'.repeat(200)}`],
  ])
    expect(await keepResult(given as never, opened.files, WORDS)).toMatchObject({ result })
})

test('[G83] a result is cut only where it is over the limit, and then there is room for what is said of files', async () => {
  await using opened = await open()
  const kept = (text: string) => keepResult({ content: [{ type: 'text', text }] }, opened.files, WORDS)
  const fitting = 'x'.repeat(RESULT_LIMIT_BYTES)
  expect(await kept(fitting)).toEqual({ result: fitting })
  const { result } = await kept(`${fitting}x`)
  expect(result).toBe(`${'x'.repeat(RESULT_LIMIT_BYTES - 64)}…`)
  const cut = await kept(`${'x'.repeat(RESULT_LIMIT_BYTES - 65)}😀${fitting}`)
  expect(cut.result).toBe(`${'x'.repeat(RESULT_LIMIT_BYTES - 65)}…`)
})

test('[G83] files are named by what their server calls them, or by what they are', async () => {
  await using opened = await open()
  const data = Buffer.from([0xff, 0xfe]).toString('base64')
  const content = [
    { type: 'image', data, mimeType: 'image/svg+xml' },
    { data, mimeType: 'odd' },
    { type: 'audio', data },
    { type: 'resource', resource: { uri: `file:///${'d'.repeat(120)}/${'n'.repeat(90)}.wav`, blob: data } },
    { uri: 'memo://notes', blob: data, mimeType: 'text/plain' },
  ]
  const { attachments = [] } = await keepResult({ content }, opened.files, WORDS)
  expect(attachments.map(({ name, mime }) => [name, mime])).toEqual([
    ['image-1.svg', 'image/svg+xml'],
    ['file-2.octet-stream', 'application/octet-stream'],
    ['audio-3.octet-stream', 'application/octet-stream'],
    [`${'n'.repeat(90)}.wav`, 'application/octet-stream'],
    ['notes.plain', 'text/plain'],
  ])
})

test('[G83] what was read, a prompt and fields without words are stored like the result of a tool', async () => {
  await using opened = await open()
  const kept = async (given: Record<string, unknown>) => (await keepResult(given, opened.files, WORDS)).result
  expect(await kept({ contents: [{ uri: 'memo://a', text: 'one' }] })).toBe('one')
  expect(await kept({ messages: [{ role: 'user', content: { type: 'text', text: 'two' } }], content: [] })).toBe('two')
  expect(await kept({ content: [], structuredContent: { n: 3 } })).toBe('{"n":3}')
  expect(await kept({ content: [{ type: 'text', text: 'n is 3' }], structuredContent: { n: 3 } })).toBe(
    'n is 3\n{"n":3}',
  )
  expect(await kept({ structuredContent: { n: 3 } })).toBe('{"structuredContent":{"n":3}}')
})

const INPUT_LIMIT = 256 * 1024
const INPUT_AROUND = '{"a":""}'.length

test('[G193] arguments of 256 KiB are in their entry, those with a byte more in a file', async () => {
  const files = createFileStore({})
  await using _ = { [Symbol.asyncDispose]: files.close }
  const fitting = { a: 'x'.repeat(INPUT_LIMIT - INPUT_AROUND) }
  expect(await keepInput(fitting, files)).toEqual({ tool_args: JSON.stringify(fitting) })
  for (const longer of [{ a: `${fitting.a}x` }, { a: `${fitting.a.slice(1)}ä` }]) {
    const { tool_args, args_file = '', masked } = await keepInput(longer, files)
    expect(JSON.parse(tool_args)).toEqual({ 'kept as a file': { sha256: args_file, bytes: INPUT_LIMIT + 1 } })
    expect(String(await files.read(args_file))).toBe(JSON.stringify(longer))
    expect(masked).toBeUndefined()
  }
})
