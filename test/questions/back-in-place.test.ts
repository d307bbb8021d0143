import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SOAK } from '../log/contract/place.ts'
import { agentOverStdio } from '../support/agent.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { openPage, told, waiting } from '../support/page.ts'

type Agent = Awaited<ReturnType<typeof agentOverStdio>>

const ROUNDS = SOAK > 1 ? 30 : 2

/** Agents of folders, a page, and a hub here or in a process of its own. */
async function openWorkshop({ apart = false } = {}) {
  const [data, files] = [await temporaryFolder(), await temporaryFolder()]
  const keeper = { PARLEY_DATA: data, PARLEY_SESSION: 'keeper' }
  const { url } = await (apart ? agentOverStdio({ env: keeper }) : startHubWithSocket(data))
  const page = openPage(await url)
  return { data, page, start, startIn }

  async function start(folder = 'app') {
    const cwd = join(files, folder)
    await mkdir(cwd, { recursive: true })
    return agentOverStdio({ cwd, env: { PARLEY_DATA: data } })
  }

  function startIn(conversation: string, surface = 'bridge') {
    const env = { PARLEY_DATA: data, PARLEY_SESSION: conversation }
    return agentOverStdio({ cwd: files, env, args: ['stdio', '--surface', surface] })
  }
}

test('[Q60] two agents of one folder that wait on the same words when the hub is killed get each its own reply', {
  timeout: 60_000 + ROUNDS * 30_000,
}, async () => {
  const { data, page, start } = await openWorkshop({ apart: true })
  const agents = [await start(), await start()]
  const homes: (string | undefined)[] = []
  for (const agent of agents) {
    const { reply, question } = await waiting(agent, page, `Hello ${homes.length}`)
    homes.push(told(page, 'question').find(({ id }) => id === question)?.conversation)
    await page.answer(question, 'Hello')
    await reply
  }
  for (let round = 0; round < ROUNDS; round++) {
    const text = `Done ${round}. What next?`
    const calls = agents.map((agent) => agent.ask(text))
    const asked = () => told(page, 'question').filter((question) => question.text === text)
    await page.until(() => asked().length === 2)
    process.kill(hubOf(data).pid, 'SIGKILL')
    await page.until(() => page.resumed.length === round + 2)
    for (const { id, conversation } of asked()) await page.answer(id, `To ${conversation}`)
    expect(await Promise.all(calls)).toEqual(homes.map((home) => `To ${home}`))
    expect(asked()).toHaveLength(2)
  }
})

test('[Q61] an agent with a conversation of its own stays there after a restart, whatever it asks', async () => {
  const { data, page, start } = await openWorkshop({ apart: true })
  const [closed, stays] = [await start(), await start()]
  const mine = await waiting(stays, page, 'Shall I begin?')
  await page.answer(mine.question, 'Yes')
  await mine.reply
  const left = await waiting(closed, page, 'Done. What next?')
  await closed.client.close()
  await left.reply.catch(() => {})
  process.kill(hubOf(data).pid, 'SIGKILL')
  await page.until(() => page.resumed.length === 2)
  await page.answer(left.question, 'Merge it and delete the branch')
  const reply = stays.ask('Done. What next?')
  const [, own] = await page.until(() => {
    const asked = told(page, 'question').filter(({ text }) => text === 'Done. What next?')
    return asked.length === 2 && asked
  })
  const [begun] = told(page, 'question').filter(({ text }) => text === 'Shall I begin?')
  expect(own?.conversation).toBe(begun?.conversation)
  await page.answer(own?.id ?? '', 'Rest')
  expect(await reply).toBe('Rest')
})

test('[Q62] what was asked in another folder of the same name is not gone on with', async () => {
  const { page, start } = await openWorkshop()
  const first = await start('customer-a/app')
  const left = await waiting(first, page, 'Deploy?')
  process.kill(first.pid, 'SIGKILL')
  await left.reply.catch(() => {})
  const second = await start('customer-b/app')
  const reply = second.ask('Deploy?')
  const [, own] = await page.until(() => told(page, 'question').length === 2 && told(page, 'question'))
  await page.answer(left.question, 'To customer A')
  await page.answer(own?.id ?? '', 'To customer B')
  expect(await reply).toBe('To customer B')
})

test('[Q63] where two agents of one folder were lost, nobody is taken for either', async () => {
  const { page, start } = await openWorkshop()
  const lost = [await start(), await start()]
  const calls = [await waiting(lost[0] as never, page, 'Deploy?'), await waiting(lost[1] as never, page, 'Rename?')]
  for (const agent of lost) process.kill(agent.pid, 'SIGKILL')
  await Promise.allSettled(calls.map(({ reply }) => reply))
  const reply = (await start()).ask('Deploy?')
  const [, , own] = await page.until(() => told(page, 'question').length === 3 && told(page, 'question'))
  await page.answer(own?.id ?? '', 'Mine')
  expect(await reply).toBe('Mine')
})

test.each([
  ['close their input', (agent: Agent) => agent.client.close()],
  ['are told to end', async ({ pid }: Agent) => void process.kill(pid, 'SIGTERM')],
])('[Q63] where two agents that wait on the same words %s, nobody is taken for either', async (_, end) => {
  const { page, start } = await openWorkshop()
  const text = 'Done. What next?'
  const agents = [await start(), await start()]
  const calls = agents.map((agent) => agent.ask(text).catch(() => {}))
  const [one, other] = await page.until(() => told(page, 'question').length === 2 && told(page, 'question'))
  for (const agent of agents) await end(agent)
  await Promise.all(calls)
  for (const { id } of [one, other] as { id: string }[]) await page.answer(id, `To ${id}`)
  const reply = (await start()).ask(text)
  const [, , own] = await page.until(() => told(page, 'question').length === 3 && told(page, 'question'))
  await page.answer(own?.id ?? '', 'Mine')
  expect(await reply).toBe('Mine')
})

test('[Q68] of two agents in one named conversation that waited on the same words, nobody is taken for the other', async () => {
  const { page, startIn } = await openWorkshop()
  const text = 'Shall I merge it?'
  const agents = [await startIn('shared'), await startIn('shared')]
  const calls = agents.map((agent) => agent.ask(text).catch(() => {}))
  const asked = () => told(page, 'question').filter((question) => question.text === text)
  await page.until(() => asked().length === 2)
  for (const { pid } of agents) process.kill(pid, 'SIGKILL')
  await Promise.all(calls)
  for (const { id } of asked()) await page.answer(id, `To ${id}`)
  const replies = [await startIn('shared'), await startIn('shared')].map((agent) => agent.ask(text))
  await page.until(() => asked().length === 4)
  for (const { id } of asked().slice(2)) await page.answer(id, 'Mine')
  expect(await Promise.all(replies)).toEqual(['Mine', 'Mine'])
})

test('[Q66] an agent that was there all along is not taken for one that has left, whatever it asks', async () => {
  const { page, start } = await openWorkshop()
  const [leaves, silent] = [await start(), await start()]
  const left = await waiting(leaves, page, 'Shall I go on?')
  await leaves.client.close()
  await left.reply.catch(() => {})
  await page.answer(left.question, 'Merge it and delete the branch')
  const reply = silent.ask('Shall I go on?')
  const [first, own] = await page.until(() => {
    const asked = told(page, 'question').filter(({ text }) => text === 'Shall I go on?')
    return asked.length === 2 && asked
  })
  expect(own?.conversation).not.toBe(first?.conversation)
  await page.answer(own?.id ?? '', 'Rest')
  expect(await reply).toBe('Rest')
})

test('[Q90] the id of a call leads no other agent of the conversation to what was done by it', async () => {
  const { page, startIn } = await openWorkshop()
  const input = { tool_name: 'Bash', input: { command: 'rm -rf build' } }
  const approve = (agent: Agent) =>
    agent.client.callTool({ name: 'approve', arguments: input, _meta: { 'claudecode/toolUseId': 'call_0' } })
  const cards = () => told(page, 'question').filter(({ approval }) => approval)
  const calls = [approve(await startIn('shared', 'agent')), approve(await startIn('shared', 'agent'))]
  await page.until(() => cards().length === 2)
  await page.allow(cards()[0]?.id ?? '')
  await page.command('deny', { question: cards()[1]?.id ?? '', reason: 'Not you' })
  const verdicts = (await Promise.all(calls)).map(({ content }) =>
    JSON.parse((content as { text: string }[])[0]?.text ?? ''),
  )
  expect(verdicts.map(({ behavior }) => behavior).sort()).toEqual(['allow', 'deny'])
  const later = approve(await startIn('shared', 'agent'))
  await page.until(() => cards().length === 3)
  await page.allow(cards()[2]?.id ?? '')
  await later
})
