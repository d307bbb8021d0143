import { program } from '../../support/upstream/upstream.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true, dark: true },
]
const COMMAND = `"${process.execPath}" "${program}"`

async function openSettings(chat: Chat, width = 1440) {
  if (width < 820) await chat.page.getByRole('button', { name: 'Show the conversations' }).click()
  await chat.page.getByRole('button', { name: 'Settings' }).click()
  return chat.page.getByRole('dialog', { name: 'Settings' })
}

for (const look of few(LOOKS, 1)) {
  test(`[U216] [U217] a server is mounted, looked at, paused, resumed and removed in the settings (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    test.slow()
    await hub.say('work', ['Hello'])
    const chat = await visit('/', look)
    await expect(chat.bubble('Hello')).toBeVisible()
    const dialog = await openSettings(chat, look.width)
    const servers = dialog.getByRole('region', { name: 'Servers' })
    await expect(servers).toContainText('Mounted servers are listed here')
    await servers.getByRole('button', { name: 'Mount a server' }).click()
    await expect(servers.getByRole('textbox', { name: 'Name' })).toBeFocused()
    await servers.getByRole('textbox', { name: 'Name' }).fill('own')
    await servers.getByRole('textbox', { name: 'Command' }).fill(COMMAND)
    const environment = servers.getByRole('textbox', { name: 'Environment' })
    await environment.fill('GREETING')
    await servers.getByRole('button', { name: 'Mount', exact: true }).click()
    await expect(servers).toContainText('Write “GREETING” as NAME=VALUE')
    expect(await violations(chat.page)).toEqual([])
    await environment.fill('GREETING=hello')
    await servers.getByRole('button', { name: 'Mount', exact: true }).click()
    await expect(servers.getByRole('button', { name: 'Mount a server' })).toBeFocused()
    const own = servers.getByRole('listitem').first()
    await expect(own).toContainText(/own\s*Ready\s*Command · \d+ tools/)
    await own.getByText('Tools of own').click()
    await expect(own).toContainText('own_echo')
    await own.getByText('Log of own').click()
    await expect(own.locator('pre')).toBeVisible()
    expect(await violations(chat.page)).toEqual([])
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    await own.getByRole('button', { name: 'Pause own' }).click()
    await expect(own).toContainText('Paused')
    await own.getByRole('button', { name: 'Resume own' }).click()
    await expect(own).toContainText('Ready')
    await own.getByRole('button', { name: 'Remove own' }).click()
    const asked = chat.page.getByRole('dialog', { name: 'Remove own?' })
    await expect(asked.getByRole('button', { name: 'Keep it' })).toBeFocused()
    await asked.getByRole('button', { name: 'Keep it' }).click()
    await expect(own).toBeVisible()
    await own.getByRole('button', { name: 'Remove own' }).click()
    await asked.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(servers).toContainText('Mounted servers are listed here')
  })
}

test('[U216] one that fails says why, and what changes elsewhere is seen while it is open', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  await expect(chat.bubble('Hello')).toBeVisible()
  const servers = (await openSettings(chat)).getByRole('region', { name: 'Servers' })
  await expect(servers).toContainText('Mounted servers are listed here')
  const config = { command: process.execPath, args: ['-e', 'process.exit(3)'] }
  const body = JSON.stringify({ server: 'gateway', tool: 'mount_add', arguments: { name: 'broken', config } })
  expect((await fetch(`${hub.url}/api/mcp/call`, { method: 'POST', body })).ok).toBe(true)
  const broken = servers.getByRole('listitem').first()
  await expect(broken).toContainText('Failed')
  await expect(broken).toContainText(/ended|exit/i)
})

test('[U216] who may not administer is told so', async ({ hub, visit }) => {
  await hub.token('create', 'ada', '--role', 'human')
  await hub.say('work', ['Hello']).catch(() => {})
  const chat = await visit('/favicon.svg')
  await chat.page.goto(await hub.token('link', 'ada'))
  await chat.page.getByRole('button', { name: /sign in/i }).click()
  const servers = (await openSettings(chat)).getByRole('region', { name: 'Servers' })
  await expect(servers).toContainText('Servers are hidden. This is for admin, and ada is human.')
  await expect(servers.getByRole('button', { name: 'Mount a server' })).toHaveCount(0)
})

test('[U218] a broken policy is told in the page and in the settings, and gone once it is whole', async ({
  hub,
  visit,
}) => {
  await hub.say('work', ['Hello'])
  const problem = '/home/ada/.parley/policy.jsonc:12:5: Unknown decision "alow"'
  const chat = await visit('/favicon.svg', { changed: true })
  let tell = (_: object) => {}
  await chat.page.routeWebSocket(/\/ws/, (page) => {
    const server = page.connectToServer()
    server.onMessage((message) => {
      const { type } = JSON.parse(String(message))
      if (type !== 'policy') page.send(message)
      if (type === 'welcome') tell({ rules: 3, problem })
    })
    tell = (news) => page.send(JSON.stringify({ type: 'policy', ...news }))
  })
  await chat.page.goto(hub.url)
  const notice = chat.page.getByRole('region', { name: 'Policy' })
  await expect(notice).toContainText('The policy file has an error; the last good version applies.')
  await expect(notice).toContainText('policy.jsonc:12:5')
  expect(await violations(chat.page)).toEqual([])
  await notice.getByRole('button', { name: 'Hide this' }).click()
  await expect(notice).toHaveCount(0)
  tell({ rules: 3, problem: `${problem}!` })
  await expect(notice).toBeVisible()
  const settings = await openSettings(chat)
  const policy = settings.getByRole('region', { name: 'Policy' })
  await expect(policy).toContainText('3 rules decide')
  await expect(policy).toContainText(`${problem}!`)
  tell({ rules: 4 })
  await expect(policy).toContainText('4 rules decide')
  await expect(policy).not.toContainText('broken')
  await settings.getByRole('button', { name: 'Close' }).click()
  await expect(notice).toHaveCount(0)
})
