import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true, dark: true },
]
const ASKED = {
  tool_name: 'files_write_file',
  input: '{"path":"/srv/notes.txt","token":"••••"}',
  server: 'files',
  reason: 'It writes outside of the project',
  tool_changed: true,
  masked: 1,
} as const

const want = (approval: object = ASKED): Body => {
  return { kind: 'question', by: 'claude', text: 'May I?', approval } as Body
}
const menuOf = (chat: Chat) => chat.page.getByRole('menu', { name: 'Always allow write_file' })
const openerOf = (chat: Chat) =>
  chat.dock.getByRole('button', { name: 'Choose for whom write_file is allowed for good' })

/** What the page sends; the hub hears it all, except where `answer` says otherwise. */
async function visitHeard(visit: (path: string, look: object) => Promise<Chat>, url: string, look: object, error = '') {
  const sent: Record<string, unknown>[] = []
  const chat = await visit('/favicon.svg', { changed: true, ...look })
  await chat.page.routeWebSocket(/\/ws/, (page) => {
    const server = page.connectToServer()
    page.onMessage((message) => {
      const command = JSON.parse(String(message))
      sent.push(command)
      if (command.type !== 'allow' || error === '') return server.send(message)
      page.send(JSON.stringify({ type: 'refused', key: command.key, code: 'forbidden_role', error }))
    })
  })
  await chat.page.goto(url)
  return { chat, allowed: () => sent.filter(({ type }) => type === 'allow') }
}

for (const look of few(LOOKS, 0)) {
  test(`[U210] an approval names the server, why it is asked, that the tool changed and what is masked (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', [want()])
    const chat = await visit('/', look)
    await expect(chat.dock).toContainText('Claude wants to use write_file of files')
    await expect(chat.dock).toContainText('Asked because: It writes outside of the project')
    await expect(chat.dock).toContainText('This tool has changed since it was last allowed.')
    await expect(chat.dock).toContainText('1 secret is masked.')
    await chat.dock.getByRole('button', { name: 'Edit', exact: true }).click()
    await expect(chat.dock).toContainText('Secrets you leave masked reach the tool in full.')
    await expect(chat.dock.getByRole('textbox', { name: 'path' })).toHaveValue('/srv/notes.txt')
    await chat.dock.getByRole('button', { name: 'Cancel', exact: true }).click()
    await chat.canAllow()
    await openerOf(chat).click()
    await expect(menuOf(chat)).toBeInViewport({ ratio: 1 })
    expect(await violations(chat.page)).toEqual([])
    for (const each of await menuOf(chat).getByRole('menuitem').all()) {
      if (look.touch) expect((await each.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    }
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
  })
}

test('[U211] one press always allows in the conversation, and a menu for this agent or everyone', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [
    want(),
    want({ ...ASKED, input: '{"path":"b"}' }),
    want({ ...ASKED, input: '{"path":"c"}' }),
  ])
  const { chat, allowed } = await visitHeard(visit, hub.url, {}, 'Only an admin can do that')
  await chat.canAllow()
  await chat.dock.getByRole('button', { name: /^Always allow/ }).click()
  await expect.poll(() => allowed().at(-1)).toMatchObject({ always: true })
  expect(allowed().at(-1)).not.toHaveProperty('scope')
  for (const [name, scope] of [
    ['For this agent', 'agent'],
    ['For everyone', 'everyone'],
  ] as const) {
    await chat.canAllow()
    await openerOf(chat).click()
    await menuOf(chat).getByRole('menuitem', { name }).click()
    await expect.poll(() => allowed().at(-1)).toMatchObject({ always: true, scope })
    await expect(menuOf(chat)).toBeHidden()
  }
})

test('[U211] the menu goes by keyboard alone, and Escape leaves it for its button', async ({ hub, visit }) => {
  await hub.record('work', [want()])
  const { chat, allowed } = await visitHeard(visit, hub.url, {}, 'Only an admin can do that')
  await chat.canAllow()
  await chat.dock.getByRole('button', { name: /^Always allow/ }).focus()
  await chat.page.keyboard.press('Tab')
  await expect(openerOf(chat)).toBeFocused()
  await chat.page.keyboard.press('Enter')
  await expect(menuOf(chat).getByRole('menuitem', { name: 'In this conversation' })).toBeFocused()
  await chat.page.keyboard.press('Escape')
  await expect(openerOf(chat)).toBeFocused()
  await chat.page.keyboard.press('Enter')
  await chat.page.keyboard.press('ArrowUp')
  await expect(menuOf(chat).getByRole('menuitem', { name: 'For everyone' })).toBeFocused()
  await chat.page.keyboard.press('ArrowUp')
  const wanted = menuOf(chat).getByRole('menuitem', { name: 'For this agent' })
  await expect(wanted).toHaveAttribute('aria-disabled', 'false')
  await chat.page.keyboard.press('Enter')
  await expect.poll(() => allowed().at(-1)).toMatchObject({ scope: 'agent' })
})

test('[U212] where it may not be allowed for everyone, the page says so and the call still waits', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [want()])
  const { chat } = await visitHeard(visit, hub.url, {}, 'Only an admin can allow it for everyone')
  await chat.canAllow()
  await openerOf(chat).click()
  await menuOf(chat).getByRole('menuitem', { name: 'For everyone' }).click()
  await expect(chat.page.getByRole('alert')).toHaveText('Only an admin can allow it for everyone')
  await expect(chat.dock).toContainText('Claude wants to use write_file of files')
  await expect(chat.bubble('write_file')).toContainText('Waiting for you')
})

test('[U211] what an agent offers itself has no scope', async ({ hub, visit }) => {
  const options = [{ id: 'yes', label: 'Yes', kind: 'allow_once' }]
  await hub.record('work', [want({ ...ASKED, options })])
  const chat = await visit()
  await expect(chat.dock.getByRole('button', { name: /^Yes/ })).toBeVisible()
  await expect(openerOf(chat)).toHaveCount(0)
})

for (const look of few(LOOKS, 1)) {
  test(`[U251] of a command the menu offers its beginning, and says whose it will be (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    const approval = { tool_name: 'Bash', input: '{"command":"npm test -- --watch"}' }
    await hub.record('work', [
      { kind: 'question', by: 'codex-mcp-client', folder: '/srv/a-site', text: 'May I?', approval },
    ])
    const { chat, allowed } = await visitHeard(visit, hub.url, look, 'Only an admin can do that')
    await chat.canAllow()
    await chat.dock.getByRole('button', { name: 'Choose for whom Bash is allowed for good' }).click()
    const menu = chat.page.getByRole('menu', { name: 'Always allow Bash' })
    await expect(menu).toBeInViewport({ ratio: 1 })
    await expect(menu.getByRole('menuitem', { name: 'Allow “npm test …” in this conversation' })).toContainText(
      'One command that begins this way. Can be taken back here',
    )
    const mine = menu.getByRole('menuitem', { name: 'Allow “npm test …” in this folder' })
    await expect(mine).toContainText('One command that begins this way, by Codex in /srv/a-site')
    expect(await violations(chat.page)).toEqual([])
    await mine.click()
    await expect.poll(() => allowed().at(-1)).toMatchObject({ always: true, scope: 'agent' })
  })
}
