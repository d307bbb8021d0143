import type { Worker } from '@playwright/test'
import type { Body } from '../../../src/protocol/entries/entry.ts'
import { type Chat, expect, type Fixtures, test } from '../support/fixture.ts'

const EDITS = 6
const LINES = 1165
const INPUT = multiEdit(EDITS)
/** Those of the last edit are a heading, one before and one after. */
const ALL = EDITS * 2 * LINES + (EDITS - 1) + 3

function multiEdit(edits: number): string {
  const text = (what: string) => Array.from({ length: LINES }, (_, n) => `${what} ${n} ${'x'.repeat(8)}`).join('\n')
  const made = Array.from({ length: edits }, (_, n) => ({ old_string: text(`old${n}`), new_string: text(`new${n}`) }))
  return JSON.stringify({ file_path: 'app.ts', edits: [...made, { old_string: 'a', new_string: 'the last line' }] })
}

function want(input: string, tool_name = 'MultiEdit'): Body {
  return { kind: 'question', by: 'claude', text: 'May I?', approval: { tool_name, input } }
}

const allowOf = ({ dock }: Chat) => dock.getByRole('button', { name: /^Allow once/ })
const linesOf = ({ dock }: Chat) => dock.locator('.lines > span')
const MAKER = /reading-worker/
const isMaker = (worker: Worker) => MAKER.test(worker.url())

/** A page that draws its frames only when a test says so. */
async function stopped({ hub, visit }: Pick<Fixtures, 'hub' | 'visit'>, input: string) {
  await hub.record('work', [want(input)])
  const chat = await visit('/favicon.svg', { clock: true, width: 1440, height: 900 })
  await chat.page.clock.install()
  // On a busy machine all of it could be there before the clock stands still.
  const stands = Promise.withResolvers<void>()
  await chat.page.route(MAKER, async (route) => {
    await stands.promise
    await route.continue()
  })
  const [wanted, began] = [chat.page.waitForRequest(MAKER), chat.page.waitForEvent('worker', isMaker)]
  await chat.page.goto(`${hub.url}/#/c/work`)
  await wanted
  // After 15 s without an answer, the page would give its connection up.
  await chat.page.clock.pauseAt(Date.now() + 10_000)
  stands.resolve()
  const worker = await began
  return { chat, worker }
}

async function goOn({ page }: Chat, check: () => Promise<void>) {
  const later = async () => {
    await page.clock.runFor(500)
    await check()
  }
  await expect(later).toPass({ timeout: 60_000 })
}

test('[U294] [U295] a long change is drawn piece by piece, and allowed once all of it was there to be read', async ({
  hub,
  visit,
}) => {
  test.slow()
  const { chat } = await stopped({ hub, visit }, INPUT)
  await goOn(chat, async () => expect(await linesOf(chat).count()).toBeGreaterThan(0))
  expect(await linesOf(chat).count()).toBeLessThan(ALL)
  await expect(chat.dock).toContainText(/Loading the changes: [\d,]+ lines so far/)
  await expect(chat.dock).toContainText('The changes are still loading')
  await chat.composer.fill('The page answers')
  await expect(chat.composer).toHaveValue('The page answers')
  const shown = chat.dock.getByRole('group', { name: 'Arguments' })
  await shown.evaluate((node) => node.scrollTo({ top: node.scrollHeight }))
  await chat.timeline.focus()
  await chat.page.keyboard.press('1')
  await expect(allowOf(chat)).toHaveAttribute('aria-disabled', 'true')
  await expect(allowOf(chat)).toHaveAccessibleDescription('The changes are still loading')

  await goOn(chat, () => expect(chat.dock).not.toContainText('Loading the changes', { timeout: 500 }))
  await expect(linesOf(chat)).toHaveCount(ALL)
  await expect(chat.dock.locator('.bar .counts')).toHaveText(`+${EDITS * LINES + 1} −${EDITS * LINES + 1}`)
  expect(await hub.told('work')).toHaveLength(1)
  await goOn(chat, async () => {
    await shown.evaluate((node) => node.scrollTo({ top: node.scrollHeight }))
    await expect(allowOf(chat)).toHaveAttribute('aria-disabled', 'false', { timeout: 250 })
  })
  await expect(linesOf(chat).last()).toHaveText('+the last line')
  await expect(linesOf(chat).last()).toBeInViewport()
  await allowOf(chat).click()
  await expect.poll(() => hub.told('work')).toMatchObject([{}, { outcome: 'approved' }])
})

test('[U294] [U406] lines that came in pieces are counted through without showing it, and can be commented on', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [want(multiEdit(1))])
  const chat = await visit('/', { width: 1440, height: 900 })
  await expect(linesOf(chat)).toHaveCount(2 * LINES + 3)
  const line = linesOf(chat).filter({ hasText: '+new0 900 ' })
  await expect(line).toHaveAttribute('data-line', '')
  await line.scrollIntoViewIfNeeded()
  await line.hover()
  await chat.dock.getByRole('button', { name: 'Comment on app.ts, line 901 of the new text' }).click()
  await chat.page.keyboard.type('Why this one?')
  await expect(chat.dock.locator('.lines .remark')).toHaveCount(1)
  await expect(chat.dock.getByRole('button', { name: /^Deny with 1 comment/ })).toBeVisible()
})

test('[U294] a short change is there at once, with nothing made beside the page', async ({ hub, visit }) => {
  await hub.record('work', [want('{"file_path":"a.ts","old_string":"one","new_string":"two"}', 'Edit')])
  const chat = await visit()
  await expect(chat.dock.locator('code > .added')).toHaveText('+two')
  expect(chat.page.workers().filter(isMaker)).toEqual([])
})

test('[U294] where nothing can be made beside the page, the page makes it', async ({ hub, visit }) => {
  await hub.record('work', [want(multiEdit(1))])
  const chat = await visit('/favicon.svg', { own: true })
  await chat.page.context().route(/reading-worker/, (route) => route.abort())
  await chat.page.goto(hub.url)
  await expect(linesOf(chat)).toHaveCount(2 * LINES + 3)
  await expect(chat.dock).not.toContainText('Loading the changes')
})

test('[U296] a change whose card goes is made no further', async ({ hub, visit }) => {
  const { chat, worker } = await stopped({ hub, visit }, INPUT)
  const gone = worker.waitForEvent('close')
  await expect(chat.dock).toContainText('MultiEdit')
  await chat.dock.getByRole('button', { name: 'Minimise the question' }).click()
  await gone
  expect(chat.page.workers().filter(isMaker)).toEqual([])
})

test('[U296] a record makes its own change once it is opened', async ({ hub, visit }) => {
  await hub.record('work', [want(multiEdit(1))])
  const chat = await visit()
  await chat.dock.getByRole('button', { name: 'Deny', exact: true }).click()
  await chat.page.getByRole('button', { name: 'Deny with this reason' }).click()
  const record = chat.bubble('Denied by you')
  await expect(record).toBeVisible()
  await expect(chat.dock).toBeHidden()
  await expect.poll(() => chat.page.workers().filter(isMaker)).toEqual([])
  const made = chat.page.waitForEvent('worker', isMaker)
  await record.locator('summary').click()
  await made
  await expect(record.locator('.lines > span').first()).toHaveText('-old0 0 xxxxxxxx')
})

test('[U295] what comes later does not scroll the page to its end, wherever one was in what came before', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [want(multiEdit(1), 'First'), want(multiEdit(1), 'Second')])
  const chat = await visit('/', { width: 320, height: 200 })
  const toEnd = (dock: HTMLElement) => dock.scrollTo(0, dock.scrollHeight)
  await expect(linesOf(chat)).toHaveCount(2 * LINES + 3)
  await chat.dock.evaluate(toEnd)
  await chat.dock.getByRole('button', { name: 'Next question' }).evaluate((button: HTMLElement) => button.click())
  await expect(chat.dock).toContainText('wants to use Second')
  await expect(linesOf(chat)).toHaveCount(2 * LINES + 3)
  await expect(chat.dock).not.toContainText('Loading the changes')
  await expect(allowOf(chat)).toHaveAccessibleDescription('Scroll to the end before you allow it')
})
