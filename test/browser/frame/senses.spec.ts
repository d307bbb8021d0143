import { expect, test } from '../support/fixture.ts'

test('[U70] however much is new, it is said in a few words', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  await expect(chat.bubble('Hello')).toBeVisible()
  const news = chat.page.getByRole('log', { name: 'News' })
  await expect(news).toBeEmpty()
  await hub.report('work', ['The first'])
  await expect(news).toHaveText('Local says: The first')
  // The next ones wait until the first is read out, however long each of them takes to come.
  const told = Array.from({ length: 30 }, (_, n) => hub.report('work', [`Line ${n}.`]))
  await Promise.all([expect(news).toHaveText(/^\d+ new messages$/), ...told])
})

test('[U70] for someone who wants less motion nothing moves by itself', async ({ hub, visit }) => {
  await hub.say(
    'work',
    Array.from({ length: 80 }, (_, n) => `Line ${n}.`),
  )
  const chat = await visit()
  await chat.page.emulateMedia({ reducedMotion: 'reduce' })
  await chat.page.reload()
  await expect(chat.bubble('Line 79.')).toBeInViewport()
  await chat.timeline.press('Home')
  await chat.marked('Line 0.')
  const moving = await chat.timeline.evaluate((node) => node.getAnimations({ subtree: true }).length)
  expect(moving).toBe(0)
  await expect(chat.timeline).toHaveCSS('scroll-behavior', 'auto')
  await expect(chat.timeline.locator('.marked')).toHaveCount(0)
})

test('[U70] a keyboard alone opens, copies, jumps and comes back', async ({ hub, visit }) => {
  await hub.say('work', ['Before', '```ts\nconst a = 1\n```', 'After'])
  const chat = await visit()
  // What one can do with a message comes with the composer.
  await expect(chat.composer).toBeVisible()
  await chat.timeline.focus()
  const reached: string[] = []
  for (let step = 0; step < 20; step++) {
    await chat.page.keyboard.press('Tab')
    reached.push(
      await chat.page.evaluate(() => {
        const { activeElement } = document
        return activeElement?.ariaLabel ?? activeElement?.textContent?.trim() ?? ''
      }),
    )
  }
  for (const name of ['Today', 'Quote this message', 'Copy the link to this message', 'Wrap', 'Copy', 'const a = 1']) {
    expect(reached).toContain(name)
  }
})
