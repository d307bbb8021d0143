import { startOAuthServer } from '../../support/upstream/oauth-server.ts'
import { startProtectedServer } from '../../support/upstream/protected-server.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true, dark: true },
]

async function openServers(chat: Chat, width = 1440) {
  if (width < 820) await chat.page.getByRole('button', { name: 'Show the conversations' }).click()
  await chat.page.getByRole('button', { name: 'Settings' }).click()
  return chat.page.getByRole('dialog', { name: 'Settings' }).getByRole('region', { name: 'Servers' })
}

for (const look of few(LOOKS, 1)) {
  test(`[U270] [U271] a person signs in to a server in a tab of its own, and sees it ready then (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    test.slow()
    const oauth = await startOAuthServer()
    const far = await startProtectedServer(oauth)
    oauth.manners.consent = 'ask'
    await hub.say('work', ['Hello'])
    const config = { url: far.url }
    const body = JSON.stringify({ server: 'gateway', tool: 'mount_add', arguments: { name: 'far', config } })
    expect((await fetch(`${hub.url}/api/mcp/call`, { method: 'POST', body })).ok).toBe(true)
    const chat = await visit('/', look)
    await expect(chat.bubble('Hello')).toBeVisible()
    const servers = await openServers(chat, look.width)
    const item = servers.getByRole('listitem').first()
    await expect(item).toContainText('Needs sign-in')
    await expect(item).toContainText('parley mount login far')
    expect(await violations(chat.page)).toEqual([])
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    const button = item.getByRole('button', { name: 'Sign in to far' })
    const opened = chat.page.waitForEvent('popup')
    await button.click()
    const tab = await opened
    await tab.getByRole('link', { name: 'Deny' }).click()
    await expect(tab.getByText('The sign-in to "far" was refused.')).toBeVisible()
    expect(await tab.evaluate(() => window.opener)).toBeNull()
    await tab.close()
    await expect(item).toContainText('Needs sign-in')
    const again = chat.page.waitForEvent('popup')
    await button.click()
    const second = await again
    await second.getByRole('link', { name: 'Allow' }).click()
    await expect(second.getByText('Signed in to far. You can close this tab.')).toBeVisible()
    expect(await violations(second)).toEqual([])
    await second.close()
    await expect(item).toContainText(/far\s*Ready\s*Address · 3 tools/)
    await expect(button).toHaveCount(0)
    await far.close()
    await oauth.close()
  })
}

test('[U271] what keeps a person from signing in is said, and no tab stays', async ({ hub, visit }) => {
  const oauth = await startOAuthServer()
  const far = await startProtectedServer(oauth)
  oauth.manners.metadata = (own) => ({ ...own, authorization_endpoint: 'javascript:alert(1)' })
  await hub.say('work', ['Hello'])
  const body = JSON.stringify({
    server: 'gateway',
    tool: 'mount_add',
    arguments: { name: 'far', config: { url: far.url } },
  })
  expect((await fetch(`${hub.url}/api/mcp/call`, { method: 'POST', body })).ok).toBe(true)
  const chat = await visit()
  await expect(chat.bubble('Hello')).toBeVisible()
  const servers = await openServers(chat)
  const opened = chat.page.waitForEvent('popup')
  await servers.getByRole('button', { name: 'Sign in to far' }).click()
  const tab = await opened
  await expect(servers.getByText(/^The sign-in to "far" failed: \w/)).toBeVisible()
  await expect.poll(() => tab.isClosed()).toBe(true)
  await far.close()
  await oauth.close()
})
