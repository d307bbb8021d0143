import { expect, test } from 'vitest'
import { driveModel } from '../../../test/support/driven/driven-model.ts'
import type { AskOutcome } from '../driver.ts'
import { createStepLimit } from './step-limit.ts'

const nowhere = { calls: [{ name: 'nowhere', input: {} }] }

test.each<[string, AskOutcome]>([
  ['is stopped', { outcome: 'answered', reply: 'Stop' }],
  ['is stopped where the question is withdrawn', { outcome: 'withdrawn' }],
])('[O180] a model whose calls fail ten times in a row asks whether it goes on, and %s', async (_, verdict) => {
  const script = Array.from({ length: 40 }, () => nowhere)
  const { agent, asked, asks } = await driveModel('openai', script, { verdict })
  expect(await agent.prompt({ text: 'Go' })).toMatchObject({ outcome: 'cancelled' })
  expect(asked).toHaveLength(10)
  expect(asks).toMatchObject([
    {
      text: 'The model has called tools 10 times in a row, and every call failed. Should it go on?',
      options: [{ label: 'Go on' }, { label: 'Stop' }],
    },
  ])
})

test('[O180] a model goes on where it may, with what the person says instead, and begins to count anew', async () => {
  const script = [...Array.from({ length: 20 }, () => nowhere), { say: ['Done.'] }]
  const { agent, asked, asks, happened } = await driveModel('openai', script)
  const end = agent.prompt({ text: 'Go' })
  await happened(() => asks.length === 1)
  asks[0]?.settled({ outcome: 'answered', reply: 'Go on' })
  await happened(() => asks.length === 2)
  asks[1]?.settled({ outcome: 'answered', reply: 'There is no such tool' })
  expect(await end).toMatchObject({ outcome: 'ended' })
  expect(asked).toHaveLength(21)
  expect(JSON.stringify(asked[20]?.body.messages.at(-1))).toContain('There is no such tool')
})

test('[O180] after 100 steps of one turn a model asks, too, and a stop ends the waiting', async () => {
  const asks: string[] = []
  const stop = new AbortController()
  const limit = createStepLimit((happening) => happening.type === 'ask' && asks.push(happening.ask.text))
  for (let step = 1; step < 100; step++) expect(await limit.taken(false, stop.signal)).toBe('go on')
  const verdict = limit.taken(false, stop.signal)
  expect(asks).toEqual(['The model has taken 100 steps in this turn. Should it go on?'])
  stop.abort()
  expect(await verdict).toBe('stop')
})

test('[O181] a model that says nothing is waited for in words, until something comes or it is stopped', async () => {
  const { agent, happened, notices, happenings } = await driveModel('openai', [{ hang: true }], { silentMs: 5 })
  const end = agent.prompt({ text: 'Go' })
  await happened(() => notices().length > 0)
  expect(notices()).toEqual(['Still waiting for the model; you can wait, or stop it'])
  await agent.interrupt()
  await end
  expect(happenings.at(-1)).toEqual({ type: 'notice', text: '' })
})

test('[O181] a model that ends its turn without a word is said to have no answer, until it is spoken to', async () => {
  const yields = { calls: [{ name: 'yield_turn', input: {} }] }
  const { agent, notices, happenings } = await driveModel('openai', [{}, yields, { say: ['Hello.'] }])
  await agent.prompt({ text: 'Hello' })
  expect(notices()).toEqual(['scripted ended its turn without an answer'])
  await agent.prompt({ text: 'Hello?' })
  expect(notices()).toHaveLength(2)
  await agent.prompt({ text: 'Hello!' })
  expect(notices()).toHaveLength(2)
  expect(happenings.at(-1)).toEqual({ type: 'notice', text: '' })
})
