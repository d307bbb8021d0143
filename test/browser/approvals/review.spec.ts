import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const PATCH = `diff --git a/src/hub.ts b/src/hub.ts
--- a/src/hub.ts
+++ b/src/hub.ts
@@ -108,3 +108,4 @@
 import { chat } from './chat.ts'
-const old = 1
+const fresh = 1 // ${'long '.repeat(40)}
+const more = 2`
const EDIT = { file_path: 'src/a.ts', old_string: 'one\ntwo', new_string: 'one\n2\n3' }
const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true, dark: true },
]

const told = (text: string): Body => ({ kind: 'message', author: 'assistant', by: 'claude', text })
const BLOCK = `Look:\n\n\`\`\`diff\n${PATCH}\n\`\`\``

function want(tool_name: string, input: object): Body {
  return { kind: 'question', by: 'claude', text: 'May I?', approval: { tool_name, input: JSON.stringify(input) } }
}

type Place = Chat['timeline']
const fieldAt = (place: Place, where: string) => place.getByRole('textbox', { name: `Comment on ${where}` })

/** By the number in front of the line, where a finger may meet the button of another one. */
async function comment(place: Place, line: string, where: string, text: string, touch = false) {
  await place
    .locator('code > [data-line]')
    .filter({ hasText: line })
    .click({ position: { x: 30, y: 8 }, force: touch })
  await expect(fieldAt(place, where)).toBeFocused()
  await fieldAt(place, where).fill(text)
  await place.getByRole('button', { name: 'Done' }).click()
  await expect(place.locator('.remark').filter({ hasText: text })).toBeVisible()
}

for (const look of few(LOOKS, 25)) {
  test(`[U110] lines of a change in a message are commented on, and that edited and removed (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', [told(BLOCK)])
    const chat = await visit('/', look)
    await expect(chat.composer).toBeVisible()
    const bubble = chat.bubble('Look:')
    await comment(bubble, '+const fresh', 'src/hub.ts:109', 'Which one?', look.touch)
    await comment(bubble, '-const old', 'src/hub.ts:109', 'Keep it', look.touch)
    await bubble.locator('.remark').last().getByRole('button', { name: 'Edit' }).click()
    await expect(fieldAt(bubble, 'src/hub.ts:109')).toHaveValue('Which one?')
    await fieldAt(bubble, 'src/hub.ts:109').fill('Which one\nof them?')
    await fieldAt(bubble, 'src/hub.ts:109').press('Control+Enter')
    await expect(bubble.getByRole('button', { name: 'Send 2 comments' })).toBeInViewport()
    const [box, pre] = [await bubble.locator('.remark').last().boundingBox(), await bubble.locator('pre').boundingBox()]
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((pre?.x ?? 0) + (pre?.width ?? 0))
    for (const each of look.touch ? await bubble.locator('.code, .review').getByRole('button').all() : []) {
      const { width, height } = (await each.boundingBox()) ?? { width: 0, height: 0 }
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    }
    expect(await violations(chat.page)).toEqual([])
    await bubble.locator('.remark').first().getByRole('button', { name: 'Remove' }).click()
    await expect(bubble.locator('.remark')).toHaveText([/Which one/])
    await bubble.getByRole('button', { name: 'Send 1 comment' }).click()
    await expect(bubble.locator('.remark')).toHaveCount(0)
    const text = `1 comment on the change:\n\n\`src/hub.ts:109\`\n> \`+const fresh = 1 // ${'long '.repeat(36)}…\`\n\nWhich one\nof them?`
    await expect
      .poll(async () => (await hub.told('work')).slice(1))
      .toMatchObject([{ kind: 'message', author: 'user' }])
    const [, sent] = (await hub.told('work')) as { text: string }[]
    expect(sent?.text.replace(/`\+const fresh.*…`/, 'THE LINE')).toBe(text.replace(/`\+const fresh.*…`/, 'THE LINE'))
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
  })

  test(`[A33] comments on the lines of a call are the reason of a denial, by a button of its own (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', [want('Edit', EDIT), want('Write', { path: 'b.ts', content: 'x' })])
    const chat = await visit('/', look)
    await expect(chat.dock).toContainText('1 of 2')
    await comment(chat.dock, '+2', 'src/a.ts, line 2 of the new text', 'Why two?', look.touch)
    await chat.dock.getByRole('button', { name: 'Show on the full screen' }).click()
    const screen = chat.page.getByRole('dialog')
    await comment(screen, '-two', 'src/a.ts, line 2 of the old text', 'Leave it', look.touch)
    const deny = screen.getByRole('button', { name: 'Deny with 2 comments' })
    await expect(deny).toBeInViewport({ ratio: 1 })
    expect(await violations(chat.page)).toEqual([])
    await deny.click()
    await expect(screen).toBeHidden()
    await expect(chat.dock).toContainText('Claude wants to use Write')
    await expect(chat.dock.getByRole('button', { name: /^Deny with/ })).toBeHidden()
    const reason = [
      '2 comments on the change:',
      '`src/a.ts, line 2 of the old text`\n> `-two`\n\nLeave it',
      '`src/a.ts, line 2 of the new text`\n> `+2`\n\nWhy two?',
    ].join('\n\n')
    await expect.poll(async () => (await hub.told('work')).slice(2)).toMatchObject([{ outcome: 'denied', reason }])
    await expect(chat.bubble('Edit')).toContainText('Leave it')
    const kept = () => chat.page.evaluate(() => Object.keys(localStorage).filter((name) => /review/.test(name)))
    await expect.poll(kept).toEqual([])
  })
}

test('[U110] by keyboard alone: arrows bring the button to a line, Enter opens and ends the comment', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [told(PATCH)])
  const chat = await visit()
  await expect(chat.composer).toBeVisible()
  const button = chat.timeline.getByRole('button', { name: /^Comment on/ })
  await chat.timeline.locator('pre').focus()
  await chat.page.keyboard.press('Tab')
  await expect(button).toBeFocused()
  await expect(button).toHaveAccessibleName('Comment on src/hub.ts:108')
  await chat.page.keyboard.press('ArrowUp')
  await chat.page.keyboard.press('ArrowDown')
  await chat.page.keyboard.press('ArrowDown')
  await chat.page.keyboard.press('ArrowDown')
  await expect(button).toHaveAccessibleName('Comment on src/hub.ts:110')
  await chat.page.keyboard.press('Enter')
  await expect(fieldAt(chat.timeline, 'src/hub.ts:110')).toBeFocused()
  await chat.page.keyboard.type('and why a')
  await chat.page.keyboard.press('Enter')
  await expect(button).toBeFocused()
  await expect(chat.timeline.locator('.remark')).toContainText('and why a')
  await chat.page.keyboard.press('ArrowUp')
  await chat.page.keyboard.press('Enter')
  await chat.page.keyboard.press('Escape')
  await expect(chat.timeline.locator('.remark')).toHaveCount(1)
  await chat.timeline.getByRole('button', { name: 'Send 1 comment' }).press('Enter')
  await expect(chat.bubble('1 comment on the change')).toBeVisible()
})

test('[U112] comments wait over a reload and for rows that were away, and are the same in every tab', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [told(BLOCK), ...Array.from({ length: 60 }, (_, n) => told(`Word ${n}.`))])
  const chat = await visit()
  await expect(chat.bubble('Word 59.')).toBeInViewport()
  await chat.scrollToTop(chat.bubble('Look:'))
  await comment(chat.timeline, '+const more', 'src/hub.ts:110', 'Later')
  await chat.page.getByRole('button', { name: 'Newest' }).click()
  await expect(chat.timeline.locator('.remark')).toHaveCount(0)
  await chat.page.reload()
  await expect(chat.bubble('Word 59.')).toBeInViewport()
  await chat.scrollToTop(chat.bubble('Look:'))
  await expect(chat.timeline.locator('.remark')).toContainText('Later')
  const tab = await chat.page.context().newPage()
  await tab.goto(hub.url)
  await expect(tab.getByRole('article').filter({ hasText: 'Word 59.' })).toBeVisible()
  await tab.evaluate(() => {
    for (const name of Object.keys(localStorage)) if (name.startsWith('parley.review.')) localStorage.removeItem(name)
  })
  await expect(chat.timeline.locator('.remark')).toHaveCount(0)
  await tab.close()
})

test('[U113] comments answer the question that the change is in, or else the one that is aimed at', async ({
  hub,
  visit,
}) => {
  const ask = (text: string): Body => ({ kind: 'question', by: 'claude', text })
  await hub.record('work', [told(BLOCK), want('Bash', { command: 'ls' }), ask('Shall I?'), ask(`Fine?\n\n${BLOCK}`)])
  const chat = await visit()
  await expect(chat.composer).toBeVisible()
  await comment(chat.bubble('Fine?'), '+const more', 'src/hub.ts:110', 'One')
  const send = chat.page.getByRole('button', { name: 'Send 1 comment' })
  await expect(chat.bubble('Fine?').locator('.review')).toContainText('as the reply to “Fine?')
  await send.click()
  await expect
    .poll(async () => (await hub.told('work')).at(-1))
    .toMatchObject({ kind: 'settlement', outcome: 'answered' })
  await chat.scrollToTop()
  const first = chat.timeline.getByRole('article').first()
  await comment(first, '+const more', 'src/hub.ts:110', 'Two')
  await expect(first.locator('.review')).toContainText('as one message')
  await chat.dock.getByRole('button', { name: 'Deny' }).click()
  await chat.composer.fill('Because')
  await expect(first.locator('.review')).toContainText('as one message')
  await send.click()
  await expect.poll(async () => (await hub.told('work')).at(-1)).toMatchObject({ kind: 'message', author: 'user' })
  await expect(chat.composer).toHaveValue('Because')
})

test('[A34] a refused denial keeps its comments, and a verdict from elsewhere makes them void', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [want('Edit', EDIT)])
  const chat = await visit('/favicon.svg', { changed: true })
  await chat.page.routeWebSocket(/\/ws/, (page) => {
    const server = page.connectToServer()
    page.onMessage((message) => {
      const { type, key } = JSON.parse(String(message))
      if (type !== 'deny') return server.send(message)
      page.send(JSON.stringify({ type: 'refused', key, code: 'unwritable', error: 'The disk is full' }))
    })
  })
  await chat.page.goto(hub.url)
  await comment(chat.dock, '+2', 'src/a.ts, line 2 of the new text', 'Why two?')
  await chat.dock.getByRole('button', { name: 'Deny with 1 comment' }).click()
  await expect(chat.page.getByRole('alert')).toHaveText('The disk is full')
  await expect(chat.dock.locator('.remark')).toContainText('Why two?')
  const other = await visit()
  await other.dock.getByRole('button', { name: /^Allow once/ }).click()
  await expect(chat.bubble('Edit')).toContainText('Allowed once')
  await expect.poll(() => chat.page.evaluate(() => Object.keys(localStorage).join())).not.toContain('review')
})
