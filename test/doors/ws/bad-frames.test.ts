import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { Entry } from '../../../src/protocol/entries/entry.ts'
import { ask } from '../../support/chat.ts'
import { startHub } from '../../support/hub.ts'
import { type Client, connect, type Frame } from '../../support/socket.ts'

const forever = new AbortController().signal

/** How each dialect answers a question, and how it says no. */
const DIALECTS = [
  { name: 'bridge', path: '/ws?dialect=bridge', answer: ack, refusal: 'error' },
  { name: 'router', path: '/ws?dialect=router', answer: respond, refusal: 'error' },
  { name: 'loop', path: '/ws?dialect=loop', answer: undefined, refusal: 'error' },
  { name: 'plain', path: '/ws?', answer: ack, refusal: 'error' },
  { name: 'timeline', path: '/ws?dialect=timeline', answer: settle, refusal: 'refused' },
] as const
const ANSWERING = DIALECTS.filter(({ answer }) => answer)

function ack(id: string, message: string) {
  return { type: 'ack', id, message }
}

function respond(id: string, answer: string) {
  return { id, type: 'user_response', answer }
}

function settle(question: string, text: string) {
  return { type: 'answer', key: text, question, text }
}

/** Past the first frames, and greeted where that is needed. */
async function open(url: string, { name, path }: { name: string; path: string }, token?: string): Promise<Client> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const client = await connect(url, path, undefined, headers)
  if (name === 'timeline') {
    client.say({ type: 'hello' })
    await client.next('welcome')
  }
  return client
}

async function times(count: number, next: () => Promise<Frame>): Promise<Frame[]> {
  const frames: Frame[] = []
  while (frames.length < count) frames.push(await next())
  return frames
}

describe.each(DIALECTS)('$name', (dialect) => {
  const { name, refusal } = dialect

  test('[W26] nothing, bytes, half a frame and 100,000 levels each get one clear error, in their order', async () => {
    const { view, url } = await startHub()
    const client = await open(url, dialect)
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const bad: [string | Buffer, string][] = [
      ['', 'This JSON cannot be read'],
      [Buffer.alloc(0), 'Frames are text, not binary'],
      [Buffer.from('{"type":"ack"}'), 'Frames are text, not binary'],
      ['{"type":"ac', 'This JSON cannot be read'],
      ['['.repeat(100_000), 'This JSON cannot be read'],
      [deep, 'A frame is a JSON object with a "type"'],
      [`{"type":${deep}}`, 'A frame is a JSON object with a "type"'],
      ['{"a":'.repeat(100_000) + '}'.repeat(100_000), 'This JSON cannot be read'],
      ['{"type":"__proto__","__proto__":{"type":"ack"}}', 'Unknown frame type "__proto__"'],
      ['{"type":"constructor"}', 'Unknown frame type "constructor"'],
      ['{"type":1e400}', 'A frame is a JSON object with a "type"'],
    ]
    for (const [frame] of bad) client.ws.send(frame)
    const refusals = await times(bad.length, () => client.next(refusal))
    expect(refusals.map(({ error }) => error)).toEqual(bad.map(([, error]) => error))
    expect(await view.conversations({ limit: 1 })).toEqual([])
  })

  test('[W5] too much closes with 1009 and what is not UTF-8 with 1007, alone; the hub and the others go on', async () => {
    const { url } = await startHub()
    const other = await open(url, dialect)
    const cut = Buffer.from('{"type":"€"}').subarray(0, 11)
    const endings: [number, (client: Client) => void][] = [
      [1009, ({ ws }) => ws.send('x'.repeat(10 * 1024 * 1024))],
      [1009, ({ ws }) => sendInParts(ws, Buffer.alloc(10 * 1024 * 1024, 'x'), 1024 * 1024)],
      [1007, ({ ws }) => ws.send(cut.subarray(0, 10), { binary: false })],
      [1007, ({ ws }) => ws.send(Buffer.from([0xed, 0xa0, 0x80]), { binary: false })],
    ]
    for (const [code, end] of endings) {
      const client = await open(url, dialect)
      end(client)
      expect((await client.closed).code).toBe(code)
    }
    other.say({ type: 'dance' })
    expect(await other.next(refusal)).toMatchObject({ error: 'Unknown frame type "dance"' })
  })

  test('[W26] a character cut in two by fragments is whole again', async () => {
    const { url } = await startHub()
    const client = await open(url, dialect)
    sendInParts(client.ws, Buffer.from('{"type":"€😀"}'), 1)
    expect(await client.next(refusal)).toMatchObject({ error: 'Unknown frame type "€😀"' })
  })

  test('[W26] a thousand broken frames in one burst are each answered, in their order', async () => {
    const { url } = await startHub()
    const client = await open(url, dialect)
    const types = Array.from({ length: 1000 }, (_, n) => `dance ${n}`)
    for (const type of types) client.say({ type })
    const refusals = await times(types.length, () => client.next(refusal))
    expect(refusals.map(({ error }) => error)).toEqual(types.map((type) => `Unknown frame type "${type}"`))
  })

  test('[W27] what is no WebSocket frame closes its own connection with 1002, and the hub goes on', async () => {
    const { url, port } = await startHub()
    const other = await open(url, dialect)
    const broken = [
      [0x81, 0x02, 0x7b, 0x7d], // not masked
      [0x83, 0x80, 0, 0, 0, 0], // an opcode that there is not
      [0xf1, 0x80, 0, 0, 0, 0], // reserved bits
      [0x89, 0xfe, 0x01, 0x00, 0, 0, 0, 0], // a ping that is too long
      [0x80, 0x80, 0, 0, 0, 0], // goes on with nothing
    ]
    for (const bytes of broken) expect(await closeCode(port, dialect.path, Buffer.from(bytes))).toBe(1002)
    const halfway = await openTcp(port, dialect.path)
    halfway.write(Buffer.from([0x81, 0xfe, 0xff, 0xff, 0, 0, 0, 0, 0x7b]))
    halfway.destroy()
    other.say({ type: 'dance' })
    expect(await other.next(refusal)).toMatchObject({ error: 'Unknown frame type "dance"' })
  })

  test('[W26] what belongs to another conversation is not there for a bound principal', async () => {
    const { view, url, tokens } = await startHub()
    const id = await ask(view, { by: 'bob', text: 'Deploy now?' }, 'other')
    const client = await open(url, dialect, (await tokens.create({ name: 'ada', conversation: 'mine' })).secret)
    client.say(dialect.answer?.(id, 'Yes') ?? { type: 'chat', message: 'Yes', session_id: 'other' })
    const nothing = name === 'loop' ? 'Unknown conversation "other"' : `Unknown question "${id}"`
    expect(await client.next(refusal)).toMatchObject({ error: nothing })
    expect((await view.conversation('other')).open).toHaveLength(1)
  })
})

describe.each(ANSWERING)('$name', (dialect) => {
  const answer = dialect.answer ?? ack
  const { refusal } = dialect

  test('[W26] replies that come after the end of a question are told so, however it ended', async () => {
    const { view, url } = await startHub()
    const asked = [
      await ask(view, { by: 'bob', text: 'Answered?' }),
      await ask(view, { by: 'bob', text: 'Withdrawn?' }),
      await ask(view, { by: 'bob', text: 'Expired?', expires_at: Date.now() - 1 }),
    ]
    await view.answer(asked[0] ?? '', 'Yes')
    await view.agentService().withdraw([asked[1] ?? ''])
    await view.agentService().outcome(asked[2] ?? '', forever)
    const last = await view.last()
    const client = await open(url, dialect)
    for (const id of asked) {
      client.say(answer(id, `to ${id}`))
      expect(await client.next(refusal)).toMatchObject({ error: 'This question is no longer open' })
    }
    expect(await view.last()).toBe(last)
  })

  test('[W26] a thousand replies in one burst settle in their order, and what comes again is refused one by one', async () => {
    const { view, url } = await startHub()
    const client = await open(url, dialect)
    const texts = Array.from({ length: 1000 }, (_, n) => `reply ${n}`)
    const asked = await Promise.all(texts.map((text) => ask(view, { by: 'bob', text })))
    for (const [n, id] of asked.entries()) client.say(answer(id, texts[n] ?? ''))
    await view.agentService().outcome(asked.at(-1) ?? '', forever)
    const { entries } = await view.page('work', { after: asked.at(-1), limit: 2000 })
    expect(entries.map(replyOf)).toEqual(texts)
    const again = asked.slice(0, 500)
    for (const id of again) client.say(answer(id, 'too late'))
    const refusals = await times(again.length, () => client.next(refusal))
    expect(new Set(refusals.map(({ error }) => error))).toEqual(new Set(['This question is no longer open']))
  })
})

test('[W25] of a thousand words in one burst the first answer what is open, the others are said, and none is lost', async () => {
  const { view, url } = await startHub()
  for (const text of ['First?', 'Second?']) await ask(view, { by: 'bob', text })
  const client = await connect(url, '/ws?dialect=loop')
  const words = Array.from({ length: 1000 }, (_, n) => `word ${n}`)
  for (const message of words) client.say({ type: 'chat', message, session_id: 'work' })
  const echoes = await times(words.length, () => client.next('user_message'))
  expect(echoes.map(({ message }) => message)).toEqual(words)
  const { entries } = await view.page('work', { limit: 2000 })
  expect(entries.slice(3).map(({ body }) => body.kind)).toEqual([
    'settlement',
    'settlement',
    ...words.slice(2).map(() => 'message'),
  ])
})

test('[W28] a page that says hello twice at once is told each entry once', async () => {
  const { view, url } = await startHub()
  const client = await connect(url, '/ws?dialect=timeline')
  for (let n = 0; n < 2; n++) client.say({ type: 'hello' })
  await times(2, () => client.next('welcome'))
  for (const text of ['one', 'two', 'three']) await view.say('work', { text })
  client.say({ type: 'list', key: 'k' })
  await client.next('entries')
  const heard: unknown[] = []
  for (let frame = await client.any(); frame.type !== 'listed'; frame = await client.any()) heard.push(frame.entries)
  expect(heard).toMatchObject([[{ body: { text: 'two' } }], [{ body: { text: 'three' } }]])
})

test('[W9] a bridge client that stops reading ends up with every question, in order', async () => {
  const { view, url } = await startHub()
  const client = await connect(url)
  await client.next('connected')
  const texts = Array.from({ length: 2000 }, (_, n) => `${n} `.padEnd(4096, 'x'))
  client.ws.pause()
  await Promise.all(texts.map((text) => ask(view, { by: 'bob', text })))
  client.ws.resume()
  const shown = await times(texts.length, () => client.next('agentMessage'))
  expect(shown.map(({ text }) => text)).toEqual(texts)
})

function replyOf({ body }: Entry): string | undefined {
  return body.kind === 'settlement' ? body.reply : undefined
}

function sendInParts(ws: Client['ws'], bytes: Buffer, size: number) {
  for (let sent = 0; sent < bytes.length; sent += size)
    ws.send(bytes.subarray(sent, sent + size), { binary: false, fin: sent + size >= bytes.length })
}

/** An upgraded connection for what no WebSocket client would send. */
async function openTcp(port: number, path: string) {
  const stream = connectTcp(port, '127.0.0.1')
  stream.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  const [head] = await once(stream, 'data')
  expect(String(head)).toContain('101 Switching Protocols')
  return stream
}

async function closeCode(port: number, path: string, bytes: Buffer): Promise<number> {
  const stream = await openTcp(port, path)
  const chunks: Buffer[] = []
  stream.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
  const closed = once(stream, 'end')
  stream.write(bytes)
  await closed
  stream.destroy()
  const read = Buffer.concat(chunks)
  return read.readUInt16BE(read.lastIndexOf(Buffer.from([0x88, 0x02])) + 2)
}
