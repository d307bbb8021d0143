import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const EDIT = { file_path: 'src/a.ts', old_string: 'one\ntwo', new_string: 'one\n2\u202e\n<b>3</b>', replace_all: true }
const SHELL = { command: 'for f in *; do\n  echo "$f" # each\ndone', timeout: 5000, background: false, env: { A: 1 } }
const LONG = { path: 'a.ts', content: Array.from({ length: 120 }, (_, n) => `line ${n} ${'x'.repeat(300)}`).join('\n') }
const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true, dark: true },
  { width: 390, height: 400, touch: true },
  { width: 360, height: 225 },
]

function want(tool_name: string, input: object): Body {
  return { kind: 'question', by: 'claude', text: 'May I?', approval: { tool_name, input: JSON.stringify(input) } }
}

const button = (chat: Chat, name: string | RegExp) => chat.dock.getByRole('button', { name })
const screenOf = (chat: Chat) => chat.page.getByRole('dialog', { name: 'Claude wants to use' })

/** Once its end was seen. */
async function allow(chat: Chat) {
  const more = button(chat, 'More')
  const allow = button(chat, /^Allow once/).and(chat.page.locator('[aria-disabled="false"]'))
  // Which of them it is is known when it is laid out.
  await expect(more.or(allow).first()).toBeVisible()
  if (await more.isVisible()) await more.click()
  await allow.click()
}

async function openScreen(chat: Chat) {
  await button(chat, 'Show on the full screen').click()
  await expect(screenOf(chat)).toBeVisible()
  return screenOf(chat)
}

for (const look of few(LOOKS.slice(0, 2), 23)) {
  test(`[A29] an edit is a change, counted, beside all other arguments; so in its record (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', [want('Edit', EDIT)])
    const chat = await visit('/', look)
    const lines = ['-two', '+2\\u202e', '+<b>3</b>']
    await expect(chat.dock.locator('.counts')).toHaveText('+2 −1')
    await expect(chat.dock.locator('code > :is(.added, .removed)')).toHaveText(lines)
    await expect(chat.dock.getByRole('definition').filter({ hasText: 'true' })).toBeVisible()
    await expect(chat.dock.getByRole('term').first()).toHaveText('src/a.ts')
    await allow(chat)
    const record = chat.bubble('Edit')
    await expect(record.locator('summary')).toContainText('+2 −1')
    await record.locator('summary').click()
    await expect(record.locator('code > :is(.added, .removed)')).toHaveText(lines)
    await expect(chat.page.locator('main b')).toHaveCount(0)
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    expect(await violations(chat.page)).toEqual([])
  })

  test(`[A29] a new file is shown whole, and no line of it goes on beyond the edge (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', [want('Write', LONG)])
    const chat = await visit('/', look)
    await expect(chat.dock.locator('.counts')).toHaveText('+120 −0')
    await expect(chat.dock.locator('code > .added')).toHaveCount(120)
    expect(await chat.dock.locator('.code pre').evaluate((pre) => pre.scrollWidth - pre.clientWidth)).toBe(0)
    await expect(button(chat, /^Allow once/)).toHaveAttribute('aria-disabled', 'true')
  })

  test(`[A30] a command is coloured as shell, in the card and in the record (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', [want('Bash', SHELL)])
    const chat = await visit('/', look)
    const shown = chat.dock.getByRole('definition').first()
    await expect(shown.locator('.hljs-keyword').first()).toHaveText('for')
    await expect(shown).toHaveText(SHELL.command, { useInnerText: true })
    await allow(chat)
    await chat.bubble('Bash').locator('summary').click()
    await expect(chat.bubble('Bash').locator('.hljs-comment')).toHaveText('# each')
    expect(await violations(chat.page)).toEqual([])
  })

  test(`[A31] each argument is edited in a field of its kind, and what stands there is what is sent (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', [want('Bash', SHELL)])
    const chat = await visit('/', look)
    const field = (name: string) => chat.dock.getByRole('textbox', { name, exact: true })
    await button(chat, 'Edit').click()
    await expect(field('command')).toBeFocused()
    await expect(field('command')).toHaveValue(SHELL.command)
    await field('command').fill('ls\n-l')
    await chat.dock.getByRole('checkbox', { name: 'background' }).check()
    await field('env as JSON').fill('{"A": 2')
    await expect(field('env as JSON')).toHaveAccessibleDescription(/Invalid JSON/)
    await expect(button(chat, 'Allow with changes')).toHaveAttribute('aria-disabled', 'true')
    await button(chat, 'Allow with changes').click({ force: true })
    await expect(field('env as JSON')).toBeFocused()
    await field('env as JSON').fill('{"A": 2.50}')
    expect(await violations(chat.page)).toEqual([])
    if (look.touch) expect((await field('timeout').boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await chat.dock.getByRole('group', { name: 'Arguments' }).evaluate((node) => node.scrollTo(0, node.scrollHeight))
    await expect(button(chat, 'More')).toBeHidden()
    await chat.canAllow()
    await field('env as JSON').press('Control+Enter')
    await expect(chat.bubble('Bash')).toContainText('Allowed with changes by you')
    const input = '{"command":"ls\\n-l","timeout":5000,"background":true,"env":{"A": 2.50}}'
    await expect.poll(() => hub.told('work')).toMatchObject([{}, { outcome: 'approved', input }])
  })
}

for (const look of few(LOOKS, 24)) {
  test(`[A32] on the full screen the same rules hold, and Back closes it (${look.width} × ${look.height})`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', [want('Write', LONG), want('Bash', SHELL)])
    const chat = await visit('/', look)
    const screen = await openScreen(chat)
    const allow = screen.getByRole('button', { name: /^Allow once/ })
    for (const name of [/^Allow once/, /^Always allow/, 'Edit', 'Deny', 'More', 'Leave full screen']) {
      await expect(screen.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
    }
    expect(await violations(chat.page)).toEqual([])
    await expect(allow).toHaveAttribute('aria-disabled', 'true')
    if (!look.touch) {
      await allow.focus()
      await chat.page.keyboard.press('a')
      await expect(allow).toHaveAttribute('aria-disabled', 'true')
    }
    await chat.page.goBack()
    await expect(screen).toBeHidden()
    await expect(chat.dock).toContainText('1 of 2')
    expect(await hub.told('work')).toHaveLength(2)
    await openScreen(chat)
    await screen.getByRole('button', { name: 'More' }).click()
    await expect(allow).toHaveAttribute('aria-disabled', 'true')
    await screen.getByRole('group', { name: 'Arguments' }).evaluate((node) => {
      node.scrollTo(0, node.scrollHeight)
      node.closest('section')?.scrollTo(0, node.scrollHeight)
    })
    await allow.click()
    await expect(screen).toBeHidden()
    await expect(chat.dock).toContainText('Claude wants to use Bash')
    await expect.poll(async () => (await hub.told('work')).at(-1)).toMatchObject({ outcome: 'approved' })
  })
}

test('[A32] what was on the full screen and is no longer drawn has not been seen', async ({ hub, visit }) => {
  await hub.record('work', [want('Write', LONG)])
  const chat = await visit()
  const screen = await openScreen(chat)
  await expect(screen.getByRole('button', { name: 'More' })).toBeVisible()
  await screen.evaluate(async (dialog) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    dialog.style.display = 'none'
    for (let n = 0; n < 3; n++) await frame()
    dialog.style.display = ''
    for (let n = 0; n < 3; n++) await frame()
  })
  await expect(screen.getByRole('button', { name: /^Allow once/ })).toHaveAttribute('aria-disabled', 'true')
})

test('[A32] keys decide on the full screen, and Deny leads to the reason', async ({ hub, visit }) => {
  await hub.record('work', [want('Bash', SHELL), want('Edit', EDIT)])
  const chat = await visit()
  const screen = await openScreen(chat)
  await screen.getByRole('group', { name: 'Arguments' }).focus()
  await chat.canAllow()
  await chat.page.keyboard.press('a')
  await expect(screen).toBeHidden()
  await expect(chat.dock).toContainText('Claude wants to use Edit')
  await openScreen(chat)
  await screen.getByRole('group', { name: 'Arguments' }).focus()
  await chat.page.keyboard.press('d')
  await expect(screen).toBeHidden()
  await expect(chat.composer).toBeFocused()
  await expect(chat.promise).toContainText('Deny, with this as the reason')
  await chat.reply('Not like this')
  await expect(chat.dock).toBeHidden()
  await expect
    .poll(async () => (await hub.told('work')).slice(2))
    .toMatchObject([{ outcome: 'approved' }, { outcome: 'denied', reason: 'Not like this' }])
})

test('[A32] a call that is decided elsewhere takes the full screen along', async ({ hub, visit }) => {
  await hub.record('work', [want('Edit', EDIT)])
  const [one, other] = [await visit(), await visit()]
  const screen = await openScreen(one)
  await button(other, /^Allow once/).click()
  await expect(screen).toBeHidden()
  await expect(one.page.getByText(/Allowed once on another device/)).toBeVisible()
})
