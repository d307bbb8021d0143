import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

test.use({ killable: true })

/** Longer than words are taken for after the hub went away. */
const LONG = { timeout: 60_000 }
const OPTIONS: Body = {
  kind: 'question',
  by: 'agent',
  text: 'Which one?',
  options: [{ label: 'Left' }, { label: 'Right' }],
}

/** The worker keeps the page once it has taken over. */
async function isKept(chat: Chat) {
  await chat.page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (!navigator.serviceWorker.controller)
      await new Promise((taken) => navigator.serviceWorker.addEventListener('controllerchange', taken, { once: true }))
  })
}

test('[U50] without the hub words are queued, and what is tapped is read-only after a while', async ({
  hub,
  visit,
}) => {
  test.slow()
  await hub.record('work', [OPTIONS])
  const chat = await visit('/', { own: true })
  const left = chat.dock.getByRole('button', { name: 'Left' })
  await expect(chat.dock).toBeVisible()
  await chat.composer.fill('half a sen')
  await hub.kill()
  await expect(chat.banner).toContainText('reconnecting')
  await expect(chat.banner).toContainText('trying again', LONG)
  await expect(left).toHaveAttribute('aria-disabled', 'true')
  await expect(chat.page.locator('header')).toContainText('Offline')
  await left.click({ force: true })
  await expect(chat.dock).toContainText('Right')
  await expect(chat.promise).toContainText(/sent when the hub is back/i)
  expect(await violations(chat.page)).toEqual([])
  await chat.page.emulateMedia({ colorScheme: 'dark' })
  expect(await violations(chat.page)).toEqual([])
  await chat.composer.focus()
  await chat.page.keyboard.press('End')
  await chat.page.keyboard.type('tence')
  await chat.page.keyboard.press('Enter')
  await expect(chat.bubble('half a sentence').getByRole('img', { name: 'Sending' })).toBeVisible()
  await hub.restart()
  await expect(chat.bubble('half a sentence').getByRole('img', { name: 'Accepted' })).toBeVisible(LONG)
  await expect
    .poll(() => hub.told('work'))
    .toMatchObject([{ kind: 'question' }, { kind: 'settlement', reply: 'half a sentence' }])
})

test('[U50] a denial waits for the hub in the composer', async ({ hub, visit }) => {
  test.slow()
  const approval = { tool_name: 'Bash', input: '{"command":"ls"}' }
  await hub.record('work', [{ kind: 'question', by: 'agent', text: 'Allow?', approval }])
  const chat = await visit('/', { own: true })
  await chat.dock.getByRole('button', { name: /Deny/ }).click()
  await chat.composer.fill('Not now')
  await hub.kill()
  await expect(chat.banner).toContainText('trying again', LONG)
  await chat.composer.press('Enter')
  await expect(chat.composer).toHaveValue('Not now')
  await hub.restart()
  await expect(chat.banner).not.toContainText('trying again', LONG)
  await chat.composer.press('Enter')
  await expect(chat.composer).toHaveValue('')
  await expect.poll(() => hub.told('work')).toMatchObject([{}, { outcome: 'denied', reason: 'Not now' }])
})

test('[U50] [U404] a browser that is signed out says so, keeps what is written and sends nothing', async ({
  hub,
  visit,
}) => {
  await hub.say('work', ['Hello'])
  const chat = await visit('/', { own: true })
  await expect(chat.bubble('Hello')).toBeVisible()
  await hub.token('create', 'ada', '--role', 'human')
  await expect(chat.page.getByText('This browser is signed out')).toBeVisible()
  await expect(chat.page.locator('header')).toContainText('Signed out')
  await expect(chat.promise).toHaveText('What you write is kept until you can send it')
  await chat.reply('Kept here')
  await expect(chat.composer).toHaveValue('Kept here')
})

test('[U51] words that were queued survive a reload and are said once', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit('/', { own: true })
  await expect(chat.bubble('Hello')).toBeVisible()
  await isKept(chat)
  await hub.kill()
  await expect(chat.banner).toContainText('reconnecting')
  await chat.reply('Written offline')
  await expect(chat.bubble('Written offline').getByRole('img', { name: 'Sending' })).toBeVisible()
  await chat.page.reload()
  await expect(chat.bubble('Written offline').getByRole('img', { name: 'Sending' })).toBeVisible()
  await hub.restart()
  await expect(chat.bubble('Written offline').getByRole('img', { name: 'Accepted' })).toBeVisible(LONG)
  await expect(chat.bubble('Hello')).toBeVisible()
  await chat.page.reload()
  await expect(chat.bubble('Written offline')).toHaveCount(1)
  expect(await hub.told('work')).toHaveLength(2)
})

for (const look of few(
  [
    { width: 1440, height: 900 },
    { width: 390, height: 844, touch: true, dark: true },
  ],
  19,
)) {
  test(`[U52] without its hub the page opens, says so, and connects by itself (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    await hub.say('work', ['Hello'])
    const chat = await visit('/', { ...look, own: true })
    await expect(chat.bubble('Hello')).toBeVisible()
    await isKept(chat)
    await hub.kill()
    await chat.page.reload()
    await expect(chat.page.getByRole('heading', { name: 'Offline' })).toBeVisible()
    expect(await violations(chat.page)).toEqual([])
    await hub.restart()
    await expect(chat.bubble('Hello')).toBeVisible(LONG)
    await expect(chat.page.getByRole('heading', { name: 'Offline' })).toBeHidden()
  })
}

test('[U52] the page of a hub that answers is always its own, and an open one is told of a newer', async ({
  hub,
  visit,
}) => {
  await hub.say('work', ['Hello'])
  const chat = await visit('/', { own: true })
  await expect(chat.bubble('Hello')).toBeVisible()
  await isKept(chat)
  // As after an update: another page with other files.
  await chat.page
    .context()
    .route(`${hub.url}/`, (route) => route.fulfill({ contentType: 'text/html', body: '<p>The new page' }))
  await hub.kill()
  await expect(chat.banner).toContainText('reconnecting')
  await hub.restart()
  await expect(chat.banner).toContainText('Parley was updated', LONG)
  await chat.page.getByRole('button', { name: 'Reload' }).click()
  await expect(chat.page.getByText('The new page')).toBeVisible()
})

test('[U53] the page can be installed', async ({ hub, visit }) => {
  const chat = await visit('/', { own: true })
  const address = await chat.page.locator('link[rel="manifest"]').getAttribute('href')
  const manifest = await fetch(hub.url + address)
  expect(manifest.headers.get('content-type')).toContain('application/manifest+json')
  const { icons, start_url } = (await manifest.json()) as { icons: { src: string; type: string }[]; start_url: string }
  expect(start_url).toBe('/')
  for (const { src, type } of icons) expect((await fetch(hub.url + src)).headers.get('content-type')).toBe(type)
  const worker = await fetch(`${hub.url}/sw.js`)
  expect(worker.headers.get('content-type')).toContain('javascript')
  expect(worker.headers.get('cache-control')).toBe('no-cache')
  const session = await chat.page.context().newCDPSession(chat.page)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
})

test('[U53] the worker leaves signing in to the hub', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit('/', { own: true })
  await expect(chat.bubble('Hello')).toBeVisible()
  await isKept(chat)
  await hub.token('create', 'ada', '--role', 'human')
  await chat.page.goto(await hub.token('link', 'ada'))
  await chat.page.getByRole('button', { name: /sign in/i }).click()
  await expect(chat.bubble('Hello')).toBeVisible()
  await chat.page.goto(`${hub.url}/healthz`)
  await expect(chat.page.locator('body')).not.toBeEmpty()
})
