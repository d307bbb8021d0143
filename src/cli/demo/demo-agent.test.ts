import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { drivenAgent } from '../../../test/support/driven/driven-agent.ts'

const program = fileURLToPath(new URL('./demo-agent.ts', import.meta.url))
const command = `"${process.execPath}" "${program}"`

test('[O79] the scripted agent of the demo thinks, plans, asks about a change and says what became of it', async () => {
  const environment = { PARLEY_DEMO_PACE: '0' }
  const { prompt, asked, says, of, shownTools, until } = await drivenAgent({ command, environment })
  const turn = prompt('Hi there')
  const ask = await asked()
  expect(ask.approval?.changes).toHaveLength(1)
  ask.settled({ outcome: 'approved' })
  expect(await turn).toEqual({ outcome: 'ended' })
  expect(says('thought')).toContain('touch nothing')
  expect(says()).toContain('You wrote “Hi there”')
  expect(says()).toContain('You allowed the change')
  expect(shownTools()).toMatchObject([{ title: 'Edit greeting.txt', state: 'done' }])
  expect(
    of('plan')
      .at(-1)
      ?.steps.every(({ state }) => state === 'completed'),
  ).toBe(true)
  await until(() => of('controls').some(({ commands }) => commands?.[0]?.name === 'tour'))
})

test('[O79] it can be stopped, and in its other mode it asks nothing', async () => {
  const { session, prompt, says, until, of } = await drivenAgent({ command })
  const turn = prompt('Hi there')
  await until(says)
  await session.interrupt()
  expect(await turn).toEqual({ outcome: 'cancelled' })
  await session.choose({ mode: 'plan' })
  expect(await prompt('and now?')).toEqual({ outcome: 'ended' })
  expect(of('ask')).toEqual([])
  expect(says()).toContain('I only tell what I would do')
})
