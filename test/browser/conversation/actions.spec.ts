import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const button = (chat: Chat, name: string) => chat.bubble('One').getByRole('button', { name })

test('[U106] a message is copied and quoted, below what is written already', async ({ hub, visit }) => {
  await hub.record('work', [{ kind: 'message', author: 'assistant', by: 'agent', text: 'One **two**\n\nthree' }])
  const chat = await visit('/', { own: true })
  await chat.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await chat.bubble('One').hover()
  // It says so for a moment only.
  await Promise.all([expect(button(chat, 'Text copied')).toBeVisible(), button(chat, 'Copy the text').click()])
  expect(await chat.page.evaluate(() => navigator.clipboard.readText())).toBe('One **two**\n\nthree')
  await chat.composer.fill('About this:')
  await chat.bubble('One').hover()
  await button(chat, 'Quote').click()
  await expect(chat.composer).toBeFocused()
  await expect(chat.composer).toHaveValue('About this:\n\n> One **two**\n>\n> three\n\n')
})

test('[U106] on touch a button or a long press brings what one can do', async ({ hub, visit }) => {
  await hub.record('work', [{ kind: 'message', author: 'assistant', by: 'agent', text: 'One **two**' }])
  const chat = await visit('/', { width: 390, height: 844, touch: true, dark: true })
  await expect(button(chat, 'More about')).toBeVisible()
  await expect(button(chat, 'Quote')).toBeHidden()
  await button(chat, 'More about').click()
  await expect(button(chat, 'Quote')).toBeVisible()
  expect(await violations(chat.page)).toEqual([])
  for (const name of ['Copy the text', 'Quote', 'Copy the link'])
    expect((await button(chat, name).boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await chat.composer.click()
  await expect(button(chat, 'Quote')).toBeHidden()
  await chat.bubble('One').evaluate((message) => {
    const press = { bubbles: true, cancelable: true, pointerType: 'touch' }
    message.querySelector('p')?.dispatchEvent(new PointerEvent('contextmenu', press))
  })
  await button(chat, 'Quote').click()
  await expect(chat.composer).toHaveValue('> One **two**\n\n')
})
