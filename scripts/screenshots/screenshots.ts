import { mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type Browser, chromium, type Page } from '@playwright/test'
import { startHub } from '../../test/browser/support/hub-process.ts'
import { findChromium } from '../chromium.mjs'
import { CHANGE, takeChange } from './change.ts'
import { takeDriven } from './driven.ts'
import { BEFORE, MOVING, takeMoving } from './moving.ts'
import { takeOrder } from './order.ts'
import { takePalette } from './palette.ts'
import { TOGETHER, takeExchange, takeTapped } from './questions.ts'
import { saveReplies, showReplies } from './replies.ts'
import { APPROVAL, claude, QUESTIONS, STORY } from './story.ts'
import { reviseWords, showChange, WORDS } from './words.ts'

/** All of them, to look at; and the few that the README shows. */
const ALL = fileURLToPath(new URL('../../screenshots/', import.meta.url))
const README = fileURLToPath(new URL('../../docs/images/', import.meta.url))
const SHOWN = [
  'conversation-1440-light',
  'conversation-1440-dark',
  'approval-1440-light',
  'steps-1440-light',
  'search-1440-light',
  'conversation-390-dark',
  'list-390-light',
]

const LOOKS = [1440, 820, 390].flatMap((width) => [false, true].map((dark) => ({ width, dark })))
const HEIGHTS: Record<number, number> = { 1440: 900, 820: 1100, 390: 844 }

const hub = await startHub({ killable: false })
await hub.recordAll({ ...STORY, [MOVING]: BEFORE })
await saveReplies(hub)
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
try {
  await rm(ALL, { recursive: true, force: true })
  await mkdir(ALL)
  await takeAsking(browser)
  await takePalette(browser, hub.url, take)
  await takeAll(browser)
  await takeDriven(browser, hub.url, take)
} finally {
  await browser.close()
  await hub.close()
}

async function takeAsking(browser: Browser) {
  const agent = await connect(MOVING)
  const run = {
    address: `${hub.url}/#/c/${MOVING}`,
    call: (name: string, args: Record<string, unknown>) => call(agent, name, args),
    report: (text: string) => call(agent, 'send_progress', { text }),
  }
  await takeMoving(browser, run, `${README}asking.png`)
  await agent.close()
  console.log('screenshots: asking')
}

async function takeAll(browser: Browser) {
  const [search, login] = [await connect('search'), await connect('login')]
  const pages = await Promise.all(LOOKS.map((look) => open(browser, look)))
  const [first] = pages
  void call(search, 'ask_user', QUESTIONS.search)
  await first?.page.getByText('May I add an index to the log?').first().waitFor()
  const chosen = call(login, 'ask_user', QUESTIONS.login)
  for (const { page, name } of pages) {
    await page.getByRole('button', { name: 'Both' }).waitFor()
    await page.locator('pre code span').first().waitFor()
    await take(page, `conversation-${name}`)
    await showSteps(page)
    await page.mouse.move(0, 0)
    await take(page, `steps-${name}`)
    await showList(page)
    await take(page, `list-${name}`)
    await showSearch(page)
    await take(page, `search-${name}`)
    await page.keyboard.press('Escape')
    await showSettings(page)
    await take(page, `settings-${name}`)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Settings' }).waitFor({ state: 'hidden' })
    await page.reload()
    await showReplies(page, () => take(page, `replies-${name}`))
    await takeOrder(
      page,
      (screen) => take(page, `${screen}-${name}`),
      () => showList(page),
    )
    await page.reload()
  }
  if (first) await takeTapped(first, take)
  await chosen
  void call(login, 'approve', APPROVAL)
  for (const { page, name } of pages) {
    await page.getByRole('button', { name: 'Allow once', disabled: false }).waitFor()
    await page.mouse.move(0, 0)
    await take(page, `approval-${name}`)
  }
  void call(login, 'approve', CHANGE)
  for (const { page, name } of pages) {
    await page.getByRole('button', { name: 'Next question' }).waitFor()
    await takeChange(page, name, take)
  }
  await hub.report(WORDS, ['I read the code. Where shall I begin?'])
  for (const { page } of pages) await page.goto(`${hub.url}/#/c/${WORDS}`)
  if (first) await reviseWords(first.page)
  for (const { page, name } of pages) {
    await showChange(page)
    await take(page, `words-${name}`)
  }
  const docs = await connect('docs')
  void call(docs, 'ask_user', TOGETHER)
  await takeExchange(pages, `${hub.url}/#/c/docs`, take)
  await Promise.all([search, login, docs].map((agent) => agent.close()))
}

async function open(browser: Browser, { width, dark }: (typeof LOOKS)[number]) {
  const context = await browser.newContext({
    viewport: { width, height: HEIGHTS[width] ?? 900 },
    ...(width < 500 ? { deviceScaleFactor: 2, isMobile: true, hasTouch: true } : {}),
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
  })
  const page = await context.newPage()
  await page.goto(`${hub.url}/#/c/login`)
  return { page, name: `${width}-${dark ? 'dark' : 'light'}` }
}

async function take(page: Page, name: string) {
  // The colours of the code come a moment after the code.
  await page.waitForFunction(() => document.fonts.status === 'loaded')
  await page.waitForLoadState('networkidle')
  const path = `${ALL}${name}.png`
  await page.screenshot({ path })
  if (SHOWN.includes(name)) await page.screenshot({ path: `${README}${name}.png` })
  console.log(`screenshots: ${name}`)
}

async function showSteps(page: Page) {
  const timeline = page.getByRole('region', { name: 'Messages' })
  await page.getByRole('button', { name: 'Minimise the question' }).click()
  await timeline.locator('summary').filter({ hasText: 'Edit' }).click()
  await timeline.getByRole('button', { name: 'Wrap' }).last().waitFor()
}

async function showList(page: Page) {
  const menu = page.getByRole('button', { name: 'Show the conversations' })
  if (await menu.isVisible()) await menu.click()
}

async function showSearch(page: Page) {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').or(page.getByRole('searchbox')).first().fill('login')
  await page.getByText('Show what agents did').waitFor()
}

async function showSettings(page: Page) {
  await showList(page)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('dialog', { name: 'Settings' }).waitFor()
}

async function connect(session: string): Promise<Client> {
  const client = new Client({ name: claude, version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`/mcp/agent?session=${session}`, hub.url)))
  return client
}

/** Ends with the answer, or when the agent leaves. */
async function call(client: Client, name: string, args: Record<string, unknown>) {
  // An agent that leaves fails what it still waits for. Any other failure is seen: the picture of the question never comes.
  await client.callTool({ name, arguments: args }, { timeout: 600_000, onprogress: () => {} }).catch(() => {})
}
