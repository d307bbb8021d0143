import { expect, test } from 'vitest'
import { agentOverStdio } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { expectWhole, openPage, questionOf, told, waiting } from '../support/page.ts'
import { startParley } from '../support/process.ts'
import { connect } from '../support/socket.ts'

const run = (data: string, ...args: string[]) => startParley([...args, '--data', data]).ended

async function startAgent(data: string, name: string) {
  const agent = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: name } })
  return { ...agent, url: (await agent.url) ?? '' }
}

test('[C84] status says who is connected to the hub of a folder', async () => {
  const data = await temporaryFolder()
  expect(await run(data, 'status')).toMatchObject({ code: 1, stderr: '' })
  const [one] = [await startAgent(data, 'one'), await startAgent(data, 'two')]
  const page = openPage(one.url)
  await waiting(one, page, 'Deploy?')
  const { code, stdout } = await run(data, 'status')
  expect(code).toBe(0)
  expect(stdout).toMatch(`A hub runs at ${one.url}\n`)
  expect(stdout).toMatch(new RegExp(`^version .*process ${hubOf(data).pid}$`, 'm'))
  expect(stdout).toMatch(/^pages +1 open$/m)
  expect(stdout).toMatch(/^agents +2 by stdio, 0 by HTTP$/m)
  expect(stdout).toMatch(/^test-agent +one +/m)
  expect(stdout).toMatch(/^\(not said yet\) +two +/m)
})

test('[C35] serve says where the hub is that an agent has started, and leaves it alone', async () => {
  const data = await temporaryFolder()
  const agent = await startAgent(data, 'work')
  const page = openPage(agent.url)
  const { reply, question } = await waiting(agent, page, 'Deploy?')
  expect(await run(data, 'serve')).toEqual({
    code: 1,
    stdout: '',
    stderr: `A hub for ${data} is already running: open ${agent.url}, or choose another folder with --data\n`,
  })
  await page.answer(question, 'Yes')
  expect(await reply).toEqual({ reply: 'Yes' })
  expect(page.resumed).toEqual([true])
})

test('[C54] stop answers what waits, and the lines stay and start another hub when they need one', async () => {
  const data = await temporaryFolder()
  const agent = await startAgent(data, 'work')
  const page = openPage(agent.url)
  const { reply, question } = await waiting(agent, page, 'Deploy?')
  const { pid } = hubOf(data)
  const stopped = run(data, 'stop')
  await expect(reply).rejects.toThrow(`come back in a moment with question_id "${question}"`)
  expect(await stopped).toEqual({
    code: 0,
    stdout: `The hub of ${data} has ended; what was asked stays open\n`,
    stderr: '',
  })
  // A page that looks for it starts none, and neither does a line whose agent is silent.
  expect(await run(data, 'status')).toMatchObject({ code: 1 })
  expect(await run(data, 'stop')).toMatchObject({ code: 0, stdout: `No hub is running for ${data}\n` })
  const again = agent.call({ text: 'Deploy?', question_id: question })
  await page.until(() => page.resumed.length === 2)
  await page.answer(question, 'Yes')
  expect(await again).toEqual({ reply: 'Yes' })
  expect(hubOf(data).pid).not.toBe(pid)
  expect(told(page, 'question')).toHaveLength(1)
  expectWhole(page)
})

test('[C54] the owner of a folder exports from its hub, whatever tokens it asks others for', async () => {
  const data = await temporaryFolder()
  const PARLEY_TOKENS = 'ada:human:of-ada-0123456789'
  const agent = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: 'work', PARLEY_TOKENS } })
  const person = await connect((await agent.url) ?? '', '/ws', undefined, { authorization: 'Bearer of-ada-0123456789' })
  const reply = agent.ask('Deploy?')
  const { ack_id } = await person.next('agentMessage')
  const { code, stdout, stderr } = await run(data, 'export', 'work')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain('> Deploy?')
  person.say({ type: 'ack', id: ack_id, message: 'Yes' })
  expect(await reply).toBe('Yes')
})

test('[C86] a page that was opened before any agent is that of the agents', async () => {
  const data = await temporaryFolder()
  // It stays for a moment, so that somebody can come.
  const { stdout } = await startParley(['open', '--data', data], { PARLEY_KEEP: '60' }).ended
  const page = openPage(stdout.trim())
  await page.started
  const agent = await startAgent(data, 'work')
  expect(agent.url).toBe(stdout.trim())
  const reply = agent.call({ text: 'Deploy?' })
  await page.answer(await questionOf(page, 'Deploy?'), 'Yes')
  expect(await reply).toEqual({ reply: 'Yes' })
})
