import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const lines = (count: number) =>
  Array.from({ length: count }, (_, n): Body => {
    return { kind: 'message', author: 'assistant', by: 'agent', text: `Line ${n}.` }
  })

for (const look of few(
  [
    { width: 820, height: 900, dark: true },
    { width: 390, height: 844, touch: true },
  ],
  15,
)) {
  test(`[U62] a link to a message opens the conversation around it and marks it for a moment (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    const ids = await hub.record('website', lines(1000))
    const chat = await visit(`/#/c/website/${ids[321]}`, look)
    const row = chat.timeline.locator('.marked')
    await chat.marked('Line 321.')
    await expect(chat.timeline.locator('.row').filter({ hasText: 'Line 321.' })).toBeFocused()
    await expect(chat.bubble('Line 321.')).toBeInViewport()
    await expect(row).toHaveCount(0)
    expect(await violations(chat.page)).toEqual([])
    await chat.page.getByRole('button', { name: 'Newest' }).click()
    await expect(chat.bubble('Line 999.')).toBeInViewport()
    await expect(chat.page).toHaveURL(/#\/c\/website$/)
  })
}

test('[U62] each message has a link to copy, which works in another browser and in the same one', async ({
  hub,
  visit,
}) => {
  const ids = await hub.record('a/b', lines(400))
  const chat = await visit()
  await chat.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const bubble = chat.bubble('Line 398.')
  await bubble.hover()
  // It says so for a moment only.
  await Promise.all([
    expect(bubble.getByRole('button', { name: 'Link copied' })).toBeVisible(),
    bubble.getByRole('button', { name: 'Copy the link' }).click(),
  ])
  const link = await chat.page.evaluate(() => navigator.clipboard.readText())
  expect(link).toBe(`${hub.url}/#/c/a%2Fb/${ids[398]}`)
  const other = await visit(link.slice(hub.url.length).replace(ids[398] ?? '', ids[7] ?? ''))
  await other.marked('Line 7.')
  await chat.page.evaluate((hash) => (location.hash = hash), `#/c/a%2Fb/${ids[50]}`)
  await chat.marked('Line 50.')
})

test('[U62] a link to what is not there shows the nearest messages, and the page goes on', async ({ hub, visit }) => {
  await hub.record('website', lines(300))
  const chat = await visit('/#/c/website/0000000000000007')
  await expect(chat.bubble('Line 0.')).toBeInViewport()
  await chat.page.evaluate(() => (location.hash = '#/c/website/9999999999999999'))
  await expect(chat.bubble('Line 299.')).toBeInViewport()
})

for (const look of few(
  [
    { width: 1440, height: 900, dark: true },
    { width: 390, height: 844, touch: true },
  ],
  16,
)) {
  test(`[U62] a day is one pick away, from its name in the timeline (${look.width} px)`, async ({ hub, visit }) => {
    const ids = await hub.record('website', lines(500))
    const chat = await visit(`/#/c/website/${ids[250]}`, look)
    const marked = chat.timeline.locator('.marked')
    await chat.marked('Line 250.')
    await expect(marked).toHaveCount(0)
    await chat.page.getByRole('button', { name: 'Go to a day' }).click()
    const picker = chat.page.getByRole('dialog', { name: 'Go to a day' })
    await expect(picker).toBeVisible()
    expect(await violations(chat.page)).toEqual([])
    await chat.page.keyboard.press('Escape')
    await expect(picker).toBeHidden()
    await expect(chat.page.getByRole('button', { name: 'Go to a day' })).toBeFocused()
    await chat.timeline.press('Home')
    // What is marked already is not marked anew.
    await chat.marked('Line 0.')
    await expect(marked).toHaveCount(0)
    await chat.timeline.getByRole('button', { name: 'Today' }).click()
    await picker.getByLabel('Go to a day').fill('2020-02-29')
    await picker.getByRole('button', { name: 'Go', exact: true }).click()
    await chat.marked('Line 0.')
  })
}

test('[U62] a reply leads to its question, however far that is', async ({ hub, visit }) => {
  const question: Body = { kind: 'question', by: 'agent', text: 'Shall we?' }
  await hub.record('website', [question, ...lines(700)])
  const chat = await visit('/#/c/website')
  await expect(chat.dock).toContainText('Shall we?')
  await chat.reply('Yes')
  await chat.bubble('Yes').getByRole('button', { name: 'In reply to' }).click()
  await chat.marked('Shall we?')
})

for (const look of few(
  [
    { width: 1440, height: 900 },
    { width: 390, height: 844, dark: true, touch: true },
  ],
  17,
)) {
  test(`[U63] a line stands where the person left off, and is gone once they have seen it (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    await hub.record('other', lines(1))
    await hub.record('website', lines(50))
    const chat = await visit('/#/c/website', look)
    await expect(chat.bubble('Line 49.')).toBeInViewport()
    const fresh = chat.timeline.getByText('New since')
    await expect(fresh).toHaveCount(0)
    await chat.page.evaluate(() => (location.hash = '#/c/other'))
    await expect(chat.bubble('Line 0.')).toBeInViewport()
    await hub.report(
      'website',
      Array.from({ length: 40 }, (_, n) => `News ${n}.`),
    )
    // What comes behind the news tells that the page has them.
    await hub.report('other', ['Told last.'])
    await expect(chat.bubble('Told last.')).toBeVisible()
    await chat.page.evaluate(() => (location.hash = '#/c/website'))
    await expect(chat.bubble('News 39.')).toBeInViewport()
    await chat.page.getByRole('button', { name: 'New since' }).click()
    await expect(fresh).toBeInViewport()
    await expect(chat.bubble('News 0.')).toBeInViewport()
    await expect(chat.page.getByRole('button', { name: 'New since' })).toBeHidden()
    await expect(chat.timeline.locator('.marked')).toHaveCount(0)
    expect(await violations(chat.page)).toEqual([])
    await chat.page.evaluate(() => (location.hash = '#/c/other'))
    await expect(chat.bubble('Line 0.')).toBeInViewport()
    await chat.page.evaluate(() => (location.hash = '#/c/website'))
    await expect(chat.bubble('News 39.')).toBeInViewport()
    await expect(fresh).toHaveCount(0)
    await expect(chat.page.getByRole('button', { name: 'New since' })).toHaveCount(0)
  })
}
