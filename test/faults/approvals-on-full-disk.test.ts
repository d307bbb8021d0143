import { expect, test } from 'vitest'
import { agentOverStdio } from '../support/agent.ts'
import { eventually } from '../support/eventually.ts'
import { canMount, smallDisk } from '../support/faults/small-disk.ts'
import { startHub } from '../support/hub.ts'
import { connectHttp } from '../support/mcp/http-client.ts'
import { openPage, type Page, told } from '../support/page.ts'

const APPROVE = { name: 'approve', arguments: { tool_name: 'Bash', input: { command: 'ls' } } }
const FULL = { type: 'refused', code: 'disk_full' }
const SETTLED = { type: 'refused', code: 'question_settled' }

async function approvalOn(page: Page) {
  const { id } = await page.until(() => told(page, 'question')[0])
  return id
}

async function called(url: string, tool: string) {
  const text = await (await fetch(`${url}/metrics`)).text()
  return text.split('\n').some((line) => line.startsWith(`parley_calls_total{tool="${tool}"`))
}

test.skipIf(!canMount)(
  '[A85] an approval that is cancelled while the disk is full cannot be allowed, and is withdrawn when there is room',
  async () => {
    const disk = await smallDisk()
    const { url } = await startHub(disk.data)
    const page = openPage(url)
    const cancelled = new AbortController()
    const agent = await connectHttp(`${url}/mcp/agent`)
    const call = agent.callTool(APPROVE, { signal: cancelled.signal })
    call.catch(() => {})
    const question = await approvalOn(page)
    disk.fill()
    cancelled.abort()
    await eventually(async () => expect(await called(url, 'approve')).toBe(true))
    expect(await page.allow(question)).toMatchObject(FULL)
    disk.empty()
    expect(await page.allow(question)).toMatchObject(SETTLED)
    expect(told(page, 'settlement')).toMatchObject([{ question, outcome: 'withdrawn' }])
  },
)

test.skipIf(!canMount)(
  '[A85] an approval whose agent is killed while the disk is full is withdrawn when there is room',
  async () => {
    const disk = await smallDisk()
    const start = (name: string) =>
      agentOverStdio({ args: ['stdio', '--surface', 'agent'], env: { PARLEY_DATA: disk.data, PARLEY_SESSION: name } })
    const [asking, other] = await Promise.all([start('asking'), start('other')])
    const page = openPage((await other.url) ?? '')
    asking.client.callTool(APPROVE).catch(() => {})
    const question = await approvalOn(page)
    disk.fill()
    process.kill(asking.pid, 'SIGKILL')
    await page.until(() => page.agents.get('asking') === 'gone')
    expect(await page.allow(question)).toMatchObject(FULL)
    disk.empty()
    const { outcome, gone } = await page.until(() => told(page, 'settlement')[0])
    expect([outcome, gone]).toEqual(['withdrawn', true])
    expect(await page.allow(question)).toMatchObject(SETTLED)
  },
)
