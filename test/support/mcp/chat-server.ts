import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { Hub } from '../../../src/hub/hub.ts'
import type { Era } from '../agent.ts'
import { startHub, temporaryFolder } from '../hub.ts'
import { connect as connectSocket } from '../socket.ts'
import { outputSchemas } from './output-schemas.ts'
import type { Message } from './surfaces.ts'

export const INBOX = 'ui://chat/inbox'
export const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
export const say = (content: string) => ({ mime: 'text/markdown', content })

/** A hub with the two identities of the document, each with a token of its own. */
export async function openChatServer() {
  const data = await temporaryFolder()
  let hub: Hub = await startHub(data)
  const { secret: orchestrator } = await hub.tokens.create({ name: 'orchestrator', role: 'orchestrator' })
  const { secret: human } = await hub.tokens.create({ name: 'human', role: 'human' })
  return {
    orchestrator: (era?: Era) => connect('/mcp/assistant', orchestrator, era),
    frontend: (era?: Era) => connect('/mcp/human', human, era),
    /** Where the person reads, writes and changes what they said. */
    async page() {
      const headers = { authorization: `Bearer ${human}` }
      const page = await connectSocket(hub.url, '/ws?dialect=timeline', undefined, headers)
      page.say({ type: 'hello' })
      await page.next('welcome')
      return page
    },
    async restart() {
      await hub.close()
      hub = await startHub(data)
    },
  }

  async function connect(path: string, token: string, era: Era = 'legacy'): Promise<Client> {
    const mode = era === 'modern' ? 'auto' : 'legacy'
    const client = new Client(
      { name: 'document', version: '1' },
      { versionNegotiation: { mode }, jsonSchemaValidator: outputSchemas },
    )
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}${path}`), { requestInit }))
    onTestFinished(() => client.close())
    return client
  }
}

export function texts(messages: Message[] | undefined) {
  return messages?.map(({ content }) => content)
}
