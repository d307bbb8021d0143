import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { INBOX } from '../../src/protocol/inbox.ts'
import { SURFACES, type SurfaceName } from '../../src/protocol/surface-name.ts'
import { agentOverStdio, type Era } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { answerAll, openPage } from '../support/page.ts'
import { startParley } from '../support/process.ts'
import { call } from '../support/surfaces.ts'
import { subscribe, updatesOf } from '../support/updates.ts'

const words = { mime: 'text/markdown', content: 'CI is green on main' }
/** One call of each server. */
const CALLS: Record<SurfaceName, [tool: string, input: Record<string, unknown>]> = {
  bridge: ['send_message', { text: 'Deploy now?' }],
  agent: ['send_progress', { text: 'Deploying' }],
  chat: ['chat_human_post', words],
  human: ['chat_human_post', words],
  assistant: ['chat_assistant_post', words],
  loop: ['yield_turn', {}],
  ui: ['send_message', words],
}

/** A client at each of these servers, as an agent or a runtime starts it. */
async function startAll(surfaces: readonly SurfaceName[], era: Era, data: string) {
  const servers = surfaces.map((surface) => startServer(surface, era, data))
  return Promise.all(servers)
}

async function startServer(surface: SurfaceName, era: Era, data: string) {
  const args = ['stdio', '--surface', surface]
  const { client, url } = await agentOverStdio({ era, args, env: { PARLEY_DATA: data } })
  const next = updatesOf(client)
  const hasInbox = client.getServerCapabilities()?.resources?.subscribe === true
  if (hasInbox) await subscribe(client, INBOX, era)
  return { surface, hasInbox, url: await url, expectToWork }

  async function expectToWork(content: string) {
    const [tool, input] = CALLS[surface]
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain(tool)
    expect(await call(client, tool, input)).toBeTruthy()
    if (!hasInbox) return
    const body = JSON.stringify({ mime: 'text/markdown', content })
    const posted = await fetch(`${await url}/api/tools/ui_chat_human_post`, { method: 'POST', body })
    const { id } = (await posted.json()) as { id: string }
    for (;;) if ((await next()).messages?.some((message) => message.id === id)) break
    const { contents } = await client.readResource({ uri: INBOX })
    expect((contents as { text: string }[])[0]?.text).toContain(id)
  }
}

test.each<Era>(['legacy', 'modern'])(
  '[C93] every server attaches to the hub that runs, and works, also after it was killed (%s)',
  async (era) => {
    const data = await temporaryFolder()
    const running = await (await agentOverStdio({ env: { PARLEY_DATA: data } })).url
    const { pid } = hubOf(data)
    const servers = await startAll(SURFACES, era, data)
    expect([hubOf(data).pid, new Set(servers.map(({ url }) => url))]).toEqual([pid, new Set([running])])
    expect(servers.flatMap(({ surface, hasInbox }) => (hasInbox ? [surface] : []))).toContain('human')
    const page = openPage(running)
    answerAll(page, () => 'Ship it!')
    for (const { expectToWork } of servers) await expectToWork('Hello!')
    process.kill(pid, 'SIGKILL')
    await page.until(() => page.resumed.length === 2)
    for (const { expectToWork } of servers) await expectToWork('Hello again!')
  },
)

test.each(SURFACES)('[C93] stdio --surface %s starts the hub where none runs', async (surface) => {
  const [server] = await startAll([surface], 'legacy', await temporaryFolder())
  answerAll(openPage(server?.url ?? ''), () => 'Ship it!')
  await server?.expectToWork('Hello!')
})

test('[C94] a server that the hub does not let in says so in one sentence and ends, whatever it serves', async () => {
  const data = await temporaryFolder()
  await (await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_TOKENS: 'ada:human:of-ada-0123456789' } })).url
  const unknown = 'This token is not known here; it may have been replaced'
  await Promise.all(SURFACES.map((surface) => refused(surface, unknown, { PARLEY_TOKEN: 'wrong' })))
  await refused('human', 'This hub asks for a token, and none came along')
  // The hub has seen nothing that it need worry about.
  expect(readFileSync(join(data, 'hub.log'), 'utf8')).toBe('')

  async function refused(surface: SurfaceName, message: string, env = {}) {
    const server = startParley(['stdio', '--surface', surface], { PARLEY_DATA: data, ...env })
    expect(await server.line({ id: 1, method: 'ping' })).toMatchObject({ error: { message } })
    const { code, stderr } = await server.ended
    expect([code, stderr]).toEqual([1, `${message}\n`])
  }
})
