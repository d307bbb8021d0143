import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startHub, temporaryFolder } from '../support/hub.ts'

const WHY = 'This is about all conversations, and root may see only one; use a token for all of them'

async function boundAdmin() {
  const data = await temporaryFolder()
  const hub = await startHub(data)
  await hub.tokens.create({ name: 'ada' })
  const { secret } = await hub.tokens.create({ name: 'root', role: 'admin', conversation: 'mine' })
  await hub.view.say('other', { text: 'not for root' })
  return { ...hub, data, call }

  async function call(server: string, tool: string, input: object) {
    const response = await fetch(`${hub.url}/api/mcp/call`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ server, tool, arguments: input }),
    })
    return { status: response.status, body: await response.json() }
  }
}

test('[S162] an administrator of one conversation reads and speaks as nobody who sees others', async () => {
  const { call, view } = await boundAdmin()
  const refused = { status: 403, body: { error: WHY } }
  for (const tool of ['chat_read_since', 'read_and_advance'])
    expect(await call('chat', tool, { subscriber: 'ada', session_id: 'other' })).toEqual(refused)
  const said = { mime: 'text/plain', content: 'As ada', subscriber: 'ada', session_id: 'other' }
  expect(await call('chat', 'chat_human_post', said)).toEqual(refused)
  expect((await view.page('other', { limit: 10 })).entries).toHaveLength(1)
  const own = { mime: 'text/plain', content: 'As itself', session_id: 'mine' }
  expect(await call('chat', 'chat_human_post', own)).toMatchObject({ status: 200 })
})

test('[S162] an administrator of one conversation mounts nothing, which would count in all of them', async () => {
  const { call, data, gateway } = await boundAdmin()
  const deeds: [tool: string, input: object][] = [
    ['mount_add', { name: 'mine', config: { command: 'true' } }],
    ['mount_list', {}],
    ['view_set', { views: [] }],
  ]
  for (const [tool, input] of deeds)
    expect(await call('gateway', tool, input)).toEqual({ status: 403, body: { error: WHY } })
  expect(gateway.states()).toEqual([])
  expect(existsSync(join(data, 'mcp.json'))).toBe(false)
})
