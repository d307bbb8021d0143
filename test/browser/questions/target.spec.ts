import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const chipOf = (chat: Chat) => chat.page.getByRole('button', { name: /^(Message|Reply to|Reason to deny)/ })

for (const look of few(
  [
    { width: 1440, height: 900 },
    { width: 390, height: 844, touch: true, dark: true },
  ],
  33,
)) {
  test(`[U80] [U81] what arrives while one types captures nothing, and the target can be changed (${look.width} px)`, async ({
    hub,
    visit,
    connect,
  }) => {
    await hub.say('work', ['Hello'])
    const chat = await visit('/', look)
    await expect(chipOf(chat)).toBeHidden()
    await chat.composer.fill('Use the second')
    const agent = await connect('work')
    void agent.ask('Which branch?').catch(() => {})
    await expect(chat.dock).toContainText('Which branch?')
    await expect(chipOf(chat)).toHaveText(/^Message/)
    await expect(chat.promise).toHaveText('A message for the agent; its question above stays open')
    expect(await violations(chat.page)).toEqual([])
    await chipOf(chat).click()
    await expect(chipOf(chat)).toHaveText(/^Reply to “Which branch\?”/)
    await expect(chat.composer).toBeFocused()
    await chat.composer.press('Alt+Enter')
    await expect(chipOf(chat)).toHaveText(/^Message/)
    await expect(chat.composer).toHaveValue('Use the second')
    await chat.page.reload()
    await expect(chipOf(chat)).toHaveText(/^Message/)
    await chat.page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(chat.bubble('Use the second').getByRole('img', { name: 'Accepted' })).toBeVisible()
    await expect(chat.promise).toHaveText('Reply to the question')
    const told = await hub.told('work')
    expect(told.at(-1)).toMatchObject({ kind: 'message', text: 'Use the second' })
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
  })
}
