import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectToHub } from '../../src/doors/socket/connect.ts'
import { LINK_FORMAT } from '../../src/protocol/frames/link-format.ts'
import { VERSION } from '../../src/protocol/version.ts'
import { startHub, startHubWithSocket, temporaryFolder } from '../support/hub.ts'

test('[S84] who leaves in the middle of a request is no fault of the hub', async () => {
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => void vi.restoreAllMocks())
  const { url } = await startHub()
  const { port } = new URL(url)
  for (const path of ['/api/mcp/call', '/api/tools/ui_chat_human_post', '/api/attachments']) {
    const socket = connect(Number(port), '127.0.0.1')
    await new Promise<void>((resolve) => socket.once('connect', resolve))
    const head = [
      `POST ${path} HTTP/1.1`,
      `host: localhost:${port}`,
      'content-length: 100',
      'content-type: a/b',
      'expect: 100-continue',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n{`)
    await new Promise<void>((resolve) => socket.once('data', () => resolve()))
    socket.destroy()
  }
  const refused = async () => {
    const counted = (await (await fetch(`${url}/metrics`)).text()).matchAll(/code="(\w+)"\} (\d+)/g)
    return [...counted].map(([, code, times]) => ({ code, times }))
  }
  await expect.poll(refused).toContainEqual({ code: 'cancelled', times: '3' })
  expect(reported.mock.calls).toEqual([])
})

test('[S84] an answer that nobody asked for is no fault of the hub either, and its line goes on', async () => {
  const data = await temporaryFolder()
  await startHubWithSocket(data)
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => void vi.restoreAllMocks())
  const socket = await connectToHub(data)
  if (!socket) throw new Error('There is no hub')
  onTestFinished(() => void socket.destroy())
  const hello = {
    format: LINK_FORMAT,
    version: VERSION,
    line: 'a',
    surface: 'agent',
    title: 'a',
    folder: '/',
    wants: {},
  }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  say({ hello })
  say({ mcp: { jsonrpc: '2.0', id: 1, result: {} } })
  say({ mcp: { jsonrpc: '2.0', id: 2, method: 'initialize', params }, key: 'b' })
  let heard = ''
  for await (const chunk of socket) {
    heard += chunk
    if (heard.includes('"protocolVersion"')) break
  }
  expect([told.mock.calls, reported.mock.calls]).toEqual([[], []])

  function say(frame: object) {
    socket?.write(`${JSON.stringify(frame)}\n`)
  }
})
