import { allow, eavesdrop, type Heard, heard, hide, listenTo } from '../support/eavesdrop.ts'
import { expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

test('[U44] the title of the tab names the conversation and counts the open questions, as its icon does', async ({
  connect,
  visit,
}) => {
  const chat = await visit('/', { changed: true })
  const icon = chat.page.locator('link[rel="icon"]')
  await expect(icon).toHaveAttribute('href', '/favicon.svg')
  await expect(chat.page).toHaveTitle('Parley')
  const [one, two] = [await connect('one'), await connect('two')]
  void one.ask('First?').catch(() => {})
  await expect(chat.page).toHaveTitle('(1) one')
  void two.ask('Second?').catch(() => {})
  await expect(chat.page).toHaveTitle('(2) one')
  await expect(icon).toHaveAttribute('href', /^data:image\/svg\+xml,.*%3E2%3C/)
  await expect(chat.page.getByRole('heading', { level: 1 })).toHaveText('one')
  await chat.reply('Yes')
  await expect(icon).toHaveAttribute('href', /%3E1%3C/)
  await chat.list.getByRole('link', { name: 'two' }).click()
  await expect(chat.page).toHaveTitle('(1) two')
})

test('[U45] a question that comes while the page is hidden is notified, once allowed, and a click shows it', async ({
  hub,
  connect,
  visit,
}) => {
  await hub.say('shown', ['Hello'])
  const chat = await visit('/', { changed: true })
  await listenTo(chat)
  await expect(chat.bubble('Hello')).toBeVisible()
  expect((await heard(chat)).asked).toBe(0)
  await allow(chat)
  expect((await heard(chat)).asked).toBe(1)
  const [one, two] = [await connect('one'), await connect('two')]
  void one.ask('While you look?').catch(() => {})
  await expect(chat.page).toHaveTitle(/^\(1\) /)
  await hide(chat, true)
  void two.ask('While you **do not**?').catch(() => {})
  await expect.poll(async () => (await heard(chat)).shown).toMatchObject([{ title: 'two', body: 'While you do not?' }])
  await expect.poll(async () => (await heard(chat)).sounds).toBe(1)
  await chat.page.evaluate(() => (window as unknown as { heard: Heard }).heard.shown[0]?.onclick?.())
  await hide(chat, false)
  await expect(chat.bubble('While you do not?')).toBeVisible()
})

/** Runs in the page before it does: a sound does not end, so that a tab which hears late hears that one plays. */
function playOn() {
  Object.defineProperty(AudioScheduledSourceNode.prototype, 'onended', { set() {} })
}

test('[U45] of several hidden tabs one plays the sound', async ({ hub, connect, visit }) => {
  await hub.say('shown', ['Hello'])
  const chat = await visit('/', { changed: true })
  const tabs = [chat.page, await chat.page.context().newPage()]
  for (const page of tabs) {
    await page.addInitScript(eavesdrop)
    await page.addInitScript(playOn)
    await page.goto(hub.url)
    await page.getByRole('textbox', { name: 'Message' }).click()
    await hide({ page }, true)
  }
  void (await connect('new')).ask('Do you hear me?').catch(() => {})
  for (const page of tabs) await expect(page).toHaveTitle(/^\(1\) /)
  const sounds = async () => (await Promise.all(tabs.map((page) => heard({ page })))).map((each) => each.sounds)
  await expect.poll(async () => (await sounds()).reduce((sum, each) => sum + each)).toBe(1)
})

test('[U45] neither history nor a reconnect calls anyone, and nobody is asked on load', async ({
  hub,
  connect,
  visit,
}) => {
  const agent = await connect('old')
  const chat = await visit('/', { changed: true })
  void agent.ask('Already there?').catch(() => {})
  await expect(chat.dock).toBeVisible()
  await listenTo(chat)
  await expect(chat.dock).toBeVisible()
  await allow(chat)
  await hide(chat, true)
  await hub.record('missed', [{ kind: 'question', by: 'agent', text: 'Asked while it was away?' }])
  await expect(chat.page).toHaveTitle(/^\(2\) /)
  expect(await heard(chat)).toMatchObject({ sounds: 0, shown: [] })
  void (await connect('new')).ask('Now?').catch(() => {})
  await expect.poll(async () => (await heard(chat)).shown).toMatchObject([{ body: 'Now?' }])
  await chat.page.reload()
  await expect(chat.page).toHaveTitle(/^\(3\) /)
  expect(await heard(chat)).toMatchObject({ asked: 0, sounds: 0, shown: [] })
})

test('[U45] sound and notifications can be turned off', async ({ connect, visit }) => {
  const chat = await visit('/', { changed: true })
  await listenTo(chat)
  await allow(chat)
  await chat.page.getByRole('button', { name: 'Settings' }).click()
  await chat.page.getByRole('checkbox', { name: 'Notify me' }).uncheck()
  await chat.page.getByRole('checkbox', { name: 'Play a sound' }).uncheck()
  await chat.page.keyboard.press('Escape')
  await expect(chat.page.getByRole('dialog')).toBeHidden()
  await hide(chat, true)
  void (await connect('quiet')).ask('Quietly?').catch(() => {})
  await expect(chat.page).toHaveTitle(/^\(1\) /)
  await chat.page.reload()
  await chat.page.getByRole('button', { name: 'Settings' }).click()
  await expect(chat.page.getByRole('checkbox', { name: 'Play a sound' })).not.toBeChecked()
  expect(await heard(chat)).toMatchObject({ sounds: 0, shown: [] })
})

for (const answer of ['Tell me next time', 'No thanks']) {
  test(`[U100] notifications are offered once, after a question that was missed (${answer})`, async ({
    connect,
    hub,
    visit,
  }) => {
    await hub.say('shown', ['Hello'])
    const chat = await visit('/', { changed: true, width: 390, height: 844, dark: answer === 'No thanks' })
    await listenTo(chat)
    const offer = chat.page.getByRole('region', { name: 'Notifications' })
    await expect(chat.bubble('Hello')).toBeVisible()
    void (await connect('seen')).ask('While you look?').catch(() => {})
    await expect(chat.page).toHaveTitle('(1) shown')
    await expect(offer).toHaveCount(0)
    await hide(chat, true)
    void (await connect('missed')).ask('While you do not?').catch(() => {})
    await expect(chat.page).toHaveTitle('(2) shown')
    await hide(chat, false)
    await expect(offer).toContainText('A question came while you were away')
    expect(await violations(chat.page)).toEqual([])
    expect((await heard(chat)).asked).toBe(0)
    await chat.page.reload()
    await offer.getByRole('button', { name: answer }).click()
    await expect(offer).toHaveCount(0)
    await expect.poll(async () => (await heard(chat)).asked).toBe(answer === 'No thanks' ? 0 : 1)
    await hide(chat, true)
    void (await connect('again')).ask('And now?').catch(() => {})
    await expect(chat.page).toHaveTitle('(3) shown')
    await hide(chat, false)
    await chat.page.reload()
    await expect(chat.page).toHaveTitle('(3) shown')
    await expect(offer).toHaveCount(0)
    await chat.page.getByRole('button', { name: 'Show the conversations' }).click()
    await chat.page.getByRole('button', { name: 'Settings' }).click()
    const notify = chat.page.getByRole('checkbox', { name: 'Notify me' })
    await expect(notify).toBeChecked({ checked: answer !== 'No thanks' })
  })
}
