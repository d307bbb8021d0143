import type { Body } from '../../../src/protocol/entries/entry.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

test.use({ killable: true })

const LONG = { timeout: 60_000 }
const question: Body = { kind: 'question', by: 'agent', text: 'Which colour?' }
const hello: Body = { kind: 'message', author: 'assistant', by: 'agent', text: 'Hello' }

/** The worker keeps the page once it has taken over. */
async function isKept(chat: Chat) {
  await chat.page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (!navigator.serviceWorker.controller)
      await new Promise((taken) => navigator.serviceWorker.addEventListener('controllerchange', taken, { once: true }))
  })
}

test('[U132] opened without the hub one goes from one conversation to another and writes in each', async ({
  hub,
  visit,
}) => {
  test.slow()
  await hub.recordAll({ first: [hello, question], second: [hello] })
  const chat = await visit('/#/c/first', { own: true })
  await expect(chat.dock).toBeVisible()
  await chat.composer.fill('Blue')
  await isKept(chat)
  await hub.kill()
  await chat.page.reload()
  await expect(chat.page.getByRole('heading', { name: 'Offline' })).toBeVisible()
  await expect(chat.composer).toHaveValue('Blue')
  await expect(chat.page.getByRole('button', { name: 'Reply to' })).toBeVisible()
  expect(await violations(chat.page)).toEqual([])
  await chat.composer.press('End')
  await chat.composer.pressSequentially(', please')
  await chat.list.getByRole('link', { name: 'second' }).click()
  await expect(chat.composer).toHaveValue('')
  await chat.composer.fill('For the second')
  await chat.list.getByRole('link', { name: 'first' }).click()
  await expect(chat.composer).toHaveValue('Blue, please')
  await chat.composer.press('Enter')
  await expect(chat.bubble('Blue, please').getByRole('img', { name: 'Sending' })).toBeVisible()
  await hub.restart()
  await expect(chat.bubble('Blue, please').getByRole('img', { name: 'Accepted' })).toBeVisible(LONG)
  await expect(chat.bubble('Hello')).toBeVisible()
  const told = await hub.told('first')
  expect(told.filter(({ kind }) => kind === 'settlement')).toMatchObject([{ reply: 'Blue, please' }])
  await chat.list.getByRole('link', { name: 'second' }).click()
  await expect(chat.composer).toHaveValue('For the second')
})

test('[U133] a file that is attached without the hub goes with its message when it is back', async ({ hub, visit }) => {
  test.slow()
  await hub.recordAll({ work: [hello] })
  const chat = await visit('/', { own: true })
  await expect(chat.composer).toBeVisible()
  await isKept(chat)
  await hub.kill()
  await expect(chat.banner).toContainText('reconnecting')
  await chat.page
    .getByLabel('Files to attach')
    .setInputFiles({ name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('Notes') })
  await expect(chat.page.getByRole('list', { name: 'Attached files' }).getByText('Offline')).toBeVisible()
  await chat.reply('Look at this')
  await expect(chat.composer).toHaveValue('Look at this')
  await hub.restart()
  await expect(chat.bubble('Look at this').getByRole('img', { name: 'Accepted' })).toBeVisible(LONG)
  await expect(chat.bubble('Look at this')).toContainText('notes.md')
  expect((await hub.told('work')).filter(({ kind }) => kind === 'message')).toHaveLength(2)
})
