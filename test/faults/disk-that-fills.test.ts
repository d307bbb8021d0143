import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createGovernor } from '../../src/governance/calls/governor.ts'
import { type AgentStatus, STATUS } from '../../src/protocol/frames/inbox.ts'
import type { MountedCall } from '../../src/protocol/tools/gateway.ts'
import { agentOverStdio } from '../support/agent.ts'
import { eventually } from '../support/eventually.ts'
import { canMount, smallDisk } from '../support/faults/small-disk.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { connectHttp } from '../support/mcp/http-client.ts'
import { readJson } from '../support/mcp/surfaces.ts'
import { subscribe, updatesOf } from '../support/mcp/updates.ts'
import { openPage, waiting } from '../support/page.ts'
import { followed, startGoverned } from '../support/policy/governed.ts'
import { connectPage } from '../support/socket.ts'

const FULL = 'The disk is full and nothing new can be kept; make room, and Parley goes on by itself'

/** The status and the words of what is asked for over HTTP. */
async function said(url: string, init?: RequestInit) {
  const response = await fetch(url, init)
  const { error } = (await response.json()) as { error?: string }
  return [response.status, error]
}

test.skipIf(!canMount)(
  '[S95] a full disk makes the hub not ready without a word said, with the reason, and room makes it ready again',
  async () => {
    const disk = await smallDisk()
    const { url } = await startHub(disk.data)
    const person = await connectHttp(`${url}/mcp/human`, { era: 'modern' })
    const next = updatesOf(person)
    await subscribe(person, STATUS, 'modern')
    const ui = async () => ((await readJson(person, STATUS)).body as unknown as AgentStatus).ui
    expect([await said(`${url}/readyz`), await ui()]).toEqual([[200, undefined], { ready: true }])
    disk.fill()
    expect((await next()).uri).toBe(STATUS)
    expect([await said(`${url}/readyz`), await ui()]).toEqual([[503, FULL], { ready: false, reason: FULL }])
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('parley_ready 0')
    disk.empty()
    expect((await next()).uri).toBe(STATUS)
    expect([await said(`${url}/readyz`), await ui()]).toEqual([[200, undefined], { ready: true }])
  },
)

test.skipIf(!canMount)(
  '[S96] what a full disk does not take is refused with a sentence about it at every door',
  async () => {
    const disk = await smallDisk()
    const { url, view } = await startHub(disk.data)
    const page = openPage(url)
    await page.started
    disk.fill()
    const body = JSON.stringify({ mime: 'text/plain', content: 'Hello' })
    const post = () => said(`${url}/api/tools/human_chat_human_post`, { method: 'POST', body })
    expect(await post()).toEqual([503, FULL])
    expect(await page.post('work', 'Hello')).toMatchObject({ type: 'refused', code: 'disk_full', error: FULL })
    const agent = await connectHttp(`${url}/mcp/agent`)
    const asked = await agent.callTool({ name: 'send_message', arguments: { text: 'Deploy?' } })
    expect(asked).toMatchObject({ isError: true, content: [{ text: FULL }] })
    expect(await view.conversations({ limit: 9 })).toEqual([])
    disk.empty()
    expect((await post())[0]).toBe(200)
    expect(await page.post('work', 'Hello')).toMatchObject({ type: 'accepted' })
  },
)

test.skipIf(!canMount)('[W50] a page is told that the disk is full, and that it is not any more', async () => {
  const disk = await smallDisk()
  const { url } = await startHub(disk.data)
  const before = await connectPage(url)
  disk.fill()
  expect(await before.next('trouble')).toEqual({ type: 'trouble', reason: FULL })
  const after = await connectPage(url)
  expect(await after.next('trouble')).toEqual({ type: 'trouble', reason: FULL })
  disk.empty()
  for (const page of [before, after]) expect(await page.next('trouble')).toEqual({ type: 'trouble' })
})

test.skipIf(process.platform !== 'linux')(
  '[S95] [S96] a disk that fails is the same: what was acknowledged is there, and it goes on by itself',
  async () => {
    const data = await temporaryFolder()
    const agent = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: 'work' } })
    const url = (await agent.url) ?? ''
    const page = openPage(url)
    const { reply, question } = await waiting(agent, page, 'Deploy?')
    const limit = (bytes: string) => execFileSync('prlimit', ['--pid', `${hubOf(data).pid}`, `--fsize=${bytes}:`])
    limit('0')
    const refused = { type: 'refused', error: expect.stringMatching(/^The disk (cannot be written|is full)/) }
    expect(await page.answer(question, 'Lost?')).toMatchObject(refused)
    expect(await said(`${url}/readyz`)).toEqual([503, refused.error])
    limit('unlimited')
    await eventually(async () => expect(await said(`${url}/readyz`)).toEqual([200, undefined]))
    expect(await page.answer(question, 'Yes')).toMatchObject({ type: 'accepted' })
    expect(await reply).toEqual({ reply: 'Yes' })
  },
)

test.skipIf(!canMount)(
  '[S97] a call whose question ends while the disk is full is told that it is pending',
  async () => {
    const disk = await smallDisk()
    const { url, view } = await startHub(disk.data)
    const page = openPage(url)
    const entries = followed(view)
    const agent = await connectHttp(`${url}/mcp/agent`)
    const input = { question: 'Deploy?', timeout_seconds: 2, on_timeout: 'withdraw' }
    const call = agent.callTool({ name: 'ask_user', arguments: input })
    // In the very turn that it was asked in, and so before its time can be over.
    const { id: question_id } = await entries.until('question')
    disk.fill()
    expect((await call).structuredContent).toMatchObject({ status: 'pending', question_id })
    disk.empty()
    await page.answer(question_id, 'Yes')
    const again = await agent.callTool({ name: 'ask_user', arguments: { question_id } })
    expect(again.structuredContent).toMatchObject({ answer: 'Yes' })
  },
)

test.skipIf(!canMount)('[S97] a mounted call whose approval ends while the disk is full is pending, too', async () => {
  const disk = await smallDisk()
  const rules = [{ decision: 'ask', server: 'diary', tool: 'write', deadline: '2s' }]
  const { connect, person, written } = await startGoverned({ data: disk.data, policy: { rules } })
  const entries = followed(person)
  const agent = await connect()
  const call = agent.callTool({ name: 'diary_write', arguments: { text: 'Hello' } })
  const { id: question_id } = await entries.until('question')
  disk.fill()
  const { isError, content } = await call
  expect([isError, JSON.parse((content as { text: string }[])[0]?.text ?? '')]).toMatchObject([
    true,
    { status: 'pending', question_id },
  ])
  expect(written()).toEqual([])
})

test.skipIf(!canMount)('[G135] what changes something runs only once it is in the log, also over HTTP', async () => {
  const disk = await smallDisk()
  const policy = { rules: [{ decision: 'allow', server: 'diary' }] }
  const { connect, written } = await startGoverned({ data: disk.data, policy })
  const agent = await connect()
  disk.fill()
  const write = () => agent.callTool({ name: 'diary_write', arguments: { text: 'Hello' } })
  expect(await write()).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('The disk is full') }],
  })
  expect(written()).toEqual([])
  disk.empty()
  await eventually(async () => expect((await write()).isError).toBeFalsy())
  expect(written()).toEqual(['{"text":"Hello"}'])
})

test.skipIf(!canMount)('[G135] approve allows nothing that cannot be written down', async () => {
  const disk = await smallDisk()
  const { url } = await startGoverned({ data: disk.data, policy: { rules: [{ decision: 'allow' }] } })
  const agent = await connectHttp(`${url}/mcp/agent`)
  const input = { tool_name: 'Bash', input: { command: 'ls' } }
  const approve = () => agent.callTool({ name: 'approve', arguments: input })
  expect(JSON.stringify((await approve()).content)).toContain('allow')
  disk.fill()
  const { isError, content } = await approve()
  expect([isError, content]).toMatchObject([true, [{ text: FULL }]])
})

/** A tool that is allowed, has run, and answers once the disk is full. */
async function runsIntoFull() {
  const disk = await smallDisk()
  const { connect, person, written, ended, close: end } = await startGoverned({ data: disk.data })
  const entries = followed(person)
  const until = join(await temporaryFolder(), 'go on')
  const write = { name: 'diary_write', arguments: { text: 'one', until } }
  const agent = await connect()
  const gone = new AbortController()
  const call = agent.callTool(write, { signal: gone.signal })
  await person.allow((await entries.until('question')).id, undefined)
  await eventually(() => expect(written()).toHaveLength(1))
  disk.fill()
  const [goOn, again] = [() => writeFileSync(until, ''), () => startGoverned({ data: disk.data })]
  return { disk, entries, written, agent, write, call, gone, ended, goOn, end, again }
}

test.skipIf(!canMount)(
  '[S105] who waits for a call gets what it brought although the disk is full by then, and its end is written when there is room',
  async () => {
    const { disk, entries, written, call, goOn } = await runsIntoFull()
    goOn()
    expect((await call).content).toEqual([{ type: 'text', text: 'Wrote one' }])
    expect(entries.entries.filter(({ body }) => body.kind === 'tool_result')).toEqual([])
    disk.empty()
    expect((await entries.until('tool_result')).body).toMatchObject({ success: true, result: 'Wrote one' })
    // The caller knows, and nobody is told besides.
    await eventually(() => expect(entries.entries.at(-1)?.body).toMatchObject({ kind: 'receipt' }))
    expect(written()).toHaveLength(1)
  },
)

test.skipIf(!canMount)(
  '[S106] the same call made again while its end is not written ends as it did, and does not run again',
  async () => {
    const { disk, entries, written, agent, write, call, gone, ended } = await runsIntoFull()
    gone.abort()
    await expect(call).rejects.toThrow()
    await ended('diary_write')
    // Its server was told that it is not wanted any more.
    await expect(agent.callTool(write)).rejects.toThrow('The call was cancelled')
    disk.empty()
    expect((await entries.until('tool_result')).body).toMatchObject({
      success: false,
      result: 'The call was cancelled',
    })
    expect(written()).toHaveLength(1)
  },
)

test.skipIf(!canMount)(
  '[S106] a call that a rule allows and its line makes again has its result, also while that is not written',
  async () => {
    const disk = await smallDisk()
    const hub = await startHub(disk.data)
    const entries = followed(hub.view)
    const result = { content: [{ type: 'text', text: 'Paid' }] }
    const governor = createGovernor({
      calls: hub.chat.mountedCalls,
      decide: () => ({ decision: 'allow' }),
      toolPins: { ready: Promise.resolve(), fits: () => true, meet() {}, pin() {} },
      keep: async () => ({ result: 'Paid' }),
      keepInput: async () => ({ tool_args: '{}' }),
      recall: async ({ result }) => ({ content: [{ type: 'text', text: result }] }),
      alone: { now: async () => undefined, run: () => Promise.reject(new Error('Nobody has gone')) },
      report() {},
    })
    onTestFinished(governor.close)
    let runs = 0
    const call = (isRepeated: boolean): MountedCall => ({
      subject: { server: 's', tool: 'pay', arguments: {}, principal: 'ada', conversation: 'work', at: 0 },
      ...{ shown: 's_pay', fingerprint: '', by: 'agent', key: 'k', isRepeated, signal: new AbortController().signal },
      async run(_, over) {
        runs++
        disk.fill()
        await over({ result })
        return result
      },
      now: async () => ({ fingerprint: '' }),
      keepWaiting: (work) => work(),
      carry() {},
    })
    expect(await governor.govern(call(false))).toEqual(result)
    expect(await governor.govern(call(true))).toEqual(result)
    disk.empty()
    await entries.until('tool_result')
    expect([await governor.govern(call(true)), runs]).toEqual([result, 1])
  },
)

test.skipIf(!canMount)(
  '[S107] a hub that ends before there is room leaves a call in doubt, with a sentence that is true',
  async () => {
    const { disk, call, goOn, agent, entries, end, again } = await runsIntoFull()
    goOn()
    expect((await call).content).toEqual([{ type: 'text', text: 'Wrote one' }])
    await agent.close()
    await end()
    disk.empty()
    const { person } = await again()
    expect(entries.entries.filter(({ body }) => body.kind === 'tool_result')).toEqual([])
    expect((await followed(person).until('tool_result')).body).toMatchObject({
      result:
        'Whether diary_write ran is unknown: the hub ended meanwhile, or could not write down how it ended. It is not done again',
    })
  },
)
