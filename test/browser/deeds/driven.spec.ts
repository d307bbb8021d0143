import type { Driven } from '../../../src/protocol/frames/driving.ts'
import { test as base, type Chat, expect } from '../support/fixture.ts'
import { connectOrchestrator, type Driving, MODELS, MODES, RUNNER } from '../support/orchestrator.ts'
import { violations } from '../support/violations.ts'

const KNOWN = { runner: 'api', modes: MODES, models: MODELS } as const
const WORKING: Driven = { ...KNOWN, state: 'working' }
const message = (from: number, text: string) => ({ id: 'm1', kind: 'message' as const, from, text })
const FIRST = '# Found\n\nIt is **the lin'
const SECOND = 'ker**.\n\n```ts\nlet a = 1\n'

const test = base.extend<{ agent: Driving }>({
  agent: async ({ hub }, use) => {
    const orchestrator = await connectOrchestrator(hub.url)
    await orchestrator.offer()
    await hub.say('work', ['Go'])
    const agent = await orchestrator.drive('work')
    await agent.receive('first')
    await agent.show(WORKING)
    await use(agent)
    await orchestrator.close()
  },
})

const growing = ({ timeline }: Chat) => timeline.locator('article[aria-busy="true"]')

test('[U190] a text grows as Markdown, what stands is left alone, and the message takes its place', async ({
  visit,
  agent,
}) => {
  const chat = await visit()
  await agent.grow([message(0, FIRST)])
  await expect(growing(chat).getByRole('heading', { name: 'Found' })).toBeVisible()
  await growing(chat)
    .getByRole('heading')
    .evaluate((heading) => Object.assign(heading, { stands: true }))
  await agent.grow([message(FIRST.length, SECOND)])
  await expect(growing(chat).locator('strong')).toHaveText('the linker')
  await expect(growing(chat).locator('.code.growing')).toContainText('let a = 1')
  await agent.grow([message(FIRST.length + SECOND.length, 'let b = 2\n```\n\nDone')])
  await expect(growing(chat).locator('.code:not(.growing)')).toContainText('let b = 2')
  await expect(growing(chat).getByText('Done')).toBeVisible()
  expect(
    await growing(chat)
      .getByRole('heading')
      .evaluate((heading) => 'stands' in heading),
  ).toBe(true)
  await agent.say('# Found\n\nAll of it.', 'm1')
  await expect(growing(chat)).toHaveCount(0)
  await expect(chat.bubble('Found')).toHaveCount(1)
  await expect(chat.bubble('All of it.')).toBeVisible()
})

test('[U191] a page that comes in the middle shows the text so far, and goes on', async ({ visit, agent }) => {
  await agent.grow([message(0, 'One two')])
  const chat = await visit()
  await expect(growing(chat)).toContainText('One two')
  await agent.grow([message(7, ' three')])
  await expect(growing(chat)).toContainText('One two three')
  await agent.grow([], ['m1'])
  await expect(growing(chat)).toHaveCount(0)
})

test('[U190] who is at the end sees a text grow, and who reads above is left alone', async ({ visit, agent }) => {
  const chat = await visit()
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => `Line ${from + n}\n\n`).join('')
  const [first, second, third] = [lines(0, 30), lines(30, 60), lines(60, 90)] as const
  await agent.grow([message(0, first)])
  await expect(growing(chat)).toContainText('Line 29')
  await agent.grow([message(first.length, second)])
  await expect(growing(chat)).toContainText('Line 59')
  await expect.poll(chat.distance).toBeLessThan(2)
  await chat.scrollToTop()
  await agent.grow([message(first.length + second.length, third)])
  await expect(growing(chat)).toContainText('Line 89')
  expect(await chat.scroll()).toBe(0)
})

test('[U192] a thought grows in one line, and what a tool says under its call until it is done', async ({
  visit,
  agent,
}) => {
  const chat = await visit()
  await agent.grow([{ id: 't1', kind: 'thinking', from: 0, text: 'First this.\nThen that' }])
  const thought = chat.timeline.getByText('Then that')
  await expect(thought).toBeVisible()
  await thought.click()
  await expect(chat.timeline.getByRole('group', { name: 'Thoughts' })).toContainText('First this.')
  await agent.event('thinking', { reasoning: 'First this.\nThen that.', key: 't1' })
  await expect(chat.timeline.getByRole('group', { name: 'Thoughts' })).toHaveCount(0)
  await expect(chat.timeline.locator('summary', { hasText: 'Then that.' })).toBeVisible()

  await agent.event('tool_call', { tool_name: 'execute', tool_args: '{}', call_id: 'c1', title: '`npm test`' })
  await agent.grow([{ id: 'c1', kind: 'output', from: 0, text: 'one passed\ntwo passed' }])
  await expect(chat.timeline.getByText('two passed')).toBeVisible()
  await chat.timeline.getByText('npm test').click()
  await agent.grow([{ id: 'c1', kind: 'output', from: 21, text: '\nthree passed' }])
  await expect(chat.timeline.getByRole('group', { name: 'Output' })).toContainText('three passed')
  await agent.event('tool_result', { tool_name: 'execute', result: 'all passed', success: true, call_id: 'c1' })
  await expect(chat.timeline.getByRole('group', { name: 'Output' })).toHaveCount(0)
  await expect(chat.timeline.getByText('all passed')).toBeVisible()
})

test('[U193] a call tells what it does in the agent’s words, with its files and what it changed in them', async ({
  visit,
  agent,
}) => {
  const chat = await visit()
  const locations = [{ path: 'src/a.ts', line: 12 }]
  await agent.event('tool_call', {
    tool_name: 'edit',
    tool_args: '{}',
    call_id: 'c1',
    title: 'Edit src/a.ts',
    locations,
  })
  const changes = [{ path: 'src/a.ts', old_text: 'one\ntwo\n', new_text: 'one\n2\n' }]
  await agent.event('tool_result', { tool_name: 'edit', result: '', success: true, call_id: 'c1', changes })
  const line = chat.timeline.locator('summary', { hasText: 'Edit src/a.ts' })
  await expect(line).toContainText('+1')
  await line.click()
  await expect(chat.timeline.getByText('src/a.ts:12')).toBeVisible()
  await expect(chat.timeline.locator('.changes .removed').filter({ hasText: '-two' })).toBeVisible()
})

test('[U194] a plan is a checklist that says how far it is', async ({ visit, agent }) => {
  const chat = await visit()
  const steps = [
    { text: 'Build', state: 'in_progress' },
    { text: 'Test', state: 'pending' },
  ]
  await agent.event('plan', { steps })
  const plan = chat.timeline.getByRole('region', { name: 'Plan' })
  await expect(plan).toContainText('0 of 2 done')
  await agent.event('plan', { steps: steps.map(({ text }) => ({ text, state: 'completed' })) })
  await expect(plan).toContainText('2 of 2 done')
  await expect(plan).toHaveCount(1)
})

const APPROVAL = {
  tool_name: 'edit',
  input: '{"file":"src/a.ts"}',
  changes: [{ path: 'src/a.ts', old_text: 'two\n', new_text: '2\n' }],
  options: [
    { id: 'yes', label: 'Yes', kind: 'allow_once' as const },
    { id: 'all', label: 'Yes, all edits', kind: 'allow_always' as const },
    { id: 'never', label: 'No, and no others', kind: 'reject_always' as const },
    { id: 'no', label: 'No', kind: 'reject_once' as const },
  ],
}

test('[U195] [U472] an approval has the agent’s own options by their names, but none that allows for good', async ({
  visit,
  agent,
}) => {
  const chat = await visit()
  await agent.ask('q1', 'May I?', APPROVAL)
  const buttons = chat.dock.locator('[data-option]')
  await expect(buttons).toContainText(['Yes', 'No, and no others', 'No'])
  await expect(chat.dock).not.toContainText('Yes, all edits')
  await expect(buttons.nth(0)).toHaveClass(/primary/)
  await expect(buttons.nth(1)).toHaveClass(/bad/)
  await expect(buttons.nth(1)).not.toHaveClass(/primary/)
  expect(await buttons.evaluateAll((all) => all.some((one) => one === document.activeElement))).toBe(false)
  await expect(chat.dock.getByRole('button', { name: /Always allow|Edit/ })).toHaveCount(0)
  await expect(chat.dock.locator('.changes')).toContainText('-two')
  expect(await violations(chat.page)).toEqual([])
  await expect(buttons.nth(0)).toHaveAttribute('aria-disabled', 'false')
  await chat.composer.press('Escape')
  await chat.page.keyboard.press('1')
  await expect(chat.timeline.getByText('Allowed by you: “Yes”')).toBeVisible()
  await expect.poll(agent.settled).toEqual(['yes'])
})

test('[U195] of several that allow it once, none looks as if it were meant', async ({ visit, agent }) => {
  const chat = await visit()
  const options = ['Red', 'Blue'].map((label) => ({ id: label, label, kind: 'allow_once' as const }))
  await agent.ask('q1', 'Which?', { tool_name: 'ask', input: '{}', options })
  await expect(chat.dock.locator('[data-option]')).toContainText(['Red', 'Blue', 'Deny'])
  await expect(chat.dock.locator('.primary')).toHaveCount(0)
  await chat.dock.getByRole('button', { name: 'Blue' }).click()
  await expect.poll(agent.settled).toEqual(['Blue'])
})

test('[U198] what is said during a turn shows that it waits, and is taken back with one press', async ({
  visit,
  agent,
}) => {
  const chat = await visit()
  await expect(chat.promise).toHaveText('Waits for the agent’s next turn')
  await chat.reply('And the docs')
  await chat.reply('No, stay')
  await expect(chat.bubble('And the docs')).toContainText('Waits for the next turn')
  await chat.bubble('And the docs').getByRole('button', { name: 'Take back', exact: true }).click()
  await expect(chat.bubble('Taken back')).toBeVisible()
  await agent.receive('second')
  await expect(chat.bubble('No, stay')).not.toContainText('Waits')
})

test('[U199] mode, model and what happens to words are chosen below the composer', async ({ visit, agent }) => {
  await agent.show({ ...WORKING, can_steer: true, delivery: 'next' })
  const chat = await visit()
  const mode = chat.page.getByRole('combobox', { name: 'Mode', exact: true })
  await expect(mode).toHaveValue('ask')
  await mode.selectOption('Plan')
  await chat.page.getByRole('combobox', { name: 'During a turn' }).selectOption('Steer this turn')
  // The runner itself was chosen before.
  const chosen = async () => (await agent.wishes()).slice(-2)
  await expect.poll(chosen).toEqual([{ mode: 'plan' }, { delivery: 'steer' }])
  await expect(mode).toHaveValue('plan')
  await agent.show({ ...WORKING, can_steer: true, delivery: 'steer', modes: { ...MODES, current: 'plan' } })
  await expect(chat.promise).toHaveText('Goes into the running turn')
  // The agent changes it, too.
  await agent.show({ ...WORKING, modes: { ...MODES, current: 'ask' } })
  await expect(mode).toHaveValue('ask')
  expect(await violations(chat.page)).toEqual([])
})

test('[U200] a slash offers the commands of the agent, and Enter takes one', async ({ visit, agent }) => {
  const commands = [{ name: 'review', description: 'Look at the changes' }, { name: 'compact' }]
  await agent.show({ ...WORKING, commands })
  const chat = await visit()
  await chat.composer.fill('/re')
  const list = chat.page.getByRole('listbox')
  await expect(list.getByRole('option')).toHaveText(/\/review\s*Look at the changes/)
  await chat.composer.press('Enter')
  await expect(chat.composer).toHaveValue('/review ')
  await expect(list).toHaveCount(0)
  await chat.composer.press('Enter')
  await expect(chat.bubble('/review')).toBeVisible()
})

test('[U201] what should be known of the agent stands above the composer, and what keeps its runner', async ({
  hub,
  visit,
  agent,
}) => {
  await agent.show({ ...WORKING, notice: 'The agent is silent. You can wait, or stop it.' })
  const chat = await visit()
  await expect(chat.page.getByText('The agent is silent.')).toBeVisible()
  await agent.show(WORKING)
  await expect(chat.page.getByText('The agent is silent.')).toHaveCount(0)
  await hub.wish('work', { runner: 'api' })
  await agent.offer({ ...RUNNER, problem: 'It wants a login.' })
  await expect(chat.page.getByText('It wants a login.')).toBeVisible()
})

test('[U202] the page says whether the agent works, is ready or sleeps, and what a message does then', async ({
  visit,
  agent,
}) => {
  await agent.show({ ...WORKING, turn_at: Date.now() - 65_000 })
  const chat = await visit()
  const header = chat.page.locator('main > header')
  await expect(header).toContainText(/Working · 1 min \d+ s/)
  await agent.show({ ...KNOWN, state: 'idle' })
  await expect(header).toContainText('Ready')
  await expect(chat.promise).toHaveText('The agent starts on it at once')
  await agent.show({ ...KNOWN, state: 'asleep' })
  await expect(header).toContainText('Asleep until you write')
  await expect(chat.promise).toHaveText('Wakes the agent')
})

test('[U203] an agent that crashed says so in one line that opens, and the end of the turn what it took', async ({
  visit,
  agent,
}) => {
  const chat = await visit()
  await agent.event('error', { error: 'The agent ended with code 1.\nat main.js:3' })
  await agent.end({ outcome: 'failed', duration_ms: 3000, tokens: { input: 1200, output: 30 } })
  await expect(chat.timeline.getByText('The agent ended with code 1.')).toBeVisible()
  await expect(chat.timeline.getByText('at main.js:3')).toBeHidden()
  await expect(chat.timeline.getByText('The turn failed · 3 s · 1.2K tokens in, 30 out')).toBeVisible()
})

test('[U394] what no list has is taken by its id, where nobody has the rest of a list', async ({ agent, visit }) => {
  const chat = await visit()
  await agent.show({ ...WORKING, models: { ...MODELS, total: 1500 } })
  const model = chat.page.getByRole('button', { name: 'Model: Sonnet' })
  const chooser = chat.page.getByRole('dialog', { name: 'Model' })
  const search = chooser.getByRole('combobox', { name: 'Search models' })
  await model.click()
  await expect(search).toBeFocused()
  await expect(chooser.getByRole('option')).toHaveText([/Sonnet/, /Opus/])
  expect(await violations(chat.page)).toEqual([])
  await search.press('Escape')
  await expect(chooser).toHaveCount(0)
  await expect(model).toBeFocused()
  await model.click()
  await search.fill('haiku-1234')
  await expect(chooser.getByText('No matches')).toBeVisible()
  await search.press('Enter')
  await expect(chooser).toHaveCount(0)
  await expect.poll(async () => (await agent.wishes()).at(-1)).toMatchObject({ model: 'haiku-1234' })
})
