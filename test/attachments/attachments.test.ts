import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect as connectTcp } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { View } from '../../src/chat/view.ts'
import { ATTACHMENT_LIMIT_BYTES } from '../../src/protocol/entries/attachment.ts'
import type { Body, Entry } from '../../src/protocol/entries/entry.ts'
import { ask } from '../support/chat.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { png } from '../support/images.ts'
import { connect, connectPage } from '../support/socket.ts'
import { upload, uploaded } from '../support/uploads.ts'

const PICTURE = new Uint8Array(png(64, 48))
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('[F1] an upload is answered with what the file is, and the file can be fetched', async () => {
  const { url } = await startHub()
  const picture = await uploaded(url, PICTURE, { name: 'Bild ä.png', mime: 'image/png' })
  expect(picture).toEqual({
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    name: 'Bild ä.png',
    mime: 'image/png',
    size: PICTURE.length,
    width: 64,
    height: 48,
  })
  const response = await fetch(`${url}/attachments/${picture.hash}/${encodeURIComponent(picture.name)}`)
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(PICTURE)
  const named = await fetch(`${url}/api/attachments?name=notes.md`, { method: 'POST', body: 'Notes' })
  expect(await named.json()).toMatchObject({ name: 'notes.md', mime: 'text/plain', size: 5 })
})

test('[F4] what is too large or empty is refused with a reason that can be read', async () => {
  const data = await temporaryFolder()
  const { url } = await startHub(data)
  const most = new Uint8Array(ATTACHMENT_LIMIT_BYTES)
  expect((await upload(url, most)).status).toBe(200)
  const over = new Uint8Array(ATTACHMENT_LIMIT_BYTES + 1)
  const tooLarge = { status: 413, body: { error: 'A file is larger than the limit of 20 MiB' } }
  expect(await upload(url, over)).toEqual(tooLarge)
  // Also where nobody says beforehand how much will come.
  const streamed = await fetch(`${url}/api/attachments`, {
    method: 'POST',
    body: new Blob([over]).stream(),
    duplex: 'half',
  } as RequestInit)
  expect([streamed.status, await streamed.json()]).toEqual([413, tooLarge.body])
  expect(await upload(url, '')).toEqual({ status: 400, body: { error: 'This file is empty' } })
  expect(await readdir(join(data, 'files', 'incoming'))).toEqual([])
})

test('[F4] an upload that breaks off leaves nothing behind', async () => {
  const data = await temporaryFolder()
  const { url } = await startHub(data)
  const drafts = () => readdir(join(data, 'files', 'incoming')).catch(() => [])
  const socket = connectTcp(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write('POST /api/attachments HTTP/1.1\r\nHost: localhost:')
  socket.write(`${new URL(url).port}\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\nhalf of it`)
  await expect.poll(drafts).toHaveLength(1)
  socket.destroy()
  await expect.poll(drafts).toEqual([])
  expect(await readdir(join(data, 'files'))).toEqual(['incoming'])
})

test('[F2] two uploads of the same content at once are one file under two names', async () => {
  const data = await temporaryFolder()
  const { url } = await startHub(data)
  const [one, two] = await Promise.all(['one.png', 'two.png'].map((name) => uploaded(url, PICTURE, { name })))
  expect([one?.hash, one?.name, two?.name]).toEqual([two?.hash, 'one.png', 'two.png'])
  expect(await readdir(join(data, 'files', one?.hash.slice(0, 2) ?? ''))).toEqual([one?.hash])
})

test('[F5] only people upload and fetch, only where the hub lets them in, and from no other origin', async () => {
  const { url, tokens } = await startHub()
  const { hash } = await uploaded(url, 'Hello')
  const fetched = async (headers: Record<string, string> = {}) =>
    (await fetch(`${url}/attachments/${hash}/hello.txt`, { headers })).status
  const evil = { origin: 'http://evil.example' }
  expect((await upload(url, 'x', { headers: evil })).body.error).toContain('may not talk to Parley')
  expect(await fetched(evil)).toBe(403)
  const { secret: ada } = await tokens.create({ name: 'ada' })
  const { secret: robot } = await tokens.create({ name: 'robot', role: 'agent' })
  expect((await upload(url, 'x')).status).toBe(401)
  expect(await fetched()).toBe(401)
  const { status, body } = await upload(url, 'x', { headers: bearer(robot) })
  expect([status, body.error]).toEqual([403, 'This is for human or admin, and robot is agent'])
  expect(await fetched(bearer(robot))).toBe(403)
  expect((await upload(url, 'Hello', { headers: bearer(ada) })).status).toBe(200)
  expect(await fetched(bearer(ada))).toBe(200)
})

test('[F5] uploads count against the limit of their principal', async () => {
  const { url } = await startHub(undefined, { rate: 1 })
  const many = await Promise.all(Array.from({ length: 50 }, (_, n) => upload(url, `${n}`)))
  const refused = many.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]?.body.error).toContain('Too many requests')
})

test('[F6] only images that browsers draw and PDF files are shown in place; nothing in a file can run', async () => {
  const { url } = await startHub()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const html = '<!doctype html><script>alert(1)</script>'
  const files = [
    { content: PICTURE, mime: 'image/png', shown: 'image/png' },
    { content: '%PDF-1.7', mime: 'application/pdf', shown: 'application/pdf' },
    // Whatever it is called, and whatever it is said to be.
    { content: PICTURE, mime: 'text/html', shown: 'image/png' },
    { content: `%PDF-1.7 ${html}`, mime: 'text/html', shown: 'application/pdf' },
    { content: svg, mime: 'image/svg+xml' },
    { content: html, mime: 'text/html' },
    { content: html, mime: 'image/png' },
    { content: `${html} %PDF-1.7`, mime: 'application/pdf' },
    { content: 'Hello', mime: 'text/plain' },
  ]
  for (const { content, mime, shown } of files) {
    const { hash, mime: known } = await uploaded(url, content, { mime, name: 'a.html' })
    if (shown) expect(known).toBe(shown)
    else expect(['image/png', 'application/pdf']).not.toContain(known)
    const { status, headers } = await fetch(`${url}/attachments/${hash}/${encodeURIComponent('ä "b".html')}`)
    const get = (name: string) => headers.get(name)
    expect(status).toBe(200)
    expect(get('content-type')).toBe(shown ?? 'application/octet-stream')
    expect(get('content-disposition')).toBe(
      `${shown ? 'inline' : 'attachment'}; filename="_ _b_.html"; filename*=UTF-8''%C3%A4%20%22b%22.html`,
    )
    expect(get('x-content-type-options')).toBe('nosniff')
    expect(get('content-security-policy')).toBe("sandbox; default-src 'none'; frame-ancestors 'self'")
    expect(get('cache-control')).toBe('private, max-age=31536000, immutable')
    expect(get('cross-origin-resource-policy')).toBe('same-origin')
  }
})

test('[F7] a name is never a path, and only a hash leads to a file', async () => {
  const { url } = await startHub()
  for (const [given, name] of [
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ada\\a.txt', 'a.txt'],
    ['..', 'file'],
    ['/', 'file'],
    ['a\u0000b\r\n.txt', 'ab.txt'],
    ['evil\u202Egnp.exe', 'evilgnp.exe'],
  ] as const)
    expect((await uploaded(url, 'x', { name: given })).name).toBe(name)
  expect((await upload(url, 'x', { name: 'x'.repeat(201) })).body.error).toContain('is longer than 200 characters')
  const badName = await upload(url, 'x', { headers: { 'x-name': '%E0%A4%A' } })
  expect([badName.status, badName.body.error]).toEqual([400, '"x-name" must be percent-encoded'])
  expect((await upload(url, 'x', { mime: 'a b' })).body.error).toContain('must be a mime type')
  const { hash } = await uploaded(url, 'x')
  for (const path of [
    '0'.repeat(64),
    hash.toUpperCase(),
    `${hash.slice(0, 2)}%2f${hash}`,
    '..%2f..%2fparley.db',
    '%2e%2e%2fhub.json',
  ])
    expect((await fetch(`${url}/attachments/${path}/x.txt`)).status).toBe(404)
  expect((await fetch(`${url}/attachments/${hash}/${encodeURIComponent('../../x')}`)).status).toBe(200)
})

/** The last entry of the conversation that the page speaks in. */
async function lastBody(view: View): Promise<Body | undefined> {
  return (await view.page('work', { limit: 1 })).entries[0]?.body
}

test('[F8] a message and a reply carry files, with words or without', async () => {
  const { view, url } = await startHub()
  const page = await connectPage(url)
  const picture = await uploaded(url, PICTURE, { name: 'a.png' })
  const notes = await uploaded(url, 'Notes', { name: 'notes.md', mime: 'text/markdown' })
  page.say({ type: 'post', key: '1', conversation: 'work', text: '', attachments: [picture] })
  await page.next('accepted')
  expect(await lastBody(view)).toEqual({
    kind: 'message',
    author: 'user',
    by: 'person',
    text: '',
    attachments: [picture],
  })
  expect((await view.conversation('work')).preview).toBe('Image')
  const id = await ask(view, { by: 'agent', text: 'Which?' })
  page.say({ type: 'answer', key: '2', question: id, text: 'These', attachments: [picture, notes] })
  await page.next('accepted')
  expect(await lastBody(view)).toMatchObject({ outcome: 'answered', reply: 'These', attachments: [picture, notes] })
  const again = await ask(view, { by: 'agent', text: 'More?' })
  // What a client says of a file does not count.
  const lie = { ...notes, mime: 'text/markdown', size: 1, width: 9, height: 9 }
  page.say({ type: 'answer', key: '3', question: again, text: ' ', attachments: [lie, picture] })
  await page.next('accepted')
  expect(await lastBody(view)).toMatchObject({ attachments: [notes, picture] })
  expect((await view.conversation('work')).preview).toBe('Answered: More?')
  page.say({ type: 'post', key: '4', conversation: 'mine', text: '', attachments: [notes, picture] })
  await page.next('accepted')
  expect((await view.conversation('mine')).preview).toBe('2 files')
})

test('[F8] files that are not there, too many or malformed are refused, and nothing changes', async () => {
  const { view, url } = await startHub()
  const page = await connectPage(url)
  const file = await uploaded(url, 'Notes')
  const question = await ask(view, { by: 'agent', text: 'Which?' })
  const approval = await ask(view, {
    by: 'agent',
    text: 'Allow?',
    approval: { tool_name: 'Bash', input: '{}' },
  })
  const last = await view.last()
  const nowhere = '0'.repeat(64)
  const bad: [unknown, string][] = [
    [[{ ...file, hash: nowhere }], `Unknown file "${nowhere}"; upload it first`],
    [[{ ...file, hash: '../../etc/passwd' }], '"attachments.0.hash" must be 64 hexadecimal digits'],
    [[file.hash], '"attachments.0" must be an object'],
    [file, '"attachments" must be a list of files'],
    [Array(11).fill(file), '"attachments" has more than 10 files'],
    [[], '"text" must not be empty'],
  ]
  for (const [attachments, error] of bad)
    for (const command of [
      { type: 'post', conversation: 'work' },
      { type: 'answer', question },
    ]) {
      page.say({ key: 'k', text: '', attachments, ...command })
      expect(await page.next('refused')).toMatchObject({ key: 'k', error })
    }
  page.say({ type: 'answer', key: 'k', question: approval, text: 'No', attachments: [file] })
  expect(await page.next('refused')).toMatchObject({
    error: 'A call is only allowed or denied; files cannot be attached',
  })
  expect(await view.last()).toBe(last)
})

test('[F8] a message with files keeps its place among those that come with it', async () => {
  const { view, url } = await startHub()
  const page = await connectPage(url)
  const file = await uploaded(url, 'Notes')
  for (let n = 0; n < 20; n++)
    page.say({
      type: 'post',
      key: `${n}`,
      conversation: 'work',
      text: `${n}`,
      ...(n % 3 === 0 && { attachments: [file] }),
    })
  for (let n = 0; n < 20; n++) await page.next('accepted')
  const { entries } = await view.page('work', { limit: 50 })
  expect(entries.map(({ body }: Entry) => 'text' in body && body.text)).toEqual(
    Array.from({ length: 20 }, (_, n) => `${n}`),
  )
})

test('[F9] clients that only know text are shown the names of the files', async () => {
  const { view, url } = await startHub()
  const attachments = [await uploaded(url, PICTURE, { name: 'a.png' }), await uploaded(url, 'Notes', { name: 'b.md' })]
  const asked = { by: 'agent', text: 'Look?', attachments }
  const old = await connect(url, '/ws?session=work')
  const id = await ask(view, asked)
  expect(await old.next('agentMessage')).toMatchObject({ text: 'Look?\n\n[Attached: a.png, b.md]' })
  expect(await old.next('ask_user')).toMatchObject({ question: 'Look?\n\n[Attached: a.png, b.md]' })
  await view.answer(id, '', undefined, attachments.slice(0, 1))
  expect(await old.next('user_message')).toMatchObject({ message: '[Attached: a.png]' })
  const late = await connect(url, '/ws?dialect=bridge&session=work')
  expect(await late.next('connected')).toMatchObject({ history: [{ reply: '[Attached: a.png]' }] })
  const response = await fetch(`${url}/api/tools/ui_chat_read_since`, { method: 'POST', body: '{}' })
  const { messages } = (await response.json()) as { messages: Record<string, unknown>[] }
  const [question, reply] = messages
  expect(question?.content).toBe('Look?\n\n[Attached: a.png, b.md]')
  expect(reply).toMatchObject({
    content: '[Attached: a.png]',
    attachments: [{ name: 'a.png', mime: 'image/png', uri: `parley://attachments/${attachments[0]?.hash}/a.png` }],
  })
})
