import { expect, test } from '../support/fixture.ts'

test('[U182] [U183] a step counts while it runs and says how long it took, and so does the turn', async ({
  hub,
  visit,
}) => {
  await hub.say('work', ['Run the tests'])
  const chat = await visit()
  await expect(chat.bubble('Run the tests')).toBeVisible()
  await hub.act('work', 'begins npm test')
  const step = chat.timeline.getByRole('group').filter({ hasText: 'npm test' })
  await expect(step).toHaveText(/running\s+[1-9]\d* s/)
  await tell('ui_chat_assistant_event', { type: 'tool_result', tool_name: 'Bash', result: 'ok', success: true })
  await expect(step).toHaveText(/done\s+[1-9][\d.]* s/)
  await hub.act('work', 'ends its turn')
  const end = chat.timeline.getByText(/^The agent ended its turn · worked for [1-9][\d.]* s$/)
  await expect(end).toBeVisible()
  const told = await end.textContent()
  await chat.page.reload()
  await expect(end).toHaveText(told ?? '')

  async function tell(tool: string, input: object) {
    const body = JSON.stringify({ ...input, session_id: 'work' })
    expect((await fetch(`${hub.url}/api/tools/${tool}`, { method: 'POST', body })).ok).toBe(true)
  }
})

test('[U183] a question says how long the agent worked until it asked', async ({ connect, visit }) => {
  const chat = await visit('/', { width: 390, height: 844, touch: true })
  const agent = await connect('work')
  const first = agent.ask('Where shall I begin?')
  await expect(chat.dock).toBeVisible()
  await chat.composer.fill('At the top')
  await chat.page.getByRole('button', { name: 'Send', exact: true }).click()
  expect(await first).toBe('At the top')
  // As long as it takes to be worth a word.
  await chat.page.waitForFunction((since) => Date.now() - since > 1100, Date.now())
  void agent.ask('And now?').catch(() => {})
  await expect(chat.bubble('And now?').getByText(/^Worked for [1-9][\d.]* s$/)).toBeVisible()
  await expect(chat.bubble('Where shall I begin?')).not.toContainText('Worked')
})
