import { expect, test } from 'vitest'
import type { AskOutcome } from '../../src/agents/driver.ts'
import { startDriven, untilAgent } from '../support/driven/driven.ts'
import { scriptedDriver } from '../support/driven/scripted-driver.ts'

const OPTIONS = [
  { id: 'once', label: 'Yes, once', kind: 'allow_once' as const },
  { id: 'no', label: 'No', kind: 'reject_once' as const },
]

test('[O46] the agent hears what becomes of its question, and the reply is not said to it once more', async () => {
  const outcomes: AskOutcome[] = []
  const { driver, prompts } = scriptedDriver(async (_, { happens }) => {
    const ask = (more: object) =>
      new Promise<void>((resolve) => {
        const settled = (outcome: AskOutcome) => {
          outcomes.push(outcome)
          resolve()
        }
        happens({ type: 'ask', ask: { key: 'q', text: 'Which?', ...more, settled } })
      })
    await ask({ options: [{ label: 'Red' }, { label: 'Blue' }] })
    await ask({ key: 'p', approval: { tool_name: 'shell', input: '{}', options: OPTIONS } })
    return undefined
  })
  const { view, watch, runner } = await startDriven({ driver })
  await view.say('work', { text: 'Go' })
  await watch.until('question')
  await untilAgent(view, 'waiting')
  const questionAt = (place: number) => watch.seen.filter(({ body }) => body.kind === 'question')[place]?.id ?? ''
  await view.choose(questionAt(0), ['Blue'])
  await watch.until('question', 2)
  await view.takeOption(questionAt(1), 'once')
  await watch.until('turn')
  expect(outcomes).toMatchObject([
    { outcome: 'answered', choices: ['Blue'] },
    { outcome: 'approved', option: 'once' },
  ])
  await view.say('work', { text: 'Next' })
  await watch.until('question', 3)
  expect(prompts).toEqual(['Go', 'Next'])
  expect(runner.problems).toEqual([])
})

test('[O47] a question that is open when its turn ends is withdrawn', async () => {
  const outcomes: AskOutcome[] = []
  const { driver } = scriptedDriver(async (_, { happens, stopped }) => {
    happens({ type: 'ask', ask: { key: 'q', text: 'Which?', settled: (outcome) => outcomes.push(outcome) } })
    await stopped
    return undefined
  })
  const { view, watch } = await startDriven({ driver })
  await view.say('work', { text: 'Go' })
  await watch.until('question')
  await view.interrupt('work')
  expect(await watch.until('turn')).toMatchObject([{ outcome: 'cancelled' }])
  expect(watch.bodies('settlement')).toMatchObject([{ outcome: 'withdrawn' }])
  expect(outcomes).toEqual([{ outcome: 'withdrawn' }])
})

test('[O47] also where the agent itself ends the turn', async () => {
  const { driver } = scriptedDriver((_, { happens }) => {
    happens({ type: 'ask', ask: { key: 'q', text: 'Which?', settled() {} } })
    return new Promise((resolve) => setImmediate(resolve, undefined))
  })
  const { view, watch } = await startDriven({ driver })
  await view.say('work', { text: 'Go' })
  await watch.until('turn')
  expect(watch.bodies('settlement').length).toBe(watch.bodies('question').length)
})

test('[O48] a reply that its asker got is not given again; one that nobody got is given with its question', async () => {
  const { driver, prompts } = scriptedDriver(() => undefined)
  const { view, watch } = await startDriven({ driver })
  const agent = view.agentSession({ conversation: 'work', title: 'Work' })
  const got = agent.ask([{ by: 'agent', text: 'Which colour?' }], { signal: new AbortController().signal })
  await watch.until('question')
  const questionAt = (place: number) => watch.seen.filter(({ body }) => body.kind === 'question')[place]?.id ?? ''
  await view.answer(questionAt(0), 'Blue')
  ;(await got).arrived()
  const leaving = new AbortController()
  const lost = agent.ask([{ by: 'agent', text: 'Which size?' }], { signal: leaving.signal })
  await watch.until('question', 2)
  leaving.abort(new Error('Gone'))
  await expect(lost).rejects.toThrow('Gone')
  await view.answer(questionAt(1), 'Large')
  await watch.until('turn')
  expect(prompts).toEqual(['> Which size?\n\nLarge'])
})

test('[O185] a permission that is too long for an entry is asked: cut to be shown, kept whole, and judged whole', async () => {
  const [old_text, new_text] = ['before '.repeat(90_000), 'after '.repeat(100_000)]
  const input = JSON.stringify({ path: '/project/a.txt', content: new_text })
  const outcomes: AskOutcome[] = []
  const { driver } = scriptedDriver(async (_, { happens }) => {
    const outcome = await new Promise<AskOutcome>((settled) => {
      const approval = { tool_name: 'Write', input, changes: [{ path: '/project/a.txt', old_text, new_text }] }
      happens({ type: 'ask', ask: { key: 'write', text: 'Write a.txt', approval, settled } })
    })
    outcomes.push(outcome)
    return undefined
  })
  const { view, watch, runner } = await startDriven({ driver })
  await view.say('work', { text: 'Go' })
  const [question] = await watch.until('question')
  expect(question?.approval?.cut).toBe(true)
  expect(JSON.stringify(question).length).toBeLessThan(1024 * 1024)
  expect(question?.approval?.changes?.[0]?.new_text).toMatch(/^after after .*… and \d+ more characters$/s)
  const { id = '' } = watch.seen.find(({ body }) => body.kind === 'question') ?? {}
  const whole = await view.reveal(id)
  expect([whole.input === input, whole.changes?.[0]?.new_text === new_text]).toEqual([true, true])
  await expect(view.allow(id, '{"path":"b"}')).rejects.toThrow('too long to be changed here')
  await view.allow(id, undefined)
  await watch.until('turn')
  expect(outcomes).toMatchObject([{ outcome: 'approved' }])
  expect(runner.problems).toEqual([])
})
