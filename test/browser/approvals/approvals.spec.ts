import type { Body } from '../../../src/protocol/entries/entry.ts'
import { approver } from '../support/approver.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, signInTwo, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const INPUT = { command: 'npm run build &&\n  npm publish', description: 'Publish it', retries: 3 }
const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true, dark: true },
]

function want(tool_name: string, input: string | object = INPUT, more: { expires_at?: number } = {}): Body {
  const approval = { tool_name, input: typeof input === 'string' ? input : JSON.stringify(input) }
  return { kind: 'question', by: 'claude', text: `About ${tool_name}: the build is **green**.`, approval, ...more }
}

function button(chat: Chat, name: string) {
  return chat.dock.getByRole('button', { name, exact: true })
}

const fieldOf = (chat: Chat, name: string) => chat.dock.getByRole('textbox', { name, exact: true })
/** Where what is typed goes. */
const chipOf = (chat: Chat) => chat.page.getByRole('button', { name: /^(Message|Reply to|Reason to deny)/ })

async function deny(chat: Chat, reason: string) {
  await button(chat, 'Deny').click()
  await chat.composer.fill(reason)
  await chat.page.getByRole('button', { name: 'Deny with this reason' }).click()
}

for (const look of few(LOOKS, 0)) {
  test(`[A4] an approval shows who wants to use what with which arguments, and is allowed once (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', [want('Bash'), want('Write', { path: 'a.ts', content: 'line\n'.repeat(500) })])
    const chat = await visit('/', look)
    await expect(chat.dock).toContainText('Claude wants to use Bash')
    const values = chat.dock.getByRole('group', { name: 'Arguments' }).getByRole('definition')
    await expect(values).toHaveText([INPUT.command, INPUT.description, '3'], { useInnerText: true })
    await expect(chat.bubble('Bash')).toContainText('Waiting for you')
    expect(await violations(chat.page)).toEqual([])
    for (const each of await chat.dock.getByRole('button').all()) {
      if (look.touch) expect((await each.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    }
    await button(chat, 'Allow once').click()
    await expect(chat.bubble('Bash')).toContainText('Allowed once by you')
    await expect(chat.dock).toContainText('Claude wants to use Write')
    await expect(button(chat, 'Allow once')).toBeInViewport({ ratio: 1 })
    await expect(chat.composer).toBeInViewport({ ratio: 1 })
    await expect(chat.composer.or(chat.page.locator('form')).and(chat.page.locator(':focus'))).toHaveCount(1)
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    const verdict = async () => (await hub.told('work'))[2]
    await expect.poll(verdict).toMatchObject({ outcome: 'approved' })
    expect(await verdict()).not.toHaveProperty('input')
  })

  test(`[A6] arguments are edited, and what is no value of its kind cannot be sent (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', [want('Bash', '{"id":12345678901234567890}')])
    const chat = await visit('/', look)
    await button(chat, 'Edit').click()
    const id = fieldOf(chat, 'id')
    await expect(id).toBeFocused()
    await expect(id).toHaveValue('12345678901234567890')
    await id.fill('7x')
    await expect(chat.dock).toContainText('Write a number')
    await button(chat, 'Allow with changes').click({ force: true })
    await expect(id).toBeFocused()
    expect(await hub.told('work')).toHaveLength(1)
    await id.fill('7')
    await expect(chat.dock).not.toContainText('Write a number')
    await button(chat, 'Allow with changes').click()
    const record = chat.bubble('Bash')
    await expect(record).toContainText('Allowed with changes by you')
    await record.locator('summary').click()
    await expect(record.getByRole('definition')).toHaveText('7')
    await expect.poll(() => hub.told('work')).toMatchObject([{}, { outcome: 'approved', input: '{"id":7}' }])
    expect(await violations(chat.page)).toEqual([])
  })

  test(`[A7] a call is denied by its button, with a reason in the composer or without (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', [want('Bash'), want('Write')])
    const chat = await visit('/', look)
    await chat.composer.fill('Good morning')
    await expect(chipOf(chat)).toHaveText(/^Message/)
    await chat.page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(chat.bubble('Good morning').getByRole('img', { name: 'Accepted' })).toBeVisible()
    await expect(chat.dock).toContainText('Claude wants to use Bash')
    await button(chat, 'Deny').click()
    await expect(chat.composer).toBeFocused()
    await expect(chipOf(chat)).toHaveText(/^Reason to deny “Bash”/)
    await expect(chat.promise).toContainText('Deny, with this as the reason')
    expect(await violations(chat.page)).toEqual([])
    await chat.composer.press('Escape')
    await expect(chipOf(chat)).toHaveText(/^Message/)
    await button(chat, 'Deny').click()
    await chat.page.getByRole('button', { name: 'Deny with this reason' }).click()
    await expect(chat.dock).toContainText('Claude wants to use Write')
    await expect(chipOf(chat)).toBeHidden()
    await deny(chat, 'Allow')
    await expect(chat.dock).toBeHidden()
    await expect(chipOf(chat)).toBeHidden()
    await expect(chat.bubble('Write')).toContainText(/Denied by you\s*Allow/)
    await expect
      .poll(async () => (await hub.told('work')).slice(2))
      .toMatchObject([
        { kind: 'message', text: 'Good morning' },
        { outcome: 'denied' },
        { outcome: 'denied', reason: 'Allow' },
      ])
  })
}

for (const look of few(LOOKS, 1)) {
  test(`[U33] [U34] [U35] a tool is always allowed, then not asked for, and taken back (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', [{ kind: 'title', title: 'Fix the login' }])
    const approve = await approver(hub, 'work')
    const calls = [approve('Bash', { command: 'npm test' })]
    const chat = await visit('/', look)
    await expect(chat.dock).toContainText('Claude wants to use Bash')
    calls.push(approve('Write', { path: 'a.ts' }), approve('Bash', { command: 'npm test x1' }))
    await expect(chat.dock).toContainText('1 of 3')
    const always = button(chat, 'Always allow “npm test …” in “Fix the login”')
    await expect(always).toBeInViewport({ ratio: 1 })
    if (look.touch) expect((await always.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    expect(await violations(chat.page)).toEqual([])
    await chat.canAllow()
    await chat.composer.press('ArrowUp')
    await expect(button(chat, 'Allow once')).toBeFocused()
    await chat.page.keyboard.press('ArrowRight')
    await expect(always).toBeFocused()
    await chat.page.keyboard.press('Enter')
    await expect(chat.bubble('npm test').first()).toContainText('Always allowed by you')
    await expect(chat.bubble('npm test x1')).toContainText('Allowed by a standing permission')

    await expect(chat.dock).toContainText('Claude wants to use Write')
    await button(chat, 'Edit').click()
    await fieldOf(chat, 'path').fill('b.ts')
    await button(chat, 'Always allow Write in “Fix the login”').click()
    await expect(chat.bubble('Write')).toContainText('Always allowed, this time with changes by you')
    await expect(chat.dock).toBeHidden()
    expect(await Promise.all(calls)).toMatchObject([{}, { path: 'b.ts' }, { command: 'npm test x1' }])

    expect(await approve('Bash', { command: 'npm test x2' })).toEqual({ command: 'npm test x2' })
    const line = chat.timeline.locator('summary').filter({ hasText: 'npm test x2' })
    await expect(line).toContainText('always allowed')
    await expect(chat.dock).toBeHidden()
    await expect(chat.page).toHaveTitle('Fix the login')

    const opener = chat.page.getByRole('button', { name: /always allowed here/ })
    const list = chat.page.getByRole('region', { name: 'Always allowed' })
    await opener.click()
    await expect(list.getByRole('listitem')).toHaveText([/Bash “npm test …”/, /Write/])
    expect(await violations(chat.page)).toEqual([])
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    await chat.page.keyboard.press('Escape')
    await expect(list).toBeHidden()
    await chat.bubble('npm test').first().getByRole('button', { name: 'Take back' }).click()
    await expect(chat.timeline).toContainText('Taken back: Bash “npm test …” asks again')
    await expect(opener).toHaveAccessibleName('1 tool is always allowed here')
    await opener.click()
    await list.getByRole('button', { name: 'Take back Write' }).click()
    await expect(list).toContainText('Every tool asks again')
    await expect(opener).toBeFocused()
    await chat.composer.focus()
    await expect(opener).toBeHidden()
    await chat.page.reload()
    await expect(chat.bubble('npm test').first()).toContainText('Always allowed')
    await expect(chat.timeline.getByRole('button', { name: 'Take back' })).toHaveCount(0)
    const again = approve('Bash', { command: 'npm test x2' })
    await button(chat, 'Allow once').click()
    expect(await again).toEqual({ command: 'npm test x2' })
  })
}

test('[A5] nothing in a call can hide, turn around or pass for the page', async ({ hub, visit }) => {
  const command = 'echo \u202egpj.exe\u200b <img src=x onerror="window.hacked = 1">'
  await hub.record('work', [
    want(`Ba\u202esh ${'n'.repeat(150)}`, { command, [`${'k'.repeat(300)}`]: 'v'.repeat(3000) }),
  ])
  const chat = await visit('/', { width: 390, height: 844, touch: true })
  const shown = command.replace('\u202e', '\\u202e').replace('\u200b', '\\u200b')
  await expect(chat.dock.getByRole('definition').first()).toHaveText(shown)
  await expect(chat.dock).toContainText('Ba\\u202esh')
  await expect(chat.composer).toBeInViewport({ ratio: 1 })
  await expect(button(chat, 'Allow once')).toBeInViewport({ ratio: 1 })
  await expect(chat.page.locator('main img')).toHaveCount(0)
  expect(await chat.page.evaluate(() => 'hacked' in window)).toBe(false)
  expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await button(chat, 'Edit').click()
  await expect(fieldOf(chat, 'command as JSON')).toHaveValue(/echo \\u202egpj/)
  await button(chat, 'More').click()
  await chat.dock.getByRole('group', { name: 'Arguments' }).press('End')
  await button(chat, 'Allow with changes').click()
  await expect(chat.bubble('Ba\\u202esh')).toContainText('Allowed once by you')
  await chat.bubble('Allowed once by you').locator('summary').click()
  await expect(chat.timeline.getByRole('definition').first()).toHaveText(shown)
  await expect(chat.page.locator('main img')).toHaveCount(0)
})

test('[A8] records stay: an expired one says so, and a reload keeps what became of each', async ({ hub, visit }) => {
  await hub.record('work', [want('Old', {}, { expires_at: 1 }), want('Bash'), want('Write')])
  const chat = await visit()
  await expect(chat.bubble('Old')).toContainText('Expired without an answer')
  await expect(chat.dock).toBeVisible()
  await chat.bubble('Old').locator('summary').click()
  await expect(chat.bubble('Old')).toContainText('No arguments')
  await button(chat, 'Allow once').click()
  await expect(chat.dock).toContainText('Claude wants to use Write')
  await deny(chat, 'Not today')
  await expect(chat.bubble('Write')).toContainText(/Denied by you\s*Not today/)
  // It is on screen before the hub has it.
  await expect.poll(async () => (await hub.told('work')).at(-1)).toMatchObject({ outcome: 'denied' })
  await chat.page.reload()
  await expect(chat.bubble('Bash')).toContainText('Allowed once')
  await expect(chat.bubble('Bash')).not.toContainText('by you')
  await expect(chat.bubble('Write')).toContainText(/Denied\s*Not today/)
  await expect(chat.dock).toBeHidden()
})

test('[A9] a refused verdict gives back the edited arguments, and a refused denial its reason', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [want('Bash')])
  const chat = await visit('/favicon.svg', { changed: true })
  await chat.page.routeWebSocket(/\/ws/, (page) => {
    const server = page.connectToServer()
    page.onMessage((message) => {
      const { type, key } = JSON.parse(String(message))
      if (type !== 'allow' && type !== 'deny') return server.send(message)
      page.send(JSON.stringify({ type: 'refused', key, code: 'unwritable', error: 'The disk is full' }))
    })
  })
  await chat.page.goto(hub.url)
  await button(chat, 'Edit').click()
  await fieldOf(chat, 'command').fill('ls')
  await button(chat, 'Allow with changes').click()
  await expect(chat.page.getByRole('alert')).toHaveText('The disk is full')
  await expect(fieldOf(chat, 'command')).toHaveValue('ls')
  await button(chat, 'Cancel').click()
  await deny(chat, 'Too risky')
  await expect(chat.composer).toHaveValue('Too risky')
  await expect(chipOf(chat)).toHaveText(/^Reason to deny/)
  await expect(chat.bubble('Bash')).toContainText('Waiting for you')
})

test('[U29] a verdict from elsewhere closes the editor, and a note and the record say whose it was', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [want('Bash')])
  const [ada, bob] = await signInTwo(hub, visit, { width: 390, height: 844 })
  await button(bob, 'Edit').click()
  await fieldOf(bob, 'command').fill('half a th')
  await expect(ada.dock).toBeVisible()
  await deny(ada, 'Not on a Friday')
  await expect(bob.dock).toBeHidden()
  await expect(bob.page.getByText('Denied by ada: Not on a Friday')).toBeVisible()
  await expect(bob.composer).toBeFocused()
  await expect(bob.bubble('Bash')).toContainText(/Denied by ada\s*Not on a Friday/)
  await expect(ada.bubble('Bash')).toContainText('Denied by you')
})

test.describe(() => {
  test.use({ killable: true })

  test('[U30] a verdict given while the hub is away shows as being sent, and is sent once', async ({ hub, visit }) => {
    await hub.record('work', [want('Bash')])
    const chat = await visit()
    await expect(chat.dock).toBeVisible()
    await hub.kill()
    await expect(chat.banner).toContainText('reconnecting')
    await button(chat, 'Allow once').click()
    await expect(chat.bubble('Bash').getByRole('img', { name: 'Sending' })).toBeVisible()
    await hub.restart()
    await expect(chat.bubble('Bash').getByRole('img', { name: 'Sending' })).toBeHidden({ timeout: 60_000 })
    await expect(chat.bubble('Bash')).toContainText('Allowed once by you')
    await expect.poll(() => hub.told('work')).toMatchObject([{}, { outcome: 'approved' }])
  })
})
