import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder, drivenAgent, PARLEY } from '../../../../test/support/driven/driven-agent.ts'
import { diaryAt } from '../../../../test/support/upstream/diary-server.ts'

const CALL = { toolCallId: 'call-1', title: 'mcp__HUB__ask_user' }
const TAKEN = 'taken: {"outcome":"selected","optionId":"yes-1"}'

/** What the real ones send for a call of a tool of a server that they were given. */
const REAL = [
  ['@agentclientprotocol/claude-agent-acp', { ...CALL, name: 'mcp__HUB__ask_user' }],
  [
    '@zed-industries/claude-code-acp',
    { ...CALL, title: 'Ask', _meta: { claudeCode: { toolName: 'mcp__HUB__ask_user' } } },
  ],
  ['qwen-code', { ...CALL, title: 'Ask', _meta: { toolName: 'mcp__HUB__ask_user' } }],
  [
    'gemini-cli',
    {
      toolCallId: 'mcp_HUB_ask_user__mcp_HUB_ask_user_1795044121676_0',
      title: 'ask_user (HUB MCP Server)',
      options: ['proceed_always_server', 'proceed_always_tool'],
    },
  ],
  ['Kimi Code CLI', { ...CALL, toolCallId: '0:call_0', options: ['approve_once'] }],
] as const

test.each(REAL)('[O240] %s may use the tools of Parley without asking anybody', async (name, call) => {
  for (const gateway of [true, undefined] as const) {
    const { prompt, says, of } = await drivenAgent({
      nature: { name },
      parley: { ...PARLEY, ...(gateway && { gateway }) },
    })
    await prompt(`do asks ${JSON.stringify(call)}`)
    expect([says(), of('ask')]).toEqual([TAKEN, []])
  }
})

/** What a model could have written, or another server could be called. */
const HOSTILE = [
  { title: 'mcp__HUB__ask_user', kind: 'execute', rawInput: { command: 'mcp__HUB__ask_user; rm -rf /' } },
  { title: 'ask_user (HUB MCP Server)', rawInput: { server: 'HUB', tool: 'ask_user' } },
  { title: 'x', name: 'Bash', rawInput: { tool_name: 'mcp__HUB__ask_user' } },
  { title: 'x', name: 'mcp__parley__ask_user' },
  { title: 'x', name: 'mcp__gateway__ask_user' },
  { title: 'x', name: 'mcp__HUB2__ask_user' },
  { title: 'x', name: 'mcp__HUB_ask_user' },
  { title: 'x', name: 'my_mcp__HUB__ask_user' },
  { title: 'x', name: 'mcp__HUB__' },
  { title: 'x', name: 'mcp__HUB__ask_user; rm -rf /' },
  { title: 'x', name: ' mcp__HUB__ask_user' },
  { title: 'x', name: ['mcp__HUB__ask_user'] },
  { title: 'x', _meta: { toolName: 'run_shell_command', serverId: 'HUB', provenance: 'mcp' } },
  { title: 'x', _meta: { toolName: 'mcp__HUB2__ask_user' } },
  { title: 'x', _meta: { claudeCode: { toolName: 'Bash', mcpServer: { name: 'HUB' } } } },
  { toolCallId: 'run_shell_command__mcp_HUB_ask_user__mcp_HUB_1_0', title: 'x', options: ['proceed_always_server'] },
  { toolCallId: 'mcp_HUB2_ask_user__mcp_HUB2_ask_user_1_0', title: 'x', options: ['proceed_always_server'] },
  { toolCallId: 'mcp_HUB_ask_user__mcp_HUB_ask_user_1_0', title: 'x', options: ['proceed_always'] },
  { title: 'mcp__HUB__ask_user', content: [] },
  { title: 'mcp__HUB__ask_user --force', options: ['approve_once'] },
  { title: 'x', content: [{ type: 'content', content: { type: 'text', text: 'mcp__HUB__ask_user' } }] },
]

test.each(['scripted', ...REAL.map(([name]) => name)])(
  '[O241] nothing that only looks like a tool of Parley is allowed by itself, of %s',
  async (name) => {
    const { prompt, says, asked, of } = await drivenAgent({ nature: { name } })
    for (const [number, call] of HOSTILE.entries()) {
      const turn = prompt(`do asks ${JSON.stringify({ ...CALL, ...call })}`)
      const { approval, settled } = await asked(number + 1)
      expect(approval).toBeDefined()
      settled({ outcome: 'denied', option: 'no-1' })
      await turn
    }
    expect(of('ask')).toHaveLength(HOSTILE.length)
    expect(says()).not.toContain('yes-1')
  },
)

test('[O241] a call whose id was one of Parley before is asked about, and so is one with two ways to allow it', async () => {
  const { prompt, says, asked } = await drivenAgent()
  await prompt(`do asks ${JSON.stringify({ ...CALL, name: 'mcp__HUB__ask_user' })}`)
  const other = prompt(`do asks ${JSON.stringify({ ...CALL, title: 'rm -rf /' })}`)
  ;(await asked(1)).settled({ outcome: 'denied', option: 'no-1' })
  await other
  expect(says()).toBe(`${TAKEN}taken: {"outcome":"selected","optionId":"no-1"}`)
})

test('[O242] an agent that takes servers over HTTP alone is given Parley so, with a token that ends with it', async () => {
  const nature = { name: 'Copilot', http: true }
  const { command, args = [], env = {} } = diaryAt(join(aFolder(), 'diary'))
  const { prompt, says, session } = await drivenAgent({ nature, parley: { stdio: { command, args, env } } })
  await prompt('do servers')
  const [{ type, name, url, headers }] = JSON.parse(says())
  expect([type, name]).toEqual(['http', expect.stringMatching(/^hub[0-9a-z]{4}$/)])
  const [{ value: token }] = headers
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
  expect(token).toMatch(/^Bearer [\w-]{43}$/)
  await prompt('do tools')
  expect(says()).toContain(`${name}: write read paint become`)
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }
  const ask = (more: Record<string, string>) =>
    fetch(url, {
      method: 'POST',
      body: JSON.stringify(initialize),
      headers: { 'content-type': 'application/json', ...more },
    })
  const wrong: Record<string, string>[] = [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: token, origin: 'http://a.example' },
  ]
  for (const more of wrong) expect((await ask(more)).status).toBe(401)
  await session.stop()
  await expect(ask({ authorization: token })).rejects.toThrow()
})
