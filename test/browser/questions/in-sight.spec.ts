import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const OPTIONS = [{ label: 'Yes' }, { label: 'No' }]
const PHONE = { width: 390, height: 844, touch: true }

const words = (count: number): Body[] =>
  Array.from({ length: count }, (_, n) => ({ kind: 'message', author: 'assistant', by: 'agent', text: `Words ${n}` }))

function ask(text: string, more: Partial<Extract<Body, { kind: 'question' }>> = { options: OPTIONS }): Body {
  return { kind: 'question', by: 'agent', text, ...more }
}

test('[U121] a question on screen is not repeated; another is its last question, which leads to it', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [...words(40), ask('All is **ready**. Shall I deploy? It takes a minute.')])
  const chat = await visit()
  const link = chat.dock.getByRole('link')
  await expect(chat.dock.getByText('asks')).toBeVisible()
  await expect(link).toHaveCount(0)
  const before = await chat.dock.boundingBox()
  await chat.scrollToTop()
  await expect(link).toHaveText('Shall I deploy?')
  await expect.poll(() => chat.dock.boundingBox()).toEqual(before)
  await expect(chat.dock.getByRole('button', { name: 'Yes' })).toBeVisible()
  expect(await violations(chat.page)).toEqual([])
  await link.click()
  await expect(chat.bubble('Shall I deploy?')).toBeInViewport({ ratio: 1 })
  await expect(link).toHaveCount(0)
  await expect.poll(() => chat.dock.boundingBox()).toEqual(before)
  await chat.page.goBack()
  await expect(chat.bubble('Words 0')).toBeInViewport()
})

test('[U121] of a question that is longer than the screen its end counts', async ({ hub, visit }) => {
  await hub.record('work', [...words(20), ask(`${'A long story.\n\n'.repeat(60)}Does it end here?`)])
  const chat = await visit('/', PHONE)
  await expect(chat.dock.getByText('asks')).toBeVisible()
  await chat.scrollUp(300)
  await expect(chat.dock).toContainText('Does it end here?')
  await expect(chat.dock.getByText('asks')).toHaveCount(0)
})

test('[U124] on a phone the dock is one line for who reads further up, until a tap or the end', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [...words(60), ask('Shall I?')])
  const chat = await visit('/', PHONE)
  const yes = chat.dock.getByRole('button', { name: 'Yes' })
  await expect(yes).toBeVisible()
  await chat.scrollToTop()
  await expect(yes).toBeHidden()
  await expect.poll(async () => (await chat.dock.boundingBox())?.height).toBeLessThan(72)
  expect(await violations(chat.page)).toEqual([])
  const before = await chat.scroll()
  await chat.dock.getByText('Shall I?').click({ force: true })
  await expect(yes).toBeVisible()
  expect(await chat.scroll()).toBe(before)
  await chat.page.getByRole('button', { name: 'Newest' }).click()
  await expect(chat.bubble('Shall I?')).toBeInViewport({ ratio: 1 })
  await chat.scrollToTop()
  await expect(yes).toBeHidden()
  await chat.page.getByRole('button', { name: 'Newest' }).click()
  await expect(yes).toBeVisible()
  await expect(chat.bubble('Shall I?')).toBeInViewport({ ratio: 1 })
})

test('[U124] a little way up nothing folds, and neither does it on a wide screen', async ({ hub, visit }) => {
  await hub.record('work', [...words(60), ask('Shall I?')])
  const yes = ({ dock }: Chat) => dock.getByRole('button', { name: 'Yes' })
  const phone = await visit('/', PHONE)
  await expect(yes(phone)).toBeVisible()
  await phone.scrollUp(200)
  await expect(yes(phone)).toBeVisible()
  const wide = await visit()
  await expect(yes(wide)).toBeVisible()
  await wide.scrollToTop()
  await expect(yes(wide)).toBeVisible()
})

for (const look of few([{ width: 1280 }, { ...PHONE, dark: true }], 14)) {
  test(`[U125] [U441] a call is one line while it waits, and when it is decided (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    const input = JSON.stringify({ command: `npm test ${'x'.repeat(300)}` })
    await hub.record(
      'work',
      ['Bash', 'Write'].map((tool_name) => ask('May I?', { approval: { tool_name, input } })),
    )
    const chat = await visit('/', look)
    const line = chat.bubble('Bash')
    await expect(line).toContainText('Waiting for you')
    expect((await line.boundingBox())?.height).toBeLessThan(56)
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    expect(await violations(chat.page)).toEqual([])
    await chat.canAllow()
    await chat.page.keyboard.press('1')
    await expect(line).toContainText('Allowed once by you')
    expect((await line.boundingBox())?.height).toBeLessThan('touch' in look ? 64 : 56)
    expect((await chat.bubble('Write').boundingBox())?.height).toBeLessThan(56)
  })
}
