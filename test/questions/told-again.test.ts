import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connectToHub } from '../../src/doors/socket/connect.ts'
import { LINK_FORMAT } from '../../src/protocol/frames/link-format.ts'
import { VERSION } from '../../src/protocol/version.ts'
import { eventually } from '../support/eventually.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { hubEnd } from '../support/lines/scripted-hub.ts'

/** One connection of a line whose agent says hello to its hub. */
async function connection(data: string, line: string) {
  const socket = (await connectToHub(data)) as Socket
  onTestFinished(() => void socket.destroy())
  const { heard, say } = hubEnd(socket)
  const about = { format: LINK_FORMAT, version: VERSION, line, title: 'work', folder: data, wants: {} }
  say({ hello: { ...about, surface: 'agent' } })
  const clientInfo = { name: 'codex', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  say({ mcp: { jsonrpc: '2.0', id: 0, method: 'initialize', params }, key: 'line:0' })
  say({ mcp: { jsonrpc: '2.0', method: 'notifications/initialized' } })
  return { socket, heard, say }
}

test('[Q61] a line whose connection was lost is told again where its agent is', async () => {
  const data = await temporaryFolder()
  await startHubWithSocket(data)
  const line = randomUUID()
  const first = await connection(data, line)
  const params = { name: 'send_progress', arguments: { text: 'I begin' } }
  first.say({ mcp: { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, key: 'line:1' })
  const own = await eventually(() => {
    const { conversation } = first.heard.find(({ conversation }) => conversation) ?? {}
    expect(conversation).toBeDefined()
    return conversation
  })
  // What it was told may have been on its way to nobody.
  const second = await connection(data, line)
  await eventually(() => expect(second.heard).toContainEqual({ conversation: own }))
  await eventually(() => expect(second.heard).toContainEqual({ seated: { conversation: own } }))
})
