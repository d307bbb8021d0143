import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

function searchOn({ page }: Chat) {
  const dialog = page.getByRole('dialog', { name: 'Search' })
  return {
    dialog,
    button: page.getByRole('button', { name: 'Search', exact: true }),
    input: dialog.getByRole('combobox'),
    hits: dialog.getByRole('option'),
    active: dialog.getByRole('option', { selected: true }),
  }
}

/** Keys count once the page knows that its hub can search. */
async function openBy(chat: Chat, key: string) {
  await expect(searchOn(chat).button).toBeVisible()
  await chat.page.keyboard.press(key)
}

const PHONE = { width: 390, height: 844, dark: true, touch: true }

test('[X8] a button, a slash and Ctrl+K open the search, and Escape closes it', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  const { dialog, button, input } = searchOn(chat)
  await button.click()
  await expect(input).toBeFocused()
  await chat.page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(button).toBeFocused()
  await chat.page.keyboard.press('/')
  await expect(input).toBeFocused()
  await expect(input).toHaveValue('')
  await chat.page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await chat.composer.focus()
  await chat.page.keyboard.type('a/b')
  await expect(dialog).toBeHidden()
  await expect(chat.composer).toHaveValue('a/b')
  await chat.page.keyboard.press('Control+k')
  await expect(input).toBeFocused()
  await dialog.getByRole('button', { name: 'Close the search' }).click()
  await expect(chat.composer).toBeFocused()
})

test('[X8] a press beside the search closes it, and one that only ends there does not', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  const { dialog, button, input } = searchOn(chat)
  await button.click()
  await input.fill('Some words')
  await input.hover()
  await chat.page.mouse.down()
  await chat.page.mouse.move(20, 700)
  await chat.page.mouse.up()
  await expect(input).toBeFocused()
  await chat.page.mouse.click(20, 700)
  await expect(dialog).toBeHidden()
})

test('[X8] hits say who wrote them, where and what matches, and Enter goes to the message', async ({ hub, visit }) => {
  await hub.say(
    'release',
    Array.from({ length: 50 }, (_, n) => (n === 20 ? 'Deploy the website on Friday' : `Line ${n}\n\nmore`)),
  )
  await hub.say('website', ['The deployment failed', 'Try to deploy again'])
  const chat = await visit()
  const { input, hits, active, dialog } = searchOn(chat)
  await openBy(chat, 'Control+k')
  await input.pressSequentially('deploy')
  await expect(hits).toHaveCount(3)
  await expect(hits).toHaveText([/You\s+website.*again/s, /website.*failed/s, /release\s+now\s+Deploy the website/])
  await expect(dialog.locator('mark')).toHaveText(['deploy', 'deploy', 'Deploy'])
  await expect(active).toHaveText(/Try to deploy again/)
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowDown']) await chat.page.keyboard.press(key)
  await expect(active).toHaveText(/Friday/)
  await chat.page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(chat.bubble('Deploy the website on Friday')).toBeInViewport()
  expect(new URL(chat.page.url()).hash).toMatch(/^#\/c\/release\/\d{16}$/)
})

test('[X8] hostile text and queries are shown as they are', async ({ hub, visit }) => {
  await hub.say('work', ['<img src=x onerror=alert(1)> "quoted" text', 'nothing'])
  const chat = await visit()
  const { input, hits, dialog } = searchOn(chat)
  await openBy(chat, '/')
  await input.fill('<img "quoted"')
  await expect(hits).toHaveCount(1)
  await expect(hits).toContainText('<img src=x onerror=alert(1)> "quoted" text')
  await input.fill('" OR * NEAR(')
  await expect(dialog.getByText('No matches for “" OR * NEAR(”.')).toBeVisible()
  await input.fill('')
  await expect(dialog.getByText('Every word has to be there')).toBeVisible()
})

test('[X8] what was found far back is paged in', async ({ hub, visit }) => {
  await hub.say(
    'work',
    Array.from({ length: 70 }, (_, n) => `deploy ${n}`),
  )
  const chat = await visit()
  const { input, hits, dialog } = searchOn(chat)
  await openBy(chat, '/')
  await input.fill('deploy')
  await expect(hits).toHaveCount(30)
  await dialog.getByRole('button', { name: 'Search older messages' }).click()
  await expect(hits).toHaveCount(60)
  for (let n = 0; n < 59; n++) await input.press('ArrowDown')
  await expect(hits.nth(59)).toHaveAttribute('aria-selected', 'true')
  await input.press('ArrowDown')
  await expect(hits).toHaveCount(70)
})

test('[X9] on a phone in the dark it can be used, and axe finds nothing', async ({ hub, visit }) => {
  await hub.say('website', [
    'Shall I deploy the website now, or wait until the tests of the shop have run again on both machines?',
    'The `deploy.sh` script failed:\n\n```\nError: deploy key is missing\n    at deploy (deploy.sh:12)\n```',
  ])
  await hub.say('A rather long name of a conversation that has to be cut somewhere', ['deploy', 'Deployed.'])
  const chat = await visit('/', PHONE)
  const { input, hits, dialog, button } = searchOn(chat)
  await chat.page.getByRole('button', { name: 'Show the conversations' }).tap()
  await button.tap()
  await expect(chat.list).toBeHidden()
  await expect(input).toBeFocused()
  expect(await violations(chat.page)).toEqual([])
  await input.fill('deploy')
  await expect(hits).toHaveCount(4)
  expect(await violations(chat.page)).toEqual([])
  expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
  for (const target of [...(await hits.all()), dialog.getByRole('button', { name: 'Close the search' })]) {
    const box = await target.boundingBox()
    expect(box?.height).toBeGreaterThanOrEqual(44)
  }
  await input.fill('nowhere to be found')
  await expect(dialog.getByText('No matches for')).toBeVisible()
  await input.fill('script failed')
  await expect(hits.first()).toContainText('script failed')
  await hits.first().tap()
  await expect(dialog).toBeHidden()
  await expect(chat.bubble('script failed')).toBeInViewport()
})

test('[X9] nobody loads the search before it is opened', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit('/favicon.svg')
  const loaded: string[] = []
  chat.page.on('request', (request) => loaded.push(request.url()))
  await chat.page.goto(hub.url)
  await expect(chat.bubble('Hello')).toBeVisible()
  expect(loaded.filter((url) => url.includes('SearchDialog'))).toEqual([])
  await openBy(chat, '/')
  await expect(searchOn(chat).input).toBeFocused()
  expect(loaded.filter((url) => url.includes('SearchDialog')).length).toBeGreaterThan(0)
})

test('[X9] what is typed before the search is there is looked for, and allows nothing', async ({ hub, visit }) => {
  const approval = { tool_name: 'Bash', input: '{"command":"ls"}' }
  await hub.record('work', [{ kind: 'question', by: 'claude', text: 'May I?', approval }])
  // Without the service worker, which would have the search already.
  const chat = await visit('/favicon.svg')
  const { promise: wanted, resolve: isWanted } = Promise.withResolvers<void>()
  const { promise: typed, resolve: isTyped } = Promise.withResolvers<void>()
  await chat.page.route(/SearchDialog.*\.js/, async (route) => {
    isWanted()
    await typed
    await route.continue()
  })
  await chat.page.goto(`${hub.url}/#/c/work`)
  await expect(chat.dock).toContainText('wants to use Bash')
  await chat.page.keyboard.press('Control+k')
  await wanted
  await chat.page.keyboard.type('allow me')
  isTyped()
  await expect(searchOn(chat).input).toHaveValue('allow me')
  await chat.page.keyboard.type('?')
  await expect(searchOn(chat).input).toHaveValue('allow me?')
  expect(await hub.told('work')).toHaveLength(1)
})

test('[X10] where the hub cannot search, the page offers none', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit('/favicon.svg', { changed: true })
  await chat.page.routeWebSocket(/\/ws/, (ws) => {
    const server = ws.connectToServer()
    server.onMessage((data) => ws.send(String(data).replace('"search":true', '"search":false')))
  })
  await chat.page.goto(hub.url)
  await expect(chat.bubble('Hello')).toBeVisible()
  await expect(searchOn(chat).button).toBeHidden()
  await chat.page.locator('body').press('/')
  await chat.page.keyboard.press('Control+k')
  await expect(searchOn(chat).dialog).toBeHidden()
})
