import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const LOOKS = [
  { width: 1440, height: 900 },
  { width: 820, height: 1000, dark: true },
  { width: 390, height: 844, touch: true, dark: true },
]

const want = (input: object): Body => {
  const approval = { tool_name: 'Bash', input: JSON.stringify(input) }
  return { kind: 'question', by: 'codex-mcp-client', text: 'May I?', approval }
}
const dialog = (chat: Chat) => chat.page.getByRole('dialog', { name: 'Codex wants to use Bash' })
const button = (chat: Chat, name: string) => dialog(chat).getByRole('button', { name })

/** The person who decides sees this conversation, and it stays. */
async function visitQuiet(visit: (path: string, look: object) => Promise<Chat>, look: object) {
  const chat = await visit('/#/c/quiet', look)
  await expect(chat.composer).toBeVisible()
  return chat
}

for (const look of few(LOOKS, 1)) {
  test(`[U405] a call is allowed and denied from the list, and the conversation stays (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    for (const name of ['first', 'second']) await hub.record(name, [want({ command: `npm run ${name}` })])
    await hub.say('quiet', ['Hello'])
    const chat = await visitQuiet(visit, look)
    const decide = async (name: string) => {
      const menu = chat.page.getByRole('button', { name: /^Show the conversations/ })
      if (look.width < 820 && !(await chat.list.isVisible())) await menu.click()
      const opener = chat.list.getByRole('button', { name: `Decide on the call in ${name}` })
      await expect(opener).toBeInViewport({ ratio: 1 })
      await opener.click()
      await expect(dialog(chat)).toContainText(`npm run ${name}`)
    }
    await decide('first')
    expect(await violations(chat.page)).toEqual([])
    await expect(button(chat, 'Allow once')).toHaveAttribute('aria-disabled', 'false')
    await button(chat, 'Allow once').click()
    await expect(dialog(chat)).toBeHidden()
    await expect.poll(async () => (await hub.told('first')).at(-1)).toMatchObject({ outcome: 'approved' })
    await decide('second')
    await expect(dialog(chat)).toContainText('second')
    await dialog(chat).getByRole('textbox', { name: 'Reason to deny' }).fill('a day too late')
    await expect(button(chat, 'Deny with this reason')).toBeInViewport({ ratio: 1 })
    expect(await violations(chat.page)).toEqual([])
    await button(chat, 'Deny').first().click()
    const denied = { outcome: 'denied', reason: 'a day too late' }
    await expect.poll(async () => (await hub.told('second')).at(-1)).toMatchObject(denied)
    await expect(dialog(chat)).toBeHidden()
    await expect(chat.page.getByRole('heading', { level: 1 })).toHaveText('quiet')
    await expect(chat.list.getByRole('link', { name: 'first' })).toContainText('Allowed Bash: npm run first')
  })
}

test('[U405] there, too, nothing is allowed unseen or at once, and a card that somebody else decided on goes', async ({
  hub,
  visit,
}) => {
  const [id = ''] = await hub.record('first', [want({ command: `echo ${'word '.repeat(4000)}` })])
  await hub.say('quiet', ['Hello'])
  const chat = await visitQuiet(visit, {})
  const opener = chat.list.getByRole('button', { name: 'Decide on the call in first' })
  await opener.focus()
  await chat.page.keyboard.press('Enter')
  await expect(dialog(chat)).toContainText('Scroll to the end before you allow it')
  await button(chat, 'Allow once').click({ force: true })
  await chat.page.keyboard.press('1')
  expect(await hub.told('first')).toHaveLength(1)
  const other = await visit('/#/c/first')
  await other.dock.getByRole('button', { name: 'Deny' }).click()
  await other.composer.press('Enter')
  await expect.poll(async () => (await hub.told('first')).at(-1)).toMatchObject({ question: id, outcome: 'denied' })
  await expect(dialog(chat)).toBeHidden()
  await expect(opener).toHaveCount(0)
})

test('[U405] a reason is sent by Enter, what is refused is shown again with it, and nothing is denied by Enter alone', async ({
  hub,
  visit,
}) => {
  await hub.record('first', [want({ command: 'npm test' })])
  await hub.say('quiet', ['Hello'])
  const chat = await visit('/favicon.svg', { own: true })
  let isRefusing = true
  await chat.page.routeWebSocket(/\/ws/, (page) => {
    const server = page.connectToServer()
    page.onMessage((message) => {
      const { type, key } = JSON.parse(String(message))
      if (type !== 'deny' || !isRefusing) return server.send(message)
      page.send(JSON.stringify({ type: 'refused', key, code: 'rate_limited', error: 'Too much at once' }))
    })
  })
  await chat.page.goto(`${hub.url}/#/c/quiet`)
  await chat.list.getByRole('button', { name: 'Decide on the call in first' }).click()
  const reason = dialog(chat).getByRole('textbox', { name: 'Reason to deny' })
  await reason.press('Enter')
  await reason.fill('Not now')
  await reason.press('Enter')
  await expect(dialog(chat).getByRole('alert')).toHaveText('Too much at once')
  await expect(reason).toHaveValue('Not now')
  expect(await hub.told('first')).toHaveLength(1)
  isRefusing = false
  await button(chat, 'Deny with this reason').click()
  await expect
    .poll(async () => (await hub.told('first')).at(-1))
    .toMatchObject({ outcome: 'denied', reason: 'Not now' })
  await expect(dialog(chat)).toBeHidden()
})

test('[U455] a key leads to the reason, and to deny with one takes no pointer', async ({ hub, visit }) => {
  for (const name of ['first', 'second']) await hub.record(name, [want({ command: `npm run ${name}` })])
  await hub.say('quiet', ['Hello'])
  const chat = await visitQuiet(visit, {})
  const { keyboard } = chat.page
  const reason = dialog(chat).getByRole('textbox', { name: 'Reason to deny' })
  const opener = chat.list.getByRole('button', { name: 'Decide on the call in first' })
  await opener.focus()
  await keyboard.press('Enter')
  await expect(dialog(chat)).toContainText('npm run first')
  await keyboard.press('r')
  await expect(reason).toBeFocused()
  // What is written is no command, and Escape leads back to the card.
  await keyboard.type('a d r 1')
  await keyboard.press('Escape')
  await expect(reason).not.toBeFocused()
  await expect(dialog(chat)).toBeVisible()
  await keyboard.press('r')
  await expect(reason).toBeFocused()
  await keyboard.press('Enter')
  await expect(dialog(chat)).toBeHidden()
  const denied = { outcome: 'denied', reason: 'a d r 1' }
  await expect.poll(async () => (await hub.told('first')).at(-1)).toMatchObject(denied)
  expect(await hub.told('second')).toHaveLength(1)
})

test('[U455] the same where all are answered one after the other', async ({ hub, visit }) => {
  await hub.record('first', [want({ command: 'npm run first' })])
  await hub.say('quiet', ['Hello'])
  const chat = await visitQuiet(visit, {})
  const { keyboard } = chat.page
  const reason = dialog(chat).getByRole('textbox', { name: 'Reason to deny' })
  await chat.list.getByRole('button', { name: /^Answer/ }).click()
  await expect(dialog(chat)).toBeVisible()
  await keyboard.press('r')
  await expect(reason).toBeFocused()
  await keyboard.type('Later')
  await keyboard.press('Enter')
  await expect.poll(async () => (await hub.told('first')).at(-1)).toMatchObject({ outcome: 'denied', reason: 'Later' })
})
