import { expect, test } from 'vitest'
import { drivenAgent } from '../../../test/support/driven/driven-agent.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { PATIENCE } from './patience.ts'

test('[O67] there is one prompt at a time; what is prompted meanwhile waits', async () => {
  const { prompt, says } = await drivenAgent()
  const ends = await Promise.all([prompt('do slow 3'), prompt('second'), prompt('third')])
  expect(ends).toEqual([{ outcome: 'ended' }, { outcome: 'ended' }, { outcome: 'ended' }])
  expect(says()).toBe('word 1 word 2 word 3 You said: secondYou said: third')
})

test('[O67] images go along where the agent takes them, and otherwise it is told that they are missing', async () => {
  const images = [{ mime: 'image/png', base64: 'aGVsbG8=', name: 'plan.png' }]
  const { session, lines } = await drivenAgent()
  await session.prompt({ text: 'look', images })
  expect(lines('prompts')).toMatchObject([{ text: 'look', kinds: ['text', 'image'] }])
  const blind = await drivenAgent({ nature: { image: false } })
  await blind.session.prompt({ text: 'look', images })
  const text = 'look\n\n(The image plan.png is not here: this agent takes none.)'
  expect(blind.lines('prompts')).toMatchObject([{ text, kinds: ['text'] }])
})

test('[O68] an agent that can be steered takes words into its turn, and only then', async () => {
  const { session, prompt, says, lines, until } = await drivenAgent({ nature: { steering: true } })
  expect(await session.steer?.({ text: 'too early' })).toBe(false)
  const turn = prompt('do say a\ndo steered')
  await until(says)
  expect(await session.steer?.({ text: 'not now' })).toBe(false)
  expect(await session.steer?.({ text: 'to the left' })).toBe(true)
  await turn
  expect(says()).toBe('asteered: to the left')
  expect(lines('prompts').map(({ text }) => text)).toEqual(['do say a\ndo steered', 'to the left'])
  expect((await drivenAgent()).session).not.toHaveProperty('steer')
})

test.for(['cancelled', 'end_turn'])(
  '[O69] a turn that is stopped is cancelled, also if the agent says %s',
  async (word) => {
    // The agent's answer has to end the turn here: these times never pass.
    const patience = { cancelMs: 600_000, stuckMs: 600_000 }
    const { session, prompt, says, until } = await drivenAgent({ nature: { cancelled: word }, patience })
    const turn = prompt('do say a\ndo silent')
    await until(says)
    await session.interrupt()
    expect(await turn).toEqual({ outcome: 'cancelled' })
    // Nothing is done when there is nothing to stop.
    await session.interrupt()
    expect(await prompt('and now')).toEqual({ outcome: 'ended' })
    expect(says()).toMatch(/You said: and now$/)
  },
)

test('[O69] a stop answers what the agent waits for, and a late answer of a person changes nothing', async () => {
  const { session, prompt, says, asked, shownTools, lines } = await drivenAgent()
  const turn = prompt('do permission\ndo silent')
  const ask = await asked()
  await session.interrupt()
  expect(await turn).toEqual({ outcome: 'cancelled' })
  ask.settled({ outcome: 'approved', option: 'yes-1' })
  expect(says()).toBe('taken: cancelled')
  expect(shownTools()).toMatchObject([{ id: 'call-sh', state: 'failed' }])
  expect(lines('begun').filter(({ method }) => method === 'session/cancel')).toHaveLength(1)
})

test('[O69] nobody is asked for a turn that was stopped', async () => {
  const { session, prompt, until, says, of } = await drivenAgent()
  const turn = prompt('do insist')
  await until(says)
  await session.interrupt()
  expect(await turn).toEqual({ outcome: 'cancelled' })
  expect(await prompt('still there?')).toEqual({ outcome: 'ended' })
  expect(of('ask')).toEqual([])
})

test('[O69] what is stopped before it was sent is told with the next prompt', async () => {
  const { session, prompt, until, says, lines } = await drivenAgent()
  const turn = prompt('do slow')
  await until(says)
  await session.interrupt()
  await turn
  const next = prompt('never mind')
  await session.interrupt()
  expect(await next).toEqual({ outcome: 'cancelled', unsent: true })
  await prompt('hello')
  expect(lines('prompts').map(({ text }) => text)).toEqual(['do slow', 'never mind\n\nhello'])
})

test('[O69] the next prompt rests a while behind a stop', async () => {
  const { session, prompt, until, says, lines } = await drivenAgent({ patience: { restMs: 300 } })
  const turn = prompt('do slow')
  await until(says)
  const next = turn.then(() => prompt('next'))
  const stopping = performance.now()
  await session.interrupt()
  await next
  expect(performance.now() - stopping).toBeGreaterThan(290)
  expect(lines('prompts').map(({ text }) => text)).toEqual(['do slow', 'next'])
})

test('[O69] [O70] an agent that does not stop is over for people at once, and ended when it still does not answer', async () => {
  const { session, prompt, until, says, happenings } = await drivenAgent({ patience: { cancelMs: 100, stuckMs: 400 } })
  const turn = prompt('do stuck')
  await until(says)
  await session.interrupt()
  expect(await turn).toEqual({ outcome: 'cancelled' })
  expect(PATIENCE.cancelMs).toBeLessThan(1000)
  const before = happenings.length
  const next = prompt('are you there?')
  expect(await session.lost).toBe('Robo did not stop within 0.4 s and was ended')
  expect(await next).toMatchObject({ outcome: 'failed' })
  expect(happenings.slice(before)).toEqual([])
})

test('[O71] silence is said after a while, until the agent says something', async () => {
  const { prompt, of, says, until } = await drivenAgent({ patience: { silentMs: 1000 } })
  const turn = prompt('do quiet 1500\ndo say here')
  await until(() => of('notice').length > 0)
  expect(of('notice')[0]?.text).toBe('Robo has said nothing for 1 s; you can wait, or stop it')
  expect(says()).toBe('')
  await turn
  expect(of('notice')[1]?.text).toBe('')
  expect(of('notice').at(-1)?.text).toBe('')
})

test('[O71] before that, where no tool of it runs, it is said to be waited for', async () => {
  const { prompt, session, of, until } = await drivenAgent({ patience: { waitMs: 20, silentMs: 500 } })
  const turn = prompt('do say a\ndo silent')
  await until(() => of('notice').length > 1)
  await session.interrupt()
  await turn
  expect(of('notice').map(({ text }) => text)).toEqual([
    'Still waiting for Robo; you can wait, or stop it',
    'Robo has said nothing for 1 s; you can wait, or stop it',
    '',
  ])
})

test('[O71] an agent that waits for a person is not silent', async () => {
  const { prompt, asked, of, until, happenings } = await drivenAgent({ patience: { silentMs: 200 } })
  const turn = prompt('do later 700\ndo permission')
  const ask = await asked()
  await until(() => of('title').length > 0)
  const types = happenings.map(({ type }) => type)
  expect(types.slice(types.indexOf('ask'), types.indexOf('title'))).not.toContain('notice')
  ask.settled({ outcome: 'approved', option: 'yes-1' })
  await turn
})

test('[O71] a turn that ends without anything is said to have no answer', async () => {
  const { prompt, of } = await drivenAgent()
  expect(await prompt('do empty')).toEqual({ outcome: 'ended' })
  expect(of('notice').at(-1)?.text).toBe('Robo ended its turn without an answer')
  await prompt('hello')
  expect(of('notice').at(-1)?.text).toBe('')
})

test('[O72] how a turn ended is told: refused, cut short, or failed with the reason', async () => {
  const { prompt } = await drivenAgent()
  expect(await prompt('do refuse')).toEqual({ outcome: 'refused' })
  expect(await prompt('do limit')).toMatchObject({
    outcome: 'failed',
    problem: 'Robo reached its limit of tokens before it was done',
  })
  expect(await prompt('do fail')).toEqual({
    outcome: 'failed',
    problem: new ParleyError('agent_failed', { agent: 'Robo', problem: 'Internal error: the model said 429' }).message,
  })
  expect(await prompt('still there?')).toEqual({ outcome: 'ended' })
})

test('[O231] how full the context is and what the session has cost is told as soon as the agent tells it', async () => {
  const { prompt, of } = await drivenAgent()
  await prompt('do usage')
  const context = { used: 1234, size: 200_000, cost: { amount: 0.25, currency: 'USD' } }
  expect(of('controls').filter((one) => one.context)).toEqual([{ type: 'controls', context }])
})

test('[O72] tokens and cost of a turn come from wherever the agent tells them', async () => {
  const { prompt } = await drivenAgent()
  const cost = { amount: 0.25, currency: 'USD' }
  expect(await prompt('do usage')).toEqual({ outcome: 'ended', tokens: { input: 1300, output: 34 }, cost })
  // What a session cost is told; this turn added nothing to it.
  expect(await prompt('do usage')).toEqual({ outcome: 'ended', tokens: { input: 1300, output: 34 } })
  expect(await prompt('do along')).toEqual({ outcome: 'ended', tokens: { input: 20, output: 4 } })
  const total = await drivenAgent({ nature: { name: 'Copilot' } })
  expect((await total.prompt('do usage')).tokens).toEqual({ input: 1300, output: 34 })
  expect((await total.prompt('do usage')).tokens).toEqual({ input: 0, output: 0 })
})
