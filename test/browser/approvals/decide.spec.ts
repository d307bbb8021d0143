import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, type Fixtures, STILL_MS, test } from '../support/fixture.ts'
import type { Look } from '../support/windows.ts'

const OPTIONS = [{ label: 'Left' }, { label: 'Right' }]

function want(tool_name: string): Body {
  return { kind: 'question', by: 'claude', text: 'May I?', approval: { tool_name, input: '{"command":"ls"}' } }
}

function ask(text: string, more: Partial<Extract<Body, { kind: 'question' }>> = { options: OPTIONS }): Body {
  return { kind: 'question', by: 'claude', text, ...more }
}

/** What was said about the questions, in the order in which it was. */
async function ends(hub: { told(conversation: string): Promise<Body[]> }) {
  return (await hub.told('work')).filter(({ kind }) => kind === 'settlement')
}

/** A page whose clock stands, however long a busy machine takes from one press to the next. */
async function stopped({ hub, visit }: Pick<Fixtures, 'hub' | 'visit'>, look: Look = {}) {
  const chat = await visit('/favicon.svg', { clock: true, ...look })
  await chat.page.clock.install()
  await chat.page.goto(hub.url)
  await expect(chat.dock).toContainText('1 of ')
  await chat.page.clock.pauseAt(Date.now() + 5000)
  return chat
}

/** Presses on one spot again and again, each press counted as a single one, as a finger does. */
async function hammer({ page, dock }: Chat, name: string, times: number) {
  const spot = dock.getByRole('button', { name }).first()
  // Once it stands there.
  await spot.hover({ trial: true })
  const box = await spot.boundingBox()
  if (!box) throw new Error(`There is no ${name}`)
  for (let press = 0; press < times; press++) await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

for (const times of few([2, 3, 4], 2)) {
  test(`[A10] [U87] ${times} clicks on one spot decide one call`, async ({ hub, visit }) => {
    await hub.record('work', ['Bash', 'Write', 'Edit', 'Read', 'Grep'].map(want))
    const chat = await stopped({ hub, visit })
    await expect(chat.dock).toContainText('1 of 5')
    await chat.wake()
    await hammer(chat, 'Allow once', times)
    await chat.page.clock.runFor(STILL_MS)
    await expect(chat.dock).toContainText('Claude wants to use Write')
    await expect.poll(() => ends(hub)).toHaveLength(1)
  })
}

test('[A10] a double, triple and fourfold click of the mouse decides one call', async ({ hub, visit }) => {
  await hub.record('work', ['Bash', 'Write', 'Edit'].map(want))
  const chat = await visit()
  await expect(chat.dock).toContainText('1 of 3')
  await chat.dock.getByRole('button', { name: 'Allow once' }).click({ clickCount: 4 })
  await expect(chat.dock).toContainText('Claude wants to use Write')
  await expect.poll(() => ends(hub)).toHaveLength(1)
})

for (const [what, more, name] of [
  ['options', { options: OPTIONS }, 'Left'],
  ['quick replies', { quick_replies: ['Yes', 'No'] }, 'Yes'],
] as const) {
  test(`[U87] taps on one spot answer one question by ${what}, and so does a number`, async ({ hub, visit }) => {
    const asked = ['First?', 'Second?', 'Third?'].map((text) => ask(text, structuredClone(more) as object))
    await hub.record('work', asked)
    const chat = await stopped({ hub, visit }, { width: 390, height: 844, touch: true })
    await expect(chat.dock).toContainText('1 of 3')
    await hammer(chat, name, 4)
    await chat.sendNow()
    await chat.page.clock.runFor(STILL_MS)
    await expect(chat.dock).toContainText('Second?')
    await expect.poll(() => ends(hub)).toHaveLength(1)
    await chat.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    for (let press = 0; press < 4; press++) await chat.page.keyboard.press('1')
    await chat.sendNow()
    await chat.page.clock.runFor(STILL_MS)
    await expect(chat.dock).toContainText('Third?')
    await expect.poll(() => ends(hub)).toHaveLength(2)
  })
}

test('[U87] while the dock is still, its card stays and says that it takes nothing', async ({ hub, visit }) => {
  await hub.record('work', ['Bash', 'Write'].map(want))
  const chat = await stopped({ hub, visit })
  const allow = chat.dock.getByRole('button', { name: 'Allow once' })
  await chat.wake()
  await allow.click()
  await expect(chat.dock).toContainText('Claude wants to use Bash')
  await expect(chat.dock).toContainText('1 of 2')
  for (const name of ['Allow once', 'Always allow', 'Deny']) {
    await expect(chat.dock.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true')
  }
  await chat.page.clock.runFor(STILL_MS)
  await expect(chat.dock).toContainText('Claude wants to use Write')
  await chat.wake()
})

test('[U88] the dock goes forward, never back, and says which of how many', async ({ hub, connect, visit }) => {
  await hub.record('work', ['Bash', 'Write', 'Edit', 'Read', 'Grep'].map(want))
  const chat = await visit()
  const said = chat.page.locator('[aria-live="polite"]').filter({ hasText: 'wants to use' })
  const allow = chat.dock.getByRole('button', { name: 'Allow once' })
  await chat.dock.getByRole('button', { name: 'Next question' }).click()
  await expect(chat.dock).toContainText('2 of 5')
  await expect(said).toHaveText('2 of 5: Claude wants to use Write: ls')
  for (const [tool, place] of [
    ['Edit', '2 of 4'],
    ['Read', '2 of 3'],
    ['Grep', '2 of 2'],
  ] as const) {
    await allow.click()
    await expect(chat.dock).toContainText(`Claude wants to use ${tool}`)
    await expect(chat.dock).toContainText(place)
    await expect(said).toHaveText(`${place}: Claude wants to use ${tool}: ls`)
  }
  await allow.click()
  await expect(said).toHaveText('Claude wants to use Bash: ls')
  const agent = await connect('work')
  void agent.ask('Later?').catch(() => {})
  await expect(chat.dock).toContainText('1 of 2')
  await expect(chat.dock).toContainText('Claude wants to use Bash')
})
