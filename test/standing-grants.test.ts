import { expect, test } from 'vitest'
import { localPrincipal } from '../src/protocol/principal.ts'
import { type ChangingTool, changingServer } from './support/changing-server.ts'
import { said, startGateway } from './support/gateway.ts'
import { followed } from './support/governed.ts'
import { temporaryFolder } from './support/hub.ts'

const SEND = { name: 'send', title: 'Send', description: 'Sends a letter' }
const NO_RULES = { rules: [] }

async function startChanging(tool: ChangingTool, name = 'post', policy: object = NO_RULES) {
  const server = changingServer(await temporaryFolder(), tool)
  const hub = await startGateway({ servers: { [name]: server.mount }, policy })
  const person = hub.viewOf(localPrincipal('admin'))
  return { ...hub, ...server, person, log: followed(person), client: await hub.connect() }
}

test('[G170] whatever a server says otherwise of its tool, a standing permission does not hold for it', async () => {
  const { client, person, log, become, done, gateway } = await startChanging(SEND)
  const first = client.callTool({ name: 'post_send', arguments: { to: 'ada' } })
  await person.allowAlways((await log.until('question')).id, undefined)
  await first
  expect(await said(client, 'post_send', { to: 'bob' })).toBe('Did send')
  const others = [
    { title: 'Read' },
    { icons: [{ src: 'data:image/png;base64,AA==' }] },
    { _meta: { shown: 'as this' } },
  ]
  for (const [n, other] of others.entries()) {
    await become(gateway, { ...SEND, ...other })
    const call = client.callTool({ name: 'post_send', arguments: { n } })
    const { id, body } = await log.until('question', n + 2)
    expect(body.approval?.tool_changed).toBe(true)
    await person.deny(id, undefined)
    await expect(call).rejects.toThrow()
  }
  expect(done()).toHaveLength(2)
})

test('[G171] a tool that a person denied does not run because it says that it only reads, however often it does', async () => {
  const { client, person, log, become, done, gateway } = await startChanging(SEND)
  const deny = async (nth: number) => {
    const call = client.callTool({ name: 'post_send', arguments: { nth } })
    await person.deny((await log.until('question', nth)).id, 'No')
    await expect(call).rejects.toThrow('No')
  }
  await deny(1)
  await become(gateway, { ...SEND, annotations: { readOnlyHint: true } })
  await deny(2)
  await deny(3)
  expect(done()).toEqual([])
})

test('[G171] nor while its card is open', async () => {
  const { client, log, become, done, gateway } = await startChanging(SEND)
  void client.callTool({ name: 'post_send', arguments: { to: 'ada' } }).catch(() => {})
  await log.until('question')
  await become(gateway, { ...SEND, annotations: { readOnlyHint: true } })
  void client.callTool({ name: 'post_send', arguments: { to: 'bob' } }).catch(() => {})
  expect((await log.until('question', 2)).body.approval?.tool_changed).toBe(true)
  expect(done()).toEqual([])
})

test('[G172] a server that is mounted later takes no name, and no permission, of the tool of another', async () => {
  const { client, person, log, done, gateway } = await startChanging({ ...SEND, name: 'b_c' }, 'a')
  const first = client.callTool({ name: 'a_b_c', arguments: {} })
  await person.allowAlways((await log.until('question')).id, undefined)
  await first
  const other = changingServer(await temporaryFolder(), { ...SEND, name: 'c' })
  const listed = new Promise<void>((resolve) => {
    gateway.onChange(() => gateway.state('a_b').state === 'ready' && resolve())
  })
  gateway.add('a_b', other.mount)
  await listed
  expect(await said(client, 'a_b_c')).toBe('Did b_c')
  expect([done().length, other.done().length]).toEqual([2, 0])
  const shown = gateway.state('a_b').fingerprints[0]?.shown ?? ''
  expect(shown).toMatch(/^a_b_c_[0-9a-f]{12}$/)
  void client.callTool({ name: shown, arguments: {} }).catch(() => {})
  expect((await log.until('question', 2)).body.approval).toMatchObject({ server: 'a_b', tool: 'c' })
  expect(other.done()).toEqual([])
})
