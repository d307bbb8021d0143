import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { stayingIn } from '../../scripts/processes.ts'
import { agentOverStdio } from '../support/agent.ts'
import { openPage, told, waiting } from '../support/page.ts'

// One that nobody needs has ended by then; one that is still there was forgotten.
const PATIENCE_MS = 60_000

async function startInMemory() {
  // In the environment of the line, and so in that of its hub.
  const mark = `run-${randomUUID()}`
  const agent = await agentOverStdio({ args: ['stdio', '--data', 'memory'], env: { PARLEY_SESSION: mark } })
  const page = openPage((await agent.url) ?? '')
  await page.started
  return { agent, page, mark }
}

test('[C78] lines that keep nothing have a hub each, and see nothing of each other', async () => {
  const [one, two] = [await startInMemory(), await startInMemory()]
  const calls = [await waiting(one.agent, one.page, 'One?'), await waiting(two.agent, two.page, 'Two?')]
  await two.page.answer(calls[1]?.question ?? '', 'Second')
  await one.page.answer(calls[0]?.question ?? '', 'First')
  expect(await Promise.all(calls.map(({ reply }) => reply))).toEqual([{ reply: 'First' }, { reply: 'Second' }])
  expect([told(one.page, 'question'), told(two.page, 'question')]).toMatchObject([
    [{ text: 'One?' }],
    [{ text: 'Two?' }],
  ])
})

test.each(['closes', 'is killed'])('[C78] a hub that keeps nothing ends when its line %s', async (how) => {
  const { agent, page, mark } = await startInMemory()
  // A page alone does not keep it.
  expect(page.resumed).toEqual([true])
  if (how === 'closes') await agent.client.close()
  else process.kill(agent.pid, 'SIGKILL')
  expect(await stayingIn(mark, PATIENCE_MS)).toEqual([])
})
