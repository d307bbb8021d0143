import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const SHORT = { command: 'ls' }
const LONG = { path: 'a.ts', content: Array.from({ length: 80 }, (_, n) => `line ${n} of the file`).join('\n') }
const OPTIONS = Array.from({ length: 8 }, (_, n) => ({ label: `Option ${n + 1}`, description: 'Some words about it' }))
const LOOKS = [
  { name: 'a phone with its keyboard open', width: 390, height: 400, touch: true },
  { name: '400 % zoom', width: 360, height: 225, dark: true },
]

function want(tool_name: string, input: object): Body {
  return { kind: 'question', by: 'claude', text: 'May I?', approval: { tool_name, input: JSON.stringify(input) } }
}

const button = (chat: Chat, name: string | RegExp) => chat.dock.getByRole('button', { name })

/** On screen and on top, at once: nobody has to scroll for it. */
async function isReachable(chat: Chat, names: (string | RegExp)[]) {
  for (const name of names) {
    await expect(button(chat, name)).toBeInViewport({ ratio: 1 })
    await expect.poll(() => button(chat, name).evaluate(isOnTop), `${name} is on top`).toBe(true)
  }
  await expect(chat.composer).toBeInViewport({ ratio: 1 })
  await expect.poll(() => chat.composer.evaluate(isOnTop)).toBe(true)
  expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(chat.page.viewportSize()?.width)
}

/** Runs in the page. */
function isOnTop(node: Element): boolean {
  const { left, right, top, bottom } = node.getBoundingClientRect()
  const at = [top + 3, (top + bottom) / 2, bottom - 3]
  return at.every((y) => node.contains(document.elementFromPoint((left + right) / 2, y)))
}

/** Runs in the page. */
async function pressUntilSeen(allow: HTMLElement) {
  while (allow.ariaDisabled === 'true') {
    allow.click()
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  }
}

for (const { name, ...look } of few(LOOKS, 1)) {
  test(`[A25] every button of an approval is in reach, also while it is edited or denied (${name})`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', [want('Write', LONG), want('Bash', SHORT)])
    const chat = await visit('/', look)
    await expect(chat.dock).toContainText('1 of 2')
    await isReachable(chat, [/^Allow once/, /^Always allow/, 'Edit', 'Deny', 'More', 'Next question'])
    expect(await violations(chat.page)).toEqual([])
    await button(chat, 'Edit').click()
    await isReachable(chat, ['Allow with changes', /^Always allow/, 'Cancel', 'More'])
    expect(await violations(chat.page)).toEqual([])
    await button(chat, 'More').click()
    await button(chat, 'Allow with changes').evaluate(pressUntilSeen)
    await button(chat, 'Allow with changes').click({ trial: true })
    await button(chat, 'Cancel').click()
    await button(chat, 'Deny').click()
    await chat.composer.fill('Not like this')
    await isReachable(chat, [/^Allow once/, /^Always allow/, 'Edit', 'Deny'])
    await chat.page.getByRole('button', { name: 'Deny with this reason' }).click()
    await expect(chat.dock).toContainText('Claude wants to use Bash')
    // Where there is no room for the timeline, the log tells.
    await expect
      .poll(async () => (await hub.told('work')).at(-1))
      .toMatchObject({ outcome: 'denied', reason: 'Not like this' })
  })

  test(`[U28] options scroll, and their button stays in reach (${name})`, async ({ hub, visit }) => {
    const asked: Body = { kind: 'question', by: 'claude', text: 'Which ones? '.repeat(30) }
    await hub.record('work', [{ ...asked, options: OPTIONS, multi_select: true }])
    const chat = await visit('/', look)
    await isReachable(chat, ['Send 0 choices', 'Minimise the question'])
    const last = chat.dock.getByRole('checkbox').last()
    await last.check()
    await expect.poll(() => last.evaluate(isOnTop)).toBe(true)
    await isReachable(chat, ['Send 1 choice'])
    expect(await violations(chat.page)).toEqual([])
    await button(chat, 'Send 1 choice').click()
    await expect(chat.dock).toBeHidden()
    await expect(chat.composer).toBeInViewport({ ratio: 1 })
    await expect.poll(() => hub.told('work')).toMatchObject([{}, { choices: ['Option 8'] }])
  })
}

const SIZES = [{ width: 1440, height: 900 }, { width: 390, height: 844, touch: true, dark: true }, ...LOOKS]

for (const look of few(SIZES, 2)) {
  const size = `${look.width} × ${look.height}`

  test(`[A26] what is long can be allowed once its end was seen, and denied at once (${size})`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', [want('Write', LONG), want('Bash', SHORT)])
    const chat = await visit('/', look)
    const allow = button(chat, /^Allow once/)
    await expect(allow).toHaveAttribute('aria-disabled', 'true')
    await expect(allow).toHaveAccessibleDescription('Scroll to the end before you allow it')
    await expect(button(chat, /^Always allow/)).toHaveAttribute('aria-disabled', 'true')
    await expect(button(chat, 'Deny')).toHaveAttribute('aria-disabled', 'false')
    expect(await violations(chat.page)).toEqual([])
    await allow.click({ force: true })
    await expect(allow).toHaveAttribute('aria-disabled', 'true')
    await allow.evaluate(pressUntilSeen)
    await expect(allow).toHaveAttribute('aria-disabled', 'false')
    await expect(chat.dock).toContainText('line 79 of the file')
    expect(await hub.told('work')).toHaveLength(2)
    await button(chat, 'Next question').click()
    await button(chat, 'Previous question').click()
    await allow.click()
    await expect.poll(async () => (await hub.told('work')).at(-1)).toMatchObject({ outcome: 'approved' })
  })
}

test('[A26] the end is seen by scrolling, and More shows what there is room for and waives nothing', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [want('Write', LONG), want('Write', LONG), want('Bash', SHORT)])
  const chat = await visit()
  const allow = button(chat, /^Allow once/)
  const shown = chat.dock.getByRole('group', { name: 'Arguments' })
  await expect(button(chat, 'More')).toBeVisible()
  await shown.hover()
  await chat.page.mouse.wheel(0, 20_000)
  await expect(button(chat, 'More')).toBeHidden()
  await allow.click()
  await expect(chat.dock).toContainText('1 of 2')
  await expect(button(chat, 'More')).toBeVisible()
  const before = (await shown.boundingBox())?.height ?? 0
  await button(chat, 'More').click()
  await expect(shown).toBeFocused()
  // Once it has grown: what is on its way to the end while it grows stops there.
  let last = before + 100
  await expect
    .poll(async () => {
      const height = (await shown.boundingBox())?.height ?? 0
      const isStill = height === last
      last = Math.max(height, before + 100)
      return isStill && height > before + 100
    })
    .toBe(true)
  await expect(chat.composer).toBeInViewport({ ratio: 1 })
  await expect(allow).toHaveAttribute('aria-disabled', 'true')
  await shown.press('End')
  await expect(button(chat, 'More')).toBeHidden()
  await allow.click()
  await expect(chat.dock).toContainText('Claude wants to use Bash')
  await expect(button(chat, 'More')).toBeHidden()
  await expect(allow).toHaveAttribute('aria-disabled', 'false')
})

test('[A28] what was edited is allowed after its end was seen, too', async ({ hub, visit }) => {
  await hub.record('work', [want('Write', LONG)])
  const chat = await visit('/', { width: 1280, height: 500 })
  await expect(button(chat, 'More')).toBeVisible()
  await button(chat, 'Edit').click()
  const path = chat.dock.getByRole('textbox', { name: 'path' })
  await expect(path).toBeFocused()
  await expect(button(chat, 'Allow with changes')).toHaveAttribute('aria-disabled', 'true')
  await path.press('Control+Enter')
  expect(await hub.told('work')).toHaveLength(1)
  await chat.dock.getByRole('textbox', { name: 'content' }).press('Control+End')
  await button(chat, 'Allow with changes').click()
  await expect(chat.bubble('Write')).toContainText('Allowed once by you')
})
