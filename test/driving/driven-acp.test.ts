import { expect, test } from 'vitest'
import { acpDriver } from '../../src/agents/acp/driver.ts'
import { startDriven, untilAgent, watching } from '../support/driven/driven.ts'

const agent = `${process.execPath} ${new URL('../support/driven/acp-agent.ts', import.meta.url).pathname}`

test('[O59] an ACP agent is driven from the page: its plan, tools, permissions and words are entries', async () => {
  const { view, watch, runner } = await startDriven({ driver: acpDriver({ command: agent }) })
  await view.say('work', { text: 'do plan\ndo think Hm\ndo edit\ndo permission\ndo say Done\ndo usage\ndo title Good' })
  const [question] = await watch.until('question')
  expect(question?.approval).toMatchObject({ tool_name: 'Bash' })
  const { id = '' } = watch.seen.find(({ body }) => body.kind === 'question') ?? {}
  await view.allow(id, undefined)
  expect(await watch.until('turn')).toMatchObject([{ outcome: 'ended', tokens: { output: expect.any(Number) } }])
  expect(watch.bodies('plan')).toHaveLength(1)
  expect(watch.bodies('thinking')).toMatchObject([{ reasoning: 'Hm' }])
  expect(watch.bodies('tool_result').map(({ call_id }) => call_id)).toEqual(
    watch.bodies('tool_call').map(({ call_id }) => call_id),
  )
  expect(watch.bodies('tool_result').flatMap(({ changes = [] }) => changes)).not.toEqual([])
  expect(watch.bodies('message').some(({ text }) => text.includes('Done'))).toBe(true)
  expect(watch.bodies('title')).toMatchObject([{ title: 'Good' }])
  expect(runner.problems).toEqual([])
})

test('[U473] what a person always allows a driven agent is of the hub: it is listed, used and taken back', async () => {
  const { view, watch } = await startDriven({ driver: acpDriver({ command: agent }) })
  await view.say('work', { text: 'do permission' })
  await watch.until('question')
  const { id = '' } = watch.seen.find(({ body }) => body.kind === 'question') ?? {}
  await view.allowAlways(id, undefined)
  await watch.until('turn')
  expect((await view.conversation('work')).always).toMatchObject([{ tool_name: 'Bash', by: expect.any(String) }])
  await view.say('work', { text: 'do permission' })
  await watch.until('turn', 2)
  expect(watch.bodies('permitted_call')).toMatchObject([{ driven: true, approval: { tool_name: 'Bash' } }])
  await view.revoke('work', 'Bash')
  await view.say('work', { text: 'do permission' })
  await watch.until('question', 2)
  const said = watch.bodies('message').filter(({ author }) => author === 'assistant')
  expect(said.map(({ text }) => text).join('')).toBe('taken: yes-1taken: yes-1')
})

test('[O106] a permission has the title that the agent gave it, and the id of the call that waits for it', async () => {
  const { view, watch } = await startDriven({ driver: acpDriver({ command: agent }) })
  await view.say('work', { text: 'do permission' })
  const [question] = await watch.until('question')
  const [call] = watch.bodies('tool_call')
  expect(question?.approval).toMatchObject({ title: 'touch file', tool_name: 'Bash', call_id: call?.call_id })
  expect(call?.call_id).toBeDefined()
})

test('[O105] a login that is wanted only when the agent is prompted is one sentence in the timeline', async () => {
  const nature = { ACP_AGENT: '{"login":"prompt"}' }
  const { view, watch } = await startDriven({
    driver: acpDriver({ command: agent, name: 'Robo', environment: nature }),
  })
  await view.say('work', { text: 'Hello' })
  expect(await watch.until('turn')).toMatchObject([{ outcome: 'failed' }])
  const sentence = 'Robo wants a login: sign in with its own program, then try again'
  expect(watch.bodies('error')).toMatchObject([{ error: sentence }])
})

test('[O105] so is one that is wanted when the agent begins, and the runner says it, too', async () => {
  const nature = { ACP_AGENT: '{"login":"new"}' }
  const driver = acpDriver({ command: agent, name: 'Robo', environment: nature })
  const { view } = await startDriven({ driver, name: 'robot' })
  const { conversation } = await view.start({ runner: 'robot' }, { text: 'Hello' }, 'k')
  const sentence = 'Robo wants a login: sign in with its own program, then try again'
  expect(await watching(view, conversation).until('error')).toMatchObject([{ error: sentence }])
  // Both are told at once; either may come first.
  await expect.poll(() => view.driving.runners()).toMatchObject([{ name: 'robot', problem: sentence }])
})

test('[O110] what an ACP agent says, asks and finishes after its turn is shown, outside of any turn', async () => {
  const { view, watch, runner } = await startDriven({ driver: acpDriver({ command: agent }) })
  await view.say('work', { text: 'do afterwards' })
  await watch.until('turn')
  await watch.until('question')
  const { id = '' } = watch.seen.find(({ body }) => body.kind === 'question') ?? {}
  await untilAgent(view, 'waiting')
  await view.takeOption(id, 'once')
  await watch.until('message', 4)
  expect(watch.bodies('message').map(({ text }) => text)).toEqual([
    'do afterwards',
    'It runs.',
    'All passed.',
    'Pushed.',
  ])
  await untilAgent(view, 'idle')
  await view.say('work', { text: 'Thanks' })
  await watch.until('turn', 2)
  expect(watch.bodies('tool_result')).toMatchObject([
    { success: true, result: '' },
    { success: true, result: '3 passed' },
    { success: true },
  ])
  expect(watch.bodies('tool_call').map(({ title }) => title)).toEqual(['npm test', 'npm test', 'git push'])
  expect(watch.bodies('turn')).toHaveLength(2)
  expect(runner.problems).toEqual([])
})

test('[O323] of what is too long for an entry its beginning is told: calls, plans, questions and problems', async () => {
  const { view, watch, runner } = await startDriven({ driver: acpDriver({ command: agent }) })
  await view.say('work', { text: 'do verbose' })
  const [question] = await watch.until('question')
  expect(question?.approval?.title).toMatch(/^touch w+\n… and \d+ more characters$/)
  // All of what is to be allowed can be seen.
  const { id = '' } = watch.seen.find(({ body }) => body.kind === 'question') ?? {}
  expect((await view.reveal(id)).input).toMatch(/^\{"said":"touch w+ end"\}$/)
  await view.deny(id, undefined)
  await watch.until('turn')
  const [call] = watch.bodies('tool_call')
  expect(call?.title).toMatch(/^w+\n… and 1950000 more characters$/)
  expect(call?.locations?.[0]).toEqual({ path: '/project/0.txt', line: 0 })
  expect(watch.bodies('plan')[0]?.steps.at(-1)?.text).toMatch(/^… and \d+ more$/)
  expect(watch.bodies('error')[0]?.error).toMatch(/^\S+ failed: Internal error: w+\n… and \d+ more characters$/)
  expect(runner.problems).toEqual([])
})
