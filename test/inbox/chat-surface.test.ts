import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { INBOX, STATUS } from '../../src/protocol/frames/inbox.ts'
import type { Role } from '../../src/protocol/principal.ts'
import { type Era, environment, executable } from '../support/agent.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { connectHttp } from '../support/mcp/http-client.ts'
import { call } from '../support/mcp/surfaces.ts'

const READ = 'chat_read_since'
const HUMAN = 'chat_human_post'
const ASSISTANT = 'chat_assistant_post'
const hello = { mime: 'text/plain', content: 'Hello' }

async function toolsOf(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name)
}

test.each<Era>(['legacy', 'modern'])(
  '[I29] /mcp/chat has both sides of the chat and its resources (%s)',
  async (era) => {
    const { url } = await startHub()
    const client = await connectHttp(`${url}/mcp/chat`, { era })
    expect(await toolsOf(client)).toEqual([READ, HUMAN, ASSISTANT])
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([INBOX, STATUS])
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(`${INBOX}/{session_id}`)
    await call(client, HUMAN, hello)
    await call(client, ASSISTANT, hello)
    expect((await call(client, READ, {})).messages.map(({ author }) => author)).toEqual(['user', 'assistant'])
  },
)

test.each<[Role, string[]]>([
  ['human', [READ, HUMAN]],
  ['agent', [READ, ASSISTANT]],
  ['orchestrator', [READ, ASSISTANT]],
  ['admin', [READ, HUMAN, ASSISTANT]],
])('[I29] with tokens, %s is shown and may call its own tools there', async (role, own) => {
  const { url, tokens } = await startHub()
  const { secret: token } = await tokens.create({ name: 'somebody', role })
  const client = await connectHttp(`${url}/mcp/chat`, { token })
  expect(await toolsOf(client)).toEqual(own)
  for (const tool of [HUMAN, ASSISTANT])
    if (own.includes(tool)) await call(client, tool, hello)
    else await expect(call(client, tool, hello)).rejects.toThrow(`and somebody is ${role}`)
  expect((await call(client, READ, {})).messages).toHaveLength(own.length - 1)
})

async function overStdio(env: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'test-client', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  const args = [executable, 'stdio', '--surface', 'chat', '--data', await temporaryFolder()]
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: environment(env), stderr: 'ignore' }),
  )
  onTestFinished(() => client.close())
  return client
}

test.each<[string, Record<string, string>, string[]]>([
  ['may use all of it where there are no tokens', {}, [READ, HUMAN, ASSISTANT]],
  ['is an agent where there are tokens and it shows none', { PARLEY_TOKENS: 'ada:human:one' }, [READ, ASSISTANT]],
  ['is whose token it shows', { PARLEY_TOKENS: 'ada:human:one', PARLEY_TOKEN: 'one' }, [READ, HUMAN]],
])('[C105] a line with the surface chat %s', async (_, env, tools) => {
  expect(await toolsOf(await overStdio(env))).toEqual(tools)
})
