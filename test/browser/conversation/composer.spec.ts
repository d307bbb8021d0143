import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true },
  { width: 390, height: 844, touch: true, dark: true },
]

const button = (chat: Chat, name: string) => chat.page.getByRole('button', { name, exact: true })

/** Written to, and nothing of it arrives. */
async function isClosed(chat: Chat) {
  await expect(chat.composer).toHaveAttribute('aria-disabled', 'true')
  await expect(chat.composer).not.toBeEditable()
  const before = await chat.composer.inputValue()
  await chat.composer.focus()
  await chat.page.keyboard.type('Hello?')
  await chat.page.keyboard.press('Enter')
  await expect(chat.composer).toHaveValue(before)
}

/** Also on touch, where Enter is a new line. */
async function answer(chat: Chat, text: string) {
  await chat.composer.fill(text)
  await chat.composer.press('Control+Enter')
}

async function wantWriting(chat: Chat, when: string, { width = 1280 } = {}) {
  if (width < 820) await chat.page.getByRole('button', { name: 'Show the conversations' }).click()
  await button(chat, 'Settings').click()
  const dialog = chat.page.getByRole('dialog', { name: 'Settings' })
  await dialog.getByText(when, { exact: true }).click()
  await expect(dialog.getByRole('radio', { name: when, exact: true })).toBeChecked()
  expect(await violations(chat.page)).toEqual([])
  await chat.page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  if (width < 820) await chat.page.keyboard.press('Escape')
}

test.describe('on a hub where people write when they are asked', () => {
  test.use({ given: { composer: 'when-asked' } })

  for (const look of few(LOOKS, 5)) {
    const kind = `${look.width} px${look.dark ? ', dark' : ''}`

    test(`[U72] the composer is open while an agent asks, and says why when it is not (${kind})`, async ({
      connect,
      visit,
    }) => {
      test.slow()
      const agent = await connect('work')
      const chat = await visit('/', look)
      for (const text of ['First?', 'Second?']) {
        const asked = agent.ask(text)
        await expect(chat.dock).toBeVisible()
        await expect(chat.composer).toBeEditable()
        await expect(chat.composer).toHaveAttribute('aria-disabled', 'false')
        await answer(chat, 'Yes')
        expect(await asked).toBe('Yes')
        await isClosed(chat)
        await expect(chat.composer).toBeFocused()
        await expect(chat.composer).toHaveAttribute('placeholder', 'Waiting for a question from Test Agent')
        await expect(chat.promise).toHaveText('You can write when the agent asks')
        await expect(chat.composer).toHaveAccessibleDescription('You can write when the agent asks')
        await expect(chat.timeline.getByRole('article').filter({ hasText: 'Hello?' })).toHaveCount(0)
      }
      expect(await violations(chat.page)).toEqual([])
    })
  }

  test('[U72] files can be attached only while an agent asks', async ({ hub, connect, visit }) => {
    await hub.say('work', ['Hello'])
    const chat = await visit()
    await expect(button(chat, 'Attach files')).toHaveAttribute('aria-disabled', 'true')
    const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') }
    const drop = () =>
      chat.page.evaluate(() => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['Notes'], 'notes.txt'))
        const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
        document.body.dispatchEvent(event)
        return event.defaultPrevented
      })
    expect(await drop()).toBe(true)
    const asked = (await connect('work')).ask('Which notes?')
    await expect(chat.dock).toBeVisible()
    await expect(chat.page.getByRole('list', { name: 'Attached files' })).toHaveCount(0)
    const choosing = chat.page.waitForEvent('filechooser')
    await button(chat, 'Attach files').click()
    await (await choosing).setFiles(notes)
    await expect(chat.page.getByRole('list', { name: 'Attached files' })).toContainText('notes.txt')
    await chat.reply('These')
    expect(await asked).toContain('These')
  })

  test('[U74] Stop works while nobody asks, and a draft waits for the next question', async ({ connect, visit }) => {
    const chat = await visit()
    const agent = await connect('work')
    const elsewhere = await visit()
    const asked = agent.ask('Begin?', ['Yes'])
    await chat.composer.fill('half a sen')
    // By a tap: what is typed there would be the draft here, too.
    await elsewhere.dock.getByRole('button', { name: 'Yes' }).click()
    await elsewhere.sendNow()
    await asked
    await isClosed(chat)
    await expect(chat.composer).toHaveValue('half a sen')
    await chat.page.reload()
    await expect(chat.composer).toHaveValue('half a sen')
    await chat.composer.press('Control+Shift+Enter')
    expect(await agent.call('Done.')).toMatchObject({ status: 'interrupted', message: expect.stringContaining('Stop') })
    await expect(chat.composer).toHaveValue('half a sen')
    const again = agent.ask('Go on?')
    await expect(chat.composer).toBeEditable()
    await chat.composer.press('End')
    await chat.composer.pressSequentially('tence')
    await chat.composer.press('Enter')
    expect(await again).toBe('half a sentence')
  })

  test('[U74] the button stops too, and the key that leads to the composer does no harm', async ({
    connect,
    visit,
  }) => {
    const chat = await visit()
    const agent = await connect('work')
    const asked = agent.ask('Begin?')
    await expect(chat.dock).toBeVisible()
    await chat.reply('Yes')
    await asked
    await button(chat, 'Stop').click()
    await expect(chat.promise).toHaveText('Stops at the agent’s next call')
    await expect(chat.composer).toBeFocused()
    await chat.timeline.focus()
    await chat.page.keyboard.press('c')
    await isClosed(chat)
    expect(await agent.call('Done.')).toMatchObject({ status: 'interrupted' })
  })

  test('[U73] this browser can be told otherwise, which stays and goes back', async ({ hub, visit }) => {
    await hub.say('work', ['Hello'])
    const chat = await visit()
    await isClosed(chat)
    await wantWriting(chat, 'Always')
    await chat.reply('I can write')
    await expect(chat.bubble('I can write')).toBeVisible()
    await chat.page.reload()
    await expect(chat.composer).toBeEditable()
    await wantWriting(chat, 'As set on the hub')
    await isClosed(chat)
  })
})

for (const look of few(LOOKS, 6)) {
  const kind = `${look.width} px${look.dark ? ', dark' : ''}`

  test(`[U73] on any hub this browser can write only when asked (${kind})`, async ({ hub, connect, visit }) => {
    await hub.say('work', ['Hello'])
    const chat = await visit('/', look)
    await expect(chat.composer).toBeEditable()
    await wantWriting(chat, 'Only when asked', look)
    await isClosed(chat)
    await expect(chat.composer).toHaveAttribute('placeholder', 'Waiting for a question from the agent')
    await chat.page.reload()
    await isClosed(chat)
    const asked = (await connect('work')).ask('Ready?')
    await expect(chat.composer).toBeEditable()
    await answer(chat, 'Yes')
    expect(await asked).toBe('Yes')
  })
}
