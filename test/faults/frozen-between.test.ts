import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { agentOverStdio } from '../support/agent.ts'
import { erasOf } from '../support/eras.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { openPage, questionOf, told, waiting } from '../support/page.ts'

const IMPATIENT = fileURLToPath(new URL('../support/lines/impatient-line.ts', import.meta.url))

test.for(erasOf('modern'))(
  '[Q85] what a line delivered while its hub was frozen is not delivered again (%s)',
  async (era) => {
    const data = await temporaryFolder()
    // Long enough that the first thing the hub does then is to write to the connection that its line has left.
    const env = { PARLEY_DATA: data, PARLEY_SESSION: 'work', TICK_MS: '300' }
    const agent = await agentOverStdio({ era, env, program: IMPATIENT, args: [] })
    const page = openPage((await agent.url) ?? '')
    const { reply, question } = await waiting(agent, page, 'Deploy?')
    await page.post('work', 'By the way')
    process.kill(agent.pid, 'SIGSTOP')
    await page.answer(question, 'Yes')
    // By then the answer is on its way to the line.
    for (const text of ['one', 'two', 'three']) await page.post('elsewhere', text)
    const { pid } = hubOf(data)
    process.kill(pid, 'SIGSTOP')
    process.kill(agent.pid, 'SIGCONT')
    expect(await reply).toMatchObject({ reply: 'Yes', earlier_messages: [{ text: 'By the way' }] })
    await agent.said(/does not answer/)
    process.kill(pid, 'SIGCONT')
    const next = agent.call({ text: 'And now?' })
    await page.answer(await questionOf(page, 'And now?'), 'Rest')
    expect(await next).toEqual({ reply: 'Rest' })
    expect(hubOf(data).pid).toBe(pid)
    await page.until(() => told(page, 'receipt').some(({ state }) => state === 'read'))
  },
)
