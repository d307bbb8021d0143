import { existsSync } from 'node:fs'
import { link, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { giveOrder } from '../../src/doors/socket/order.ts'
import { exportPath } from '../../src/protocol/frames/export.ts'
import { CONVERSATIONS_PATH } from '../../src/protocol/frames/listed-conversation.ts'
import { SURFACES } from '../../src/protocol/frames/surface-name.ts'
import { AUDIT_PATH, AUDIT_VERIFY_PATH } from '../../src/protocol/tools/audit.ts'
import { DECIDED_CALLS_PATH } from '../../src/protocol/tools/decided-call.ts'
import { ask } from '../support/chat.ts'
import { askedOver, clientOfLine, saidOver } from '../support/folder-socket.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { png } from '../support/images.ts'
import { opened } from '../support/policy/policy.ts'
import { connect } from '../support/socket.ts'
import { upgrade } from '../support/upgrade.ts'

const DIALECTS = ['', '?dialect=bridge', '?dialect=loop', '?dialect=router', '?dialect=timeline']
const MOUNTS = ['', '/agent', '/chat', '/human', '/assistant', '/loop', '/orchestrator', '/gateway', '/ui']
/** What somebody could try who would like to be a person. */
const DEEDS: [tool: string, input: Record<string, unknown>][] = [
  ['chat_human_post', { mime: 'text/plain', content: 'Allow', session_id: 'work' }],
  ['mount_add', { name: 'mine', config: { command: 'true' } }],
  ['mount_remove', { name: 'mine' }],
]
const ORDERS = [
  { order: 'status' },
  { order: 'stop' },
  { order: 'forget', conversation: 'work' },
  { order: 'mount', act: 'add', name: 'mine', config: { command: 'true' } },
  { order: 'mount', act: 'list' },
]
const OWNER_ONLY = 'This is for whoever can read the data folder, not only its socket'

/** A hub where people sign in, with an approval that waits. */
async function protectedHub() {
  const data = await temporaryFolder()
  const hub = await startHubWithSocket(data)
  await hub.tokens.protect()
  const approval = { tool_name: 'Bash', input: '{}' }
  const id = await ask(hub.view, { by: 'agent', text: 'Allow?', approval })
  return { ...hub, data, id, nothingHappened, owner }

  async function nothingHappened() {
    expect(await opened(hub.view)).toMatchObject([{ id }])
    expect(hub.gateway.states()).toEqual([])
    expect(['policy.jsonc', 'mcp.json'].filter((file) => existsSync(join(data, file)))).toEqual([])
  }

  async function owner() {
    const { cookie, pageKey } = await hub.tokens.trade(await hub.tokens.link('local'))
    return { cookie: `parley=${cookie}`, 'x-parley-key': pageKey }
  }
}

/** What an agent in a container sees of a folder. */
async function boxOf(data: string): Promise<string> {
  const box = join(await temporaryFolder(), 'box')
  await mkdir(box)
  await link(join(data, 'hub.sock'), join(box, 'hub.sock'))
  return box
}

test('[S40] over HTTP nobody is let in who has not signed in, at no door', async () => {
  const { url, nothingHappened } = await protectedHub()
  for (const dialect of DIALECTS) expect(await upgrade(url, `/ws${dialect}`)).toMatchObject({ status: 401 })
  const body = JSON.stringify({ server: 'human', tool: DEEDS[0]?.[0], arguments: DEEDS[0]?.[1] })
  const asked: [path: string, init?: RequestInit][] = [
    ...MOUNTS.map((mount): [string, RequestInit] => [`/mcp${mount}`, { method: 'POST', body: '{}' }]),
    ['/api/mcp/call', { method: 'POST', body }],
    ['/api/tools/ui_chat_human_post', { method: 'POST', body: JSON.stringify(DEEDS[0]?.[1]) }],
    ['/api/attachments', { method: 'POST', body: 'x' }],
    [`/attachments/${'0'.repeat(64)}/x.txt`],
    [exportPath('work', 'md')],
    ['/metrics'],
    ['/nowhere'],
  ]
  for (const [path, init] of asked) expect([path, (await fetch(url + path, init)).status]).toEqual([path, 401])
  for (const path of [AUDIT_PATH, AUDIT_VERIFY_PATH, DECIDED_CALLS_PATH, CONVERSATIONS_PATH])
    expect([path, (await fetch(url + path)).status]).toEqual([path, 404])
  const guess = await fetch(`${url}/sign-in/parley_${'0'.repeat(43)}`, { method: 'POST' })
  expect([guess.status, guess.headers.get('set-cookie')]).toEqual([410, null])
  await nothingHappened()
})

test('[S40] over a line without a token nobody answers, allows or mounts, at no surface', async () => {
  const { data, nothingHappened } = await protectedHub()
  for (const surface of SURFACES) {
    if (surface === 'human') {
      await expect(clientOfLine(data, surface)).rejects.toThrow()
      continue
    }
    const { client } = await clientOfLine(data, surface)
    for (const [name, input] of DEEDS) {
      const { isError } = await client.callTool({ name, arguments: input }).catch(() => ({ isError: true }))
      expect([surface, name, isError]).toEqual([surface, name, true])
    }
  }
  await nothingHappened()
})

test('[S42] whoever has only the socket gives no order, reads no export, and is an agent', async () => {
  const { data, view, nothingHappened } = await protectedHub()
  const box = await boxOf(data)
  for (const key of [undefined, '', 'x'.repeat(43)])
    for (const order of ORDERS)
      expect(await saidOver(box, `${JSON.stringify({ ...order, key })}\n`)).toBe(`{"refused":"${OWNER_ONLY}"}\n`)
  for (const path of [exportPath('work', 'md'), '/ws', '/metrics'])
    expect(await askedOver(box, path, ['x-parley-owner: nonsense'])).toContain('HTTP/1.1 401')
  for (const path of [AUDIT_PATH, AUDIT_VERIFY_PATH, DECIDED_CALLS_PATH, CONVERSATIONS_PATH])
    expect(await askedOver(box, path)).toContain('HTTP/1.1 404')
  await nothingHappened()
  const { client } = await clientOfLine(box, 'bridge', { PARLEY_SESSION: 'boxed' })
  const asking = client.callTool({ name: 'send_message', arguments: { text: 'Deploy now?' } })
  const [question] = await opened(view, 1, 'boxed')
  await view.answer(question?.id ?? '', 'Yes')
  expect((await asking).structuredContent).toMatchObject({ reply: 'Yes' })
  expect(await readdir(box)).toEqual(['hub.sock'])
})

test('[S42] the hub reads no path for who has only the socket, and goes on reading those of others', async () => {
  const { data, view } = await protectedHub()
  const box = await boxOf(data)
  await writeFile(join(data, 'shot.png'), png(2, 2))
  const show = async (folder: string) => {
    const { client } = await clientOfLine(folder, 'agent', { PARLEY_SESSION: 'shown' })
    const images = [{ path: join(data, 'shot.png') }]
    return client.callTool({ name: 'send_progress', arguments: { text: 'Look', images } })
  }
  expect(await show(box)).toMatchObject({ isError: true })
  expect(JSON.stringify(await view.page('shown', { limit: 9 }))).not.toContain('shot.png')
  expect((await show(data)).isError).toBeFalsy()
  expect(JSON.stringify(await view.page('shown', { limit: 9 }))).toContain('shot.png')
})

test('[S42] who can read the folder gives orders there, also where people sign in', async () => {
  const { data, view } = await protectedHub()
  expect(await giveOrder(data, 'status')).toMatchObject({ status: { protected: true } })
  expect(await giveOrder(data, { order: 'mount', act: 'list' })).toEqual({ mounts: [] })
  await giveOrder(data, { order: 'forget', conversation: 'work' })
  expect(await view.current()).toEqual([])
})

test('[S41] protecting counts at once: who could have been a person is out, and agents go on', async () => {
  const data = await temporaryFolder()
  const { url, tokens, view } = await startHubWithSocket(data)
  const page = await connect(url)
  const [human, chat, agent] = [
    await clientOfLine(data, 'human'),
    await clientOfLine(data, 'chat'),
    await clientOfLine(data, 'agent', { PARLEY_SESSION: 'work' }),
  ]
  const asking = agent.client.callTool({ name: 'send_message', arguments: { text: 'Deploy now?' } })
  const [question] = await opened(view)
  await tokens.protect()
  expect(await upgrade(url, '/ws')).toMatchObject({ status: 401 })
  const post = { name: 'chat_human_post', arguments: { mime: 'text/plain', content: 'Yes', session_id: 'work' } }
  for (const { client } of [human, chat])
    expect(await client.callTool(post).catch(() => ({ isError: true }))).toMatchObject({ isError: true })
  await Promise.all([page.closed, human.closed])
  expect(human.told.at(-1)).toBe('This hub requires a token')
  expect(await opened(view)).toMatchObject([{ id: question?.id }])
  const { cookie, pageKey } = await tokens.trade(await tokens.link('local'))
  const owner = await upgrade(url, '/ws', { cookie: `parley=${cookie}`, 'x-parley-key': pageKey })
  owner.say({ type: 'ack', id: question?.id, message: 'Yes' })
  expect((await asking).structuredContent).toMatchObject({ reply: 'Yes' })
  await tokens.unprotect()
  expect(await upgrade(url, '/ws')).toMatchObject({ status: 101 })
})

test('[S41] the owner who signed in is who they were before, and administers at the page', async () => {
  const { url, owner, id, data } = await protectedHub()
  const page = await connect(url, '/ws?dialect=timeline', undefined, await owner())
  page.say({ type: 'hello' })
  page.say({ type: 'allow', key: 'k', question: id, always: true, scope: 'everyone' })
  expect(await page.next('accepted')).toMatchObject({ key: 'k' })
  expect(existsSync(join(data, 'policy.jsonc'))).toBe(true)
})
