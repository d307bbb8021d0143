import { doorTo } from '../../../src/cli/hub/sign-in.ts'
import { openTokens } from '../../../src/doors/http/access/open-tokens.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const LOOKS = [
  { width: 1440, height: 900 },
  { width: 820, height: 1100, dark: true },
  { width: 390, height: 844, touch: true },
]

async function openSettings({ page }: Chat) {
  const list = page.getByRole('button', { name: /^Show the conversations/ })
  if (await list.isVisible()) await list.click()
  await page.getByRole('button', { name: 'Settings' }).click()
  return page.getByRole('region', { name: 'Signed-in devices' })
}

for (const look of LOOKS) {
  test(`[U432] devices are listed with their end, named and signed out, this one too (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    test.slow()
    await hub.say('work', ['Hello'])
    const tokens = openTokens(hub)
    await tokens.protect()
    const other = await tokens.trade(await tokens.link('local'), 'Firefox on Linux')
    const chat = await visit('/favicon.svg', { ...look, own: true })
    await chat.page.goto(await doorTo(`${hub.url}/sign-in/${await tokens.link('local')}`, hub.data))
    await expect(chat.bubble('Hello')).toBeVisible()
    const devices = await openSettings(chat)
    await expect(devices.getByRole('listitem')).toHaveCount(2)
    await expect(devices).toContainText(/This device · Signed in today, until \w+ \d+ \w+/)
    expect(await violations(chat.page)).toEqual([])
    const name = devices.getByRole('textbox', { name: 'Name of this device' })
    await expect(name).toHaveValue(/^Chrome on /)
    await name.fill('Kitchen laptop')
    await name.press('Enter')
    await expect
      .poll(() =>
        tokens
          .edition()
          .cookiesOf('local')
          .map(({ device }) => device),
      )
      .toContain('Kitchen laptop')
    await devices.getByRole('button', { name: 'Sign out Firefox on Linux' }).focus()
    await chat.page.keyboard.press('Enter')
    await expect(devices.getByRole('listitem')).toHaveCount(1)
    await expect(devices.getByRole('heading')).toBeFocused()
    expect(tokens.edition().cookie(other.cookie, other)).toBeUndefined()
    await devices.getByRole('button', { name: 'Sign out', exact: true }).click()
    await expect(chat.page.getByText('This browser is signed out')).toBeVisible()
    expect(tokens.edition().cookiesOf('local')).toEqual([])
  })
}

test('[U432] where nobody signs in there are no devices to show', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  await expect(chat.bubble('Hello')).toBeVisible()
  const devices = await openSettings(chat)
  await expect(chat.page.getByRole('region', { name: 'Servers' })).toContainText('Mounted servers are listed here')
  await expect(devices).toHaveCount(0)
})
