import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { lineTransport } from '../../src/cli/run/line-transport.ts'
import { connectToHub } from '../../src/doors/socket/connect.ts'
import { SURFACES, type SurfaceName } from '../../src/protocol/frames/surface-name.ts'
import type { Principal } from '../../src/protocol/principal.ts'
import { ask } from '../support/chat.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { connectHttp } from '../support/mcp/http-client.ts'
import { opened } from '../support/policy/policy.ts'
import { connect } from '../support/socket.ts'
import { upgrade } from '../support/upgrade.ts'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
/** What an agent could try with the tools that there are, wherever it finds them. */
const ATTEMPTS: [tool: string, input: Record<string, unknown>][] = [
  ['chat_human_post', { mime: 'text/plain', content: 'Allow', session_id: 'work' }],
  ['mount_add', { name: 'mine', config: { command: 'true' } }],
  ['mount_list', {}],
]

/** A hub with a call that waits, and tokens for everyone, or none. */
async function waitingHub({ tokens = true } = {}) {
  const data = await temporaryFolder()
  const hub = await startHubWithSocket(data)
  const secret = async (name: string, role: Principal['role'], conversation?: string) =>
    tokens ? (await hub.tokens.create({ name, role, conversation })).secret : ''
  const secrets = {
    agent: await secret('codex', 'agent'),
    orchestrator: await secret('robo', 'orchestrator'),
    human: await secret('ada', 'human'),
    admin: await secret('boss', 'admin'),
    bound: await secret('eve', 'human', 'work'),
  }
  const approval = { tool_name: 'Bash', input: '{}' }
  const id = await ask(hub.view, { by: 'agent', text: 'Allow?', approval })
  return { ...hub, data, secrets, id, nothingHappened, page }

  async function nothingHappened() {
    expect(await opened(hub.view)).toMatchObject([{ id }])
    expect(hub.gateway.states()).toEqual([])
    expect(['policy.jsonc', 'mcp.json'].filter((file) => existsSync(join(data, file)))).toEqual([])
    expect((await hub.view.page('work', { limit: 100 })).entries.map(({ body }) => body.kind)).toEqual([
      'title',
      'question',
    ])
  }

  /** What the page of somebody is answered. */
  async function page(token: string, command: object) {
    const { say, any } = await connect(hub.url, '/ws?dialect=timeline', undefined, token ? bearer(token) : {})
    say({ type: 'hello' })
    say({ key: randomUUID(), question: id, ...command })
    for (;;) {
      const frame = await any()
      if (frame.type === 'accepted' || frame.type === 'refused') return frame
    }
  }
}

async function tryAll(client: Client) {
  const { tools } = await client.listTools().catch(() => ({ tools: [] }))
  expect(tools.map(({ name }) => name)).not.toContain('mount_add')
  for (const [name, input] of ATTEMPTS) {
    const answer = await client
      .callTool({ name, arguments: input })
      .catch((error: Error) => ({ isError: error.message }))
    expect([name, Boolean(answer.isError)]).toEqual([name, true])
  }
}

const PATHS: Record<SurfaceName, string> = {
  bridge: '/mcp',
  agent: '/mcp/agent',
  chat: '/mcp/chat',
  human: '/mcp/human',
  assistant: '/mcp/assistant',
  loop: '/mcp/loop',
  ui: '/mcp/ui',
  orchestrator: '/mcp/orchestrator',
  gateway: '/mcp/gateway',
}
/** Where those are who come without a token, if there is none at all. */
const OF_AGENTS: SurfaceName[] = ['bridge', 'agent', 'assistant', 'loop', 'ui', 'orchestrator', 'gateway']

test('[A52] over HTTP an agent approves, allows and mounts nothing at any surface', async () => {
  const { url, secrets, nothingHappened } = await waitingHub()
  for (const token of [secrets.agent, secrets.orchestrator])
    for (const surface of SURFACES) await tryAll(await connectHttp(url + PATHS[surface], { token, era: 'modern' }))
  await nothingHappened()
})

test('[A52] so it is where there are no tokens, at the surfaces of agents', async () => {
  const { url, nothingHappened } = await waitingHub({ tokens: false })
  for (const surface of OF_AGENTS) await tryAll(await connectHttp(url + PATHS[surface], { era: 'modern' }))
  await nothingHappened()
})

test.each([
  ['with its token', true, SURFACES],
  ['without one', true, OF_AGENTS],
  ['where there are none', false, OF_AGENTS],
] as const)('[A52] over a line, %s, neither', async (how, tokens, surfaces) => {
  const { data, secrets, nothingHappened } = await waitingHub({ tokens })
  const env = how === 'with its token' ? { PARLEY_TOKEN: secrets.agent } : {}
  for (const surface of surfaces) {
    const args = ['stdio', '--surface', surface, '--data', data]
    const client = new Client({ name: 'codex', version: '1' })
    await client.connect(lineTransport({ args, env, cwd: data, line: randomUUID(), tell() {} }))
    onTestFinished(() => client.close())
    await tryAll(client)
  }
  await nothingHappened()
})

test('[A52] over a line nobody is a person without a token, where there are tokens', async () => {
  const { principalOf } = await waitingHub()
  expect(principalOf({ surface: 'chat' }).role).toBe('agent')
  expect(() => principalOf({ surface: 'human' })).toThrow('This hub requires a token')
})

test('[A52] over REST neither, also on the socket of the folder', async () => {
  const { url, data, secrets, nothingHappened } = await waitingHub()
  const own = (await connectToHub(data)) as Socket
  onTestFinished(() => void own.destroy())
  for (const token of [secrets.agent, secrets.orchestrator])
    for (const [tool, input] of ATTEMPTS)
      for (const server of ['human', 'chat', 'ui', 'gateway', 'orchestrator']) {
        const body = JSON.stringify({ server, tool, arguments: input })
        const { status } = await fetch(`${url}/api/mcp/call`, { method: 'POST', body, headers: bearer(token) })
        expect([server, tool, [403, 404].includes(status)]).toEqual([server, tool, true])
      }
  expect(await postOn(own, '/api/tools/ui_chat_human_post', bearer(secrets.agent), ATTEMPTS[0]?.[1])).toContain(
    'This is for human or admin, and codex is agent',
  )
  await nothingHappened()
})

test.each(['', '?dialect=bridge', '?dialect=loop', '?dialect=router', '?dialect=timeline'])(
  '[A52] no agent is let in at /ws%s',
  async (dialect) => {
    const { url, secrets, nothingHappened } = await waitingHub()
    for (const token of [secrets.agent, secrets.orchestrator])
      expect(await upgrade(url, `/ws${dialect}`, bearer(token))).toMatchObject({ status: 403 })
    await nothingHappened()
  },
)

test.each(['agent', 'orchestrator'] as const)('[A52] the chat itself refuses every verdict of an %s', async (role) => {
  const { chat, id, nothingHappened } = await waitingHub({ tokens: false })
  const view = chat.as({ id: 'robo', name: 'robo', role })
  const verdicts = [
    view.allow(id, undefined),
    view.allowAlways(id, undefined),
    view.allowByRule(id, undefined, 'agent'),
    view.allowByRule(id, undefined, 'everyone'),
    view.takeOption(id, 'once'),
    view.deny(id, undefined),
    view.answer(id, 'Allow'),
    view.revoke('work', 'Bash'),
  ]
  for (const { status, ...why } of await Promise.allSettled(verdicts))
    expect([status, why]).toMatchObject(['rejected', { reason: { code: 'forbidden_role' } }])
  await nothingHappened()
})

test('[A51] a person allows for one agent, and only an administrator for everyone', async () => {
  const { page, secrets, nothingHappened, view } = await waitingHub()
  const always = { type: 'allow', always: true }
  expect(await page(secrets.human, { ...always, scope: 'everyone' })).toMatchObject({
    code: 'forbidden_role',
    error: 'This is for admin, and ada is human',
  })
  await nothingHappened()
  expect(await page(secrets.human, { ...always, scope: 'agent' })).toMatchObject({ type: 'accepted' })
  const question = await ask(view, { by: 'agent', text: 'Allow?', approval: { tool_name: 'Write', input: '{}' } })
  expect(await page(secrets.admin, { ...always, scope: 'everyone', question })).toMatchObject({ type: 'accepted' })
})

test('[A51] who sees one conversation only allows nothing in others', async () => {
  const { page, secrets, nothingHappened } = await waitingHub()
  const error = 'This would count in other conversations, and eve may see only one; allow it in this one'
  const allow = { type: 'allow', always: true }
  expect(await page(secrets.bound, { ...allow, scope: 'agent' })).toMatchObject({ code: 'allowed_in_one', error })
  await nothingHappened()
  expect(await page(secrets.bound, allow)).toMatchObject({ type: 'accepted' })
})

test('[A51] where there are no tokens the person at the page is the owner, and allows for everyone', async () => {
  const { page, data } = await waitingHub({ tokens: false })
  expect(await page('', { type: 'allow', always: true, scope: 'everyone' })).toMatchObject({ type: 'accepted' })
  expect(existsSync(join(data, 'policy.jsonc'))).toBe(true)
})

/** What is answered to a request over a connection that is there. */
async function postOn(socket: Socket, path: string, headers: Record<string, string>, body: unknown): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const asked = request({ createConnection: () => socket, path, method: 'POST', headers })
  asked.once('response', (response) => text(response).then(resolve, reject))
  asked.once('error', reject)
  asked.end(JSON.stringify(body))
  return promise
}
