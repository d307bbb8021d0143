import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { INBOX } from '../../../src/protocol/frames/inbox.ts'
import { type Era, environment, executable } from '../../support/agent.ts'
import { folderWithHub } from '../../support/hub.ts'
import { call } from '../../support/mcp/surfaces.ts'
import { subscribe, updatesOf } from '../../support/mcp/updates.ts'

async function connect(surface: string, era: Era, data: string): Promise<Client> {
  const client = new Client(
    { name: 'test-client', version: '1' },
    { versionNegotiation: { mode: era === 'modern' ? 'auto' : 'legacy' } },
  )
  const args = [executable, 'stdio', '--surface', surface, '--data', data]
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: environment(), stderr: 'ignore' }),
  )
  onTestFinished(() => client.close())
  return client
}

test.each<Era>(['legacy', 'modern'])(
  '[C19] [I4] over stdio (%s) a subscriber of the inbox is told of user messages',
  async (era) => {
    const client = await connect('human', era, await folderWithHub())
    const next = updatesOf(client)
    await subscribe(client, INBOX, era)
    const { id } = await call(client, 'chat_human_post', { mime: 'text/plain', content: 'Hello' })
    expect((await next()).messages).toMatchObject([{ id, content: 'Hello' }])
  },
)

test('[C19] each surface shows its own tools', async () => {
  const data = await folderWithHub()
  const tools = async (surface: string) =>
    (await (await connect(surface, 'legacy', data)).listTools()).tools.map(({ name }) => name)
  expect(await tools('assistant')).toEqual(['chat_read_since', 'chat_assistant_post', 'chat_assistant_event'])
  expect(await tools('agent')).toContain('ask_user')
  expect(await tools('loop')).toEqual(['yield_turn'])
  expect(await tools('ui')).toEqual(['send_message', 'end_turn', 'chat_read_since'])
  expect(await tools('chat')).toEqual(['chat_read_since', 'chat_human_post', 'chat_assistant_post'])
})
