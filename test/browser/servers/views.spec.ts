import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { libraryAt } from '../../support/upstream/library-server.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import type { HubProcess } from '../support/hub-process.ts'
import { violations } from '../support/violations.ts'

const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true, dark: true },
]

async function call(hub: HubProcess, tool: string, input: object) {
  const body = JSON.stringify({ server: 'gateway', tool, arguments: input })
  const answer = await fetch(`${hub.url}/api/mcp/call`, { method: 'POST', body })
  expect(answer.ok).toBe(true)
  return answer.json()
}

async function openViews(chat: Chat, width = 1440) {
  if (width < 820) await chat.page.getByRole('button', { name: 'Show the conversations' }).click()
  await chat.page.getByRole('button', { name: 'Settings' }).click()
  const servers = chat.page.getByRole('dialog', { name: 'Settings' }).getByRole('region', { name: 'Servers' })
  await expect(servers).toContainText('Ready')
  return servers.getByRole('region', { name: 'What agents see' })
}

async function mountLibrary(hub: HubProcess) {
  const config = libraryAt('/dev/null')
  await call(hub, 'mount_add', { name: 'lib', config })
}

for (const look of few(LOOKS, 1)) {
  test(`[U260] [U261] what agents see is shown, chosen, ordered and removed in the settings (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    test.slow()
    await hub.say('work', ['Hello'])
    await mountLibrary(hub)
    const chat = await visit('/', look)
    await expect(chat.bubble('Hello')).toBeVisible()
    const views = await openViews(chat, look.width)
    await expect(views).toContainText('Every agent sees every server')
    await views.getByRole('button', { name: 'Add a view' }).click()
    await expect(views.getByRole('textbox', { name: 'Agent' })).toBeFocused()
    await views.getByRole('textbox', { name: 'Agent' }).fill('codex')
    await views.getByRole('combobox', { name: 'lib' }).selectOption('Selected tools')
    const chosen = views.getByRole('group', { name: 'Visible tools of lib' })
    await chosen.getByRole('checkbox', { name: 'count' }).check()
    await chosen.getByRole('checkbox', { name: 'Its resources' }).check()
    expect(await violations(chat.page)).toEqual([])
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    await views.getByRole('button', { name: 'Save' }).click()
    await expect(views.getByRole('button', { name: 'Add a view' })).toBeFocused()
    const items = views.getByRole('listitem')
    await expect(items).toHaveText(/codex\s*sees lib \(count, resources\), no other server/)
    const servers = { lib: ['count', 'resources/read'] }
    expect(await call(hub, 'mount_list', {})).toMatchObject({ views: [{ agent: 'codex', servers }] })
    await views.getByRole('button', { name: 'Add a view' }).click()
    await views.getByRole('textbox', { name: 'Folder' }).fill('/srv/*')
    await views.getByRole('combobox', { name: 'All other servers' }).selectOption('Everything')
    await views.getByRole('button', { name: 'Save' }).click()
    await expect(items).toHaveCount(2)
    await items.nth(1).getByRole('button', { name: 'Move up' }).click()
    await expect(items.first()).toContainText('Every agent in /srv/*')
    await items.nth(1).getByRole('button', { name: 'Edit' }).click()
    await expect(chosen.getByRole('checkbox', { name: 'count' })).toBeChecked()
    await expect(chosen.getByRole('checkbox', { name: 'lend' })).not.toBeChecked()
    await views.getByRole('combobox', { name: 'lib' }).selectOption('Nothing')
    await views.getByRole('button', { name: 'Save' }).click()
    await expect(items.nth(1)).toContainText('sees lib (nothing), no other server')
    await items.first().getByRole('button', { name: 'Remove' }).click()
    await expect(items).toHaveCount(1)
    expect(await violations(chat.page)).toEqual([])
  })
}

test('[U262] why a view is refused is said, and what was written stays', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  await mountLibrary(hub)
  const chat = await visit()
  await expect(chat.bubble('Hello')).toBeVisible()
  const views = await openViews(chat)
  await views.getByRole('button', { name: 'Add a view' }).click()
  const agent = views.getByRole('textbox', { name: 'Agent' })
  await agent.fill('{codex}')
  await views.getByRole('button', { name: 'Save' }).click()
  await expect(views.getByRole('alert').filter({ hasText: '"views.0.agent" has a "{"' })).toBeVisible()
  await expect(agent).toHaveValue('{codex}')
  expect(await violations(chat.page)).toEqual([])
  await views.getByRole('button', { name: 'Cancel' }).click()
  await expect(views).toContainText('Every agent sees every server')
})

test('[U263] the card of what would be read names its server and its address', async ({ hub, visit }) => {
  const rules = [{ tool: 'resources/read', decision: 'ask', reason: 'Whoever reads is seen' }]
  writeFileSync(join(hub.data, 'policy.jsonc'), JSON.stringify({ rules }))
  await hub.say('work', ['Hello'])
  await mountLibrary(hub)
  const chat = await visit()
  await expect(chat.bubble('Hello')).toBeVisible()
  const client = new Client({ name: 'codex-mcp-client', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp/gateway?session=work`)))
  await client.listTools()
  const reading = client.readResource({ uri: 'gateway://lib/memo://open' })
  await expect(chat.dock).toContainText('Codex wants to use resources/read of lib')
  await expect(chat.dock).toContainText('Asked because: Whoever reads is seen')
  await expect(chat.dock).toContainText('memo://open')
  expect(await violations(chat.page)).toEqual([])
  await chat.canAllow()
  await chat.dock.getByRole('button', { name: /^Allow once/ }).click()
  expect((await reading).contents).toMatchObject([{ uri: 'gateway://lib/memo://open' }])
  await client.close()
})
