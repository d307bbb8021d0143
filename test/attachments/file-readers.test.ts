import { createHash, randomUUID } from 'node:crypto'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import type { Attachment } from '../../src/protocol/entries/attachment.ts'
import type { Deed } from '../../src/protocol/entries/entry.ts'
import type { Role } from '../../src/protocol/principal.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { connect, type Client as Page } from '../support/socket.ts'
import { uploaded } from '../support/uploads.ts'

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const uriOf = ({ hash }: Pick<Attachment, 'hash'>) => `parley://attachments/${hash}/file.txt`
const NEVER = { hash: hashOf('never') }
const SURFACES: [path: string, role: Role][] = [
  ['agent', 'agent'],
  ['chat', 'human'],
  ['human', 'human'],
  ['assistant', 'agent'],
  ['ui', 'agent'],
  ['orchestrator', 'orchestrator'],
]

/** Two conversations with a file each, and tokens for the first alone. */
async function twoFiles(data?: string) {
  const hub = await startHub(data)
  const { secret: ada } = await hub.tokens.create({ name: 'ada' })
  const page = await pageOf(hub.url, ada)
  const own = await uploaded(hub.url, 'for all to see', { headers: bearer(ada) })
  const other = await uploaded(hub.url, 'not for them', { headers: bearer(ada) })
  expect(await post(page, 'own', [own])).toMatchObject({ type: 'accepted' })
  expect(await post(page, 'other', [other])).toMatchObject({ type: 'accepted' })
  const bound = async (role: Role) =>
    (await hub.tokens.create({ name: `bound-${role}`, role, conversation: 'own' })).secret
  return { ...hub, ada, page, own, other, bound }
}

async function pageOf(url: string, secret: string) {
  const page = await connect(url, '/ws?dialect=timeline', undefined, bearer(secret))
  page.say({ type: 'hello' })
  await page.next('welcome')
  return page
}

/** What came of it. */
async function post(page: Page, conversation: string, attachments: object[]) {
  const key = randomUUID()
  page.say({ type: 'post', key, conversation, text: 'See', attachments })
  for (;;) {
    const frame = await page.any()
    if (frame.key === key) return frame
  }
}

async function reader(url: string, path: string, secret: string) {
  const client = new Client({ name: 'reader', version: '1' })
  const requestInit = { headers: bearer(secret) }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/${path}`), { requestInit }))
  onTestFinished(() => client.close())
  return async (uri: string) => {
    try {
      const { contents } = await client.readResource({ uri })
      return (contents[0] as { text?: string }).text
    } catch (error) {
      return (error as Error).message.replaceAll(uri, 'URI')
    }
  }
}

test.for(SURFACES)('[F26] who is bound to one conversation reads its files at /mcp/%s alone', async ([path, role]) => {
  const { url, bound, tokens, own, other } = await twoFiles()
  const read = await reader(url, path, await bound(role))
  expect(await read(uriOf(own))).toBe('for all to see')
  const unknown = await read(uriOf(NEVER))
  expect(unknown).toContain('URI')
  expect(await read(uriOf(other))).toBe(unknown)
  const all = await reader(url, path, (await tokens.create({ name: 'all', role })).secret)
  expect(await all(uriOf(other))).toBe('not for them')
})

test('[F26] a page of one conversation fetches its files alone; of others it cannot tell whether they are there', async () => {
  const { url, bound, ada, own, other } = await twoFiles()
  const headers = bearer(await bound('human'))
  const fetched = async ({ hash }: Pick<Attachment, 'hash'>, more = {}) => {
    const response = await fetch(`${url}/attachments/${hash}/file.txt`, { headers: { ...headers, ...more } })
    return [response.status, (await response.text()).replace(hash, 'HASH')]
  }
  expect(await fetched(own)).toEqual([200, 'for all to see'])
  const unknown = await fetched(NEVER)
  expect(unknown[0]).toBe(404)
  for (const more of [{}, { range: 'bytes=0-3' }, { range: 'bytes=900-' }])
    expect(await fetched(other, more)).toEqual(unknown)
  expect(await fetched(other, bearer(ada))).toEqual([200, 'not for them'])
})

test('[F28] what somebody may not read they cannot attach, and what they uploaded they can', async () => {
  const { url, bound, own, other } = await twoFiles()
  const secret = await bound('human')
  const page = await pageOf(url, secret)
  const ref = (hash: string) => ({ hash, name: 'file.txt', mime: 'text/plain' })
  const unknown = await post(page, 'own', [ref(NEVER.hash)])
  expect(unknown).toMatchObject({ type: 'refused', code: 'unknown_file' })
  const refused = await post(page, 'own', [own, ref(other.hash)])
  expect(refused).toMatchObject({ code: 'unknown_file', error: `${unknown.error}`.replace(NEVER.hash, other.hash) })
  expect((await fetch(`${url}/attachments/${other.hash}/a`, { headers: bearer(secret) })).status).toBe(404)
  // Who has its content has it.
  const again = await uploaded(url, 'not for them', { headers: bearer(secret) })
  expect(again.hash).toBe(other.hash)
  expect((await fetch(`${url}/attachments/${other.hash}/a`, { headers: bearer(secret) })).status).toBe(200)
  expect(await post(page, 'own', [own, again])).toMatchObject({ type: 'accepted' })
})

test('[F28] what was uploaded and not said is its uploader’s alone, also at the next hub', async () => {
  const data = await temporaryFolder()
  const { url, ada, bound, close } = await twoFiles(data)
  const bob = await bound('human')
  const draft = await uploaded(url, 'a draft', { headers: bearer(ada) })
  await close()
  const next = await startHub(data)
  const [adas, bobs] = [await pageOf(next.url, ada), await pageOf(next.url, bob)]
  const fetched = async (secret: string) =>
    (await fetch(`${next.url}/attachments/${draft.hash}/a`, { headers: bearer(secret) })).status
  expect([await fetched(ada), await fetched(bob)]).toEqual([200, 404])
  expect(await post(bobs, 'own', [draft])).toMatchObject({ code: 'unknown_file' })
  expect(await post(adas, 'own', [draft])).toMatchObject({ type: 'accepted' })
  expect([await fetched(ada), await fetched(bob)]).toEqual([200, 200])
})

test('[F28] words with files and words without come in the order in which they were sent', async () => {
  const { url, ada, page, viewOf } = await twoFiles()
  const file = await uploaded(url, 'in order', { headers: bearer(ada) })
  for (const attachments of [[file], undefined, [file], undefined])
    page.say({
      type: 'post',
      key: randomUUID(),
      conversation: 'order',
      text: attachments ? 'file' : 'none',
      attachments,
    })
  for (let n = 0; n < 4; n++) await page.next('accepted')
  const { entries } = await viewOf({ id: 'ada', name: 'ada', role: 'admin' }).page('order', { limit: 9 })
  expect(entries.flatMap(({ body }) => (body.kind === 'message' ? body.text : []))).toEqual([
    'file',
    'none',
    'file',
    'none',
  ])
})

test('[F28] what an agent tells of itself names no file of others', async () => {
  const { chat, other, page, own } = await twoFiles()
  const robot = chat.as({ id: 'robot', name: 'robot', role: 'agent', conversation: 'own' })
  const did = { by: 'robot', tool_name: 't' }
  const unknown = { code: 'unknown_file' }
  for (const deed of [
    { kind: 'tool_result', ...did, result: '', success: true, whole_file: other.hash },
    { kind: 'tool_result', ...did, result: '', success: true, attachments: [other] },
    { kind: 'tool_call', ...did, tool_args: '{}', args_file: other.hash },
    { kind: 'progress', by: 'robot', text: 'Half', attachments: [own, other] },
  ] as const)
    await expect(robot.record('own', deed as unknown as Deed)).rejects.toMatchObject(unknown)
  await expect(robot.tell('own', { by: 'robot', text: 'See', attachments: [other] })).rejects.toMatchObject(unknown)
  expect(await robot.files.mayRead(other.hash)).toBe(false)
  page.ws.close()
})
