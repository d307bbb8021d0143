import { expect, test } from 'vitest'
import { INBOX, STATUS } from '../../src/protocol/frames/inbox.ts'
import { agentOverStdio, type Era } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { listen, updatesOf } from '../support/mcp/updates.ts'

const pinned = { 'parley/pinned': true }

async function openLine(era: Era) {
  const data = await temporaryFolder()
  const args = ['stdio', '--surface', 'assistant', '--data', data]
  const { client, url } = await agentOverStdio({ era, args, env: {} })
  return { client, data, say: async (content: string) => post(await url, content) }
}

async function post(url: string, content: string) {
  const body = JSON.stringify({ mime: 'text/plain', content })
  expect((await fetch(`${url}/api/tools/ui_chat_human_post`, { method: 'POST', body })).status).toBe(200)
}

test('[I40] over a line a listen pins for the line, and an unknown URI is refused and pins nothing', async () => {
  const { client, say } = await openLine('modern')
  await expect(listen(client, ['ui://nothing'], {})).rejects.toThrow('Unknown resource ui://nothing')
  await expect(listen(client, [STATUS, 'ui://nothing'], pinned)).rejects.toThrow('Unknown resource ui://nothing')
  await (await listen(client, [INBOX], pinned)).close()
  const { honoredFilter, close } = await listen(client, [`${INBOX}/other`], {})
  expect(honoredFilter).toEqual({ resourceSubscriptions: [`${INBOX}/other`, INBOX] })
  const next = updatesOf(client)
  await say('Hello')
  expect((await next()).messages).toMatchObject([{ content: 'Hello' }])
  await close()
  await (await listen(client, [INBOX], { 'parley/pinned': false })).close()
  expect((await listen(client, [STATUS], {})).honoredFilter).toEqual({ resourceSubscriptions: [STATUS] })
})

test('[I41] what a line has pinned is pinned at the next hub, too', async () => {
  const { client, data } = await openLine('legacy')
  const next = updatesOf(client)
  await client.subscribeResource({ uri: INBOX, _meta: pinned })
  process.kill(hubOf(data).pid, 'SIGKILL')
  expect((await next()).uri).toBe(INBOX)
  await expect(client.unsubscribeResource({ uri: INBOX })).rejects.toThrow('This subscription is pinned')
  await client.unsubscribeResource({ uri: INBOX, _meta: pinned })
})

test('[I41] who listens over a line hears the next hub, and what is pinned for it there', async () => {
  const { client, data, say } = await openLine('modern')
  const runtime = { 'parley/subscriber': 'runtime' }
  await (await listen(client, [INBOX], { ...pinned, ...runtime })).close()
  await listen(client, [STATUS], runtime)
  process.kill(hubOf(data).pid, 'SIGKILL')
  // Answered by the next hub, which has heard before what is listened to.
  await client.listTools()
  const next = updatesOf(client)
  await say('Hello')
  expect((await next()).messages).toMatchObject([{ content: 'Hello' }])
})
