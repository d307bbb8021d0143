import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SOAK } from '../src/log/contract/place.ts'
import { agentOverStdio } from './support/agent.ts'
import { temporaryFolder } from './support/hub.ts'
import { hubOf } from './support/hub-of.ts'
import { openPage, told, waiting } from './support/page.ts'

const ROUNDS = SOAK > 1 ? 30 : 4

async function openWorkshop() {
  const [data, files] = [await temporaryFolder(), await temporaryFolder()]
  const keeper = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: 'keeper' } })
  const page = openPage((await keeper.url) ?? '')
  return { data, page, start }

  async function start(folder = 'app') {
    const cwd = join(files, folder)
    await mkdir(cwd, { recursive: true })
    return agentOverStdio({ cwd, env: { PARLEY_DATA: data } })
  }
}

test('[Q60] two agents of one folder that wait on the same words when the hub is killed get each its own reply', {
  timeout: ROUNDS * 30_000,
}, async () => {
  const { data, page, start } = await openWorkshop()
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
  const { data, page, start } = await openWorkshop()
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
