import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectToHub } from '../../src/doors/socket/connect.ts'
import { readLines } from '../../src/io/lines.ts'
import { LINK_FORMAT } from '../../src/protocol/frames/link-format.ts'
import { VERSION } from '../../src/protocol/version.ts'
import { agentOverStdio } from '../support/agent.ts'
import { eventually } from '../support/eventually.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { openPage, told } from '../support/page.ts'

const APPROVE = { name: 'approve', arguments: { tool_name: 'Bash', input: { command: 'ls' } } }
const GONE = { outcome: 'withdrawn', gone: true }
const RECONNECTS = 20

/** Two agents of one folder, and the page of their hub; the first asks for a verdict. */
async function askedForVerdict(asked = APPROVE, mounts = {}) {
  const data = await temporaryFolder()
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: mounts }))
  const start = (name: string) =>
    agentOverStdio({ args: ['stdio', '--surface', 'agent'], env: { PARLEY_DATA: data, PARLEY_SESSION: name } })
  const [asking, other] = await Promise.all([start('asking'), start('other')])
  const page = openPage((await other.url) ?? '')
  await page.started
  const cancelled = new AbortController()
  const call = asking.client.callTool(asked, { signal: cancelled.signal })
  call.catch(() => {})
  const { id } = await page.until(() => told(page, 'question')[0])
  return { data, asking, other, page, call, cancelled, question: id, settled: () => told(page, 'settlement')[0] }
}

test('[A81] an approval whose agent died with its hub is withdrawn by the next one, which says why', async () => {
  const { data, asking, page, question, settled } = await askedForVerdict()
  process.kill(asking.pid, 'SIGKILL')
  process.kill(hubOf(data).pid, 'SIGKILL')
  expect(await page.until(settled)).toMatchObject({ question, ...GONE })
})

test('[A81] [G175] so is one of a mounted tool, which the gateway did not ask about', async () => {
  const asked = { name: 'approve', arguments: { tool_name: 'mcp__gateway__files_write', input: { command: 'ls' } } }
  const mounts = { files: { command: 'none', disabled: true } }
  const { asking, page, question, settled } = await askedForVerdict(asked, mounts)
  expect(told(page, 'question')).toMatchObject([{ approval: { server: 'files', tool: 'write' } }])
  process.kill(asking.pid, 'SIGKILL')
  expect(await page.until(settled)).toMatchObject({ question, ...GONE })
})

test('[A81] an approval that was cancelled while there was no hub is withdrawn', async () => {
  const { data, asking, page, question, cancelled, settled } = await askedForVerdict()
  process.kill(asking.pid, 'SIGSTOP')
  process.kill(hubOf(data).pid, 'SIGKILL')
  cancelled.abort()
  process.kill(asking.pid, 'SIGCONT')
  expect(await page.until(settled)).toMatchObject({ question, ...GONE })
})

test('[A81] an approval whose agent is killed is withdrawn by its hub, and one that is back is not', async () => {
  const { data, asking, other, page, settled } = await askedForVerdict()
  const call = other.client.callTool(APPROVE)
  await page.until(() => told(page, 'question').length === 2)
  process.kill(hubOf(data).pid, 'SIGKILL')
  await page.until(() => page.resumed.length === 2)
  process.kill(asking.pid, 'SIGKILL')
  const { question } = await page.until(settled)
  expect(told(page, 'settlement')).toMatchObject([GONE])
  const { id = '' } = told(page, 'question').find(({ id }) => id !== question) ?? {}
  await page.answer(id, 'Allow')
  expect(JSON.stringify(await call)).toContain('allow')
})

test('[A82] a line that comes again while its approval is being asked gets the verdict, and one card is shown', async () => {
  const data = await temporaryFolder()
  const { view } = await startHubWithSocket(data)
  const line = randomUUID()
  for (let n = 1; n <= RECONNECTS; n++) {
    const params = { ...APPROVE, arguments: { ...APPROVE.arguments, tool_use_id: `call ${n}` } }
    const request = { mcp: { jsonrpc: '2.0', id: n + 1, method: 'tools/call', params }, key: `${line}:${n}` }
    const lost = await connect(data, line)
    lost.say(request)
    const back = await connect(data, line)
    back.say({ ...request, waited_ms: 1 })
    const question = await eventually(async () => {
      const [open] = (await view.conversation('work')).open
      if (!open) throw new Error('Nothing is asked')
      return open.id
    })
    await view.allow(question, undefined)
    const { result } = await back.answerTo(n + 1)
    expect(JSON.stringify(result)).toContain('allow')
  }
  const { entries } = await view.page('work', { limit: 1000 })
  const settled = entries.flatMap(({ body }) => (body.kind === 'settlement' ? body.outcome : []))
  expect(settled).toEqual(Array(RECONNECTS).fill('approved'))
})

/** One connection of a line of an agent that has initialised. */
async function connect(data: string, line: string) {
  const socket = (await connectToHub(data)) as Socket
  onTestFinished(() => void socket.destroy())
  const heard: { mcp?: { id?: number; result?: unknown } }[] = []
  readLines(socket, { limitLength: 2 ** 20, line: (text) => heard.push(JSON.parse(text)), tooLong: expect.unreachable })
  const say = (frame: object) => socket.write(`${JSON.stringify(frame)}\n`)
  const about = { format: LINK_FORMAT, version: VERSION, line, title: 'work', folder: data, wants: {} }
  say({ hello: { ...about, surface: 'agent', conversation: 'work' } })
  const clientInfo = { name: 'codex', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  say({ mcp: { jsonrpc: '2.0', id: 1, method: 'initialize', params }, key: `${line}:0` })
  say({ mcp: { jsonrpc: '2.0', method: 'notifications/initialized' } })
  return { say, answerTo }

  function answerTo(id: number) {
    return eventually(() => {
      const answer = heard.find(({ mcp }) => mcp?.id === id)?.mcp
      if (!answer) throw new Error(`Heard only ${JSON.stringify(heard)}`)
      return answer
    })
  }
}
