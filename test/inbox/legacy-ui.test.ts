import { expect, onTestFinished, test } from 'vitest'
import { openTestHub, temporaryFolder } from '../support/hub.ts'
import { connectHttp } from '../support/mcp/http-client.ts'
import { call } from '../support/mcp/surfaces.ts'
import { startParley } from '../support/process.ts'

const hello = { mime: 'text/plain', content: 'Hello' }
const LEGACY = ['ui_send_message', 'ui.send_message', 'ui_end_turn', 'ui.end_turn']
const STAY = ['ui_chat_human_post', 'ui.chat_human_post', 'ui_chat_assistant_post', 'ui_chat_read_since']

async function startHub(legacyUi?: boolean) {
  const lines: string[] = []
  const out = { writableLength: 0, write: (text: string) => lines.push(...text.trimEnd().split('\n')) }
  const log = { level: 'info', content: false, out } as const
  const hub = await openTestHub({ host: '127.0.0.1', port: 0, data: await temporaryFolder(), log, legacyUi })
  onTestFinished(hub.close)
  return { ...hub, events: () => lines.map((line) => JSON.parse(line) as Record<string, string>) }
}

async function post(url: string, path: string, body: unknown) {
  const response = await fetch(`${url}/api/${path}`, { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, ...((await response.json()) as { error?: string }) }
}

test('[I35] without the legacy ui its server and its tools are gone, and the chat tools stay where they were', async () => {
  const { url } = await startHub(false)
  expect((await fetch(`${url}/mcp/ui`, { method: 'POST', body: '{}' })).status).toBe(404)
  for (const name of LEGACY)
    expect(await post(url, `tools/${name}`, hello)).toEqual({ status: 404, error: `Unknown tool "${name}"` })
  for (const tool of ['send_message', 'ui.end_turn'])
    expect(await post(url, 'mcp/call', { server: 'ui', tool, arguments: hello })).toMatchObject({ status: 404 })
  for (const name of STAY) expect(await post(url, `tools/${name}`, hello)).toMatchObject({ status: 200 })
  for (const tool of ['chat.human.post', 'chat.assistant.post', 'loop.yield_turn'])
    expect(await post(url, 'mcp/call', { server: 'ui', tool, arguments: hello })).toMatchObject({ status: 200 })
  const gateway = await connectHttp(`${url}/mcp/gateway`)
  for (const name of LEGACY) await expect(call(gateway, name, hello)).rejects.toThrow(`Unknown tool "${name}"`)
  const chat = await connectHttp(`${url}/mcp/chat`)
  await expect(call(chat, 'ui_send_message', hello)).rejects.toThrow('Unknown tool "ui_send_message"')
})

test('[I36] whoever uses the legacy tools is warned of once, with what to use instead', async () => {
  const { url, events, close } = await startHub()
  for (const name of ['old-agent', 'older-agent', 'old-agent']) {
    const ui = await connectHttp(`${url}/mcp/ui`, { name })
    await call(ui, 'ui_send_message', hello)
    await call(ui, 'end_turn', {})
    await call(ui, 'chat_read_since', {})
  }
  await post(url, 'tools/ui_end_turn', {})
  await post(url, 'tools/ui_send_message', hello)
  await connectHttp(`${url}/mcp/chat`, { name: 'new' }).then((chat) => call(chat, 'chat_assistant_post', hello))
  // What was told is written then.
  await close()
  const warned = events().filter(({ level }) => level === 'warn')
  const advice = (old: string, now: string) => `Use ${now} instead of ${old}; --no-legacy-ui takes the latter away`
  expect(warned.map(({ event, client, tool, advice }) => [event, client, tool, advice])).toEqual([
    ['deprecated', 'old-agent', 'send_message', advice('send_message', 'chat_assistant_post')],
    ['deprecated', 'older-agent', 'send_message', advice('send_message', 'chat_assistant_post')],
    ['deprecated', 'local', 'end_turn', advice('end_turn', 'yield_turn')],
  ])
})

test.each<[string, string[], Record<string, string>]>([
  ['--no-legacy-ui', ['--no-legacy-ui'], {}],
  ['PARLEY_NO_LEGACY_UI', [], { PARLEY_NO_LEGACY_UI: '1' }],
])(
  '[C104] with %s serve has no server ui, and a line that wants it is told so in one sentence',
  async (_, flags, env) => {
    const data = await temporaryFolder()
    const url = await startParley(['serve', '--port', '0', '--data', data, ...flags], env).url
    expect((await fetch(`${url}/mcp/ui`, { method: 'POST', body: '{}' })).status).toBe(404)
    const line = startParley(['stdio', '--surface', 'ui', '--data', data])
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } }
    line.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
    const { code, stderr } = await line.ended
    expect([code, stderr]).toEqual([
      1,
      'This hub was started with --no-legacy-ui and has no server ui; use --surface chat, and loop to yield turns\n',
    ])
  },
)

test('[C104] a line that starts the hub itself takes the legacy ui away, and gets everything else', async () => {
  const data = await temporaryFolder()
  const line = startParley(['stdio', '--surface', 'chat', '--no-legacy-ui', '--data', data])
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'new', version: '1' } }
  expect(await line.line({ id: 1, method: 'initialize', params })).toHaveProperty('result')
  expect((await fetch(`${await line.url}/mcp/ui`, { method: 'POST', body: '{}' })).status).toBe(404)
})
