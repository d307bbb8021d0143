import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { build } from 'rolldown'
import { few } from '../support/few.ts'
import { expect, test } from '../support/fixture.ts'

test.use({ killable: true })

for (const era of few(['modern', 'legacy'], 0)) {
  test(`[I14] a plain page shows the inbox and keeps it up to date, also over a restart of the hub (${era})`, async ({
    hub,
    page,
  }) => {
    await serveInboxPage(page)
    await post(hub.url, 'First')
    await page.goto(`${hub.url}/inbox-page/inbox.html#${era}`)
    const [messages, status] = [page.getByRole('listitem'), page.getByRole('status')]
    await expect(messages).toHaveText(['user: First'])
    await post(hub.url, 'Second')
    await expect(messages).toHaveText(['user: First', 'user: Second'])
    await hub.kill()
    await expect(status).toHaveText('disconnected')
    await hub.restart()
    await expect(status).toBeEmpty()
    await hub.record('other', [{ kind: 'message', author: 'assistant', by: 'robot', text: 'Meanwhile' }])
    await expect(messages).toHaveText(['user: First', 'user: Second', 'assistant: Meanwhile'])
    await post(hub.url, 'Third')
    await expect(messages).toHaveText(['user: First', 'user: Second', 'assistant: Meanwhile', 'user: Third'])
  })
}

for (const era of few(['modern', 'legacy'], 1)) {
  test(`[I46] a plain page shows what an assistant posts, of which nobody is notified, and its own posts (${era})`, async ({
    hub,
    page,
  }) => {
    await serveInboxPage(page)
    await post(hub.url, 'Hello')
    await page.goto(`${hub.url}/inbox-page/inbox.html#${era}`)
    const messages = page.getByRole('listitem')
    const words = page.getByLabel('Message')
    await expect(messages).toHaveText(['user: Hello'])
    await words.fill('Deploy')
    await words.press('Enter')
    await expect(messages).toHaveText(['user: Hello', 'user: Deploy'])
    await expect(words).toBeEmpty()
    await hub.report('work', ['Deployed'])
    await expect(messages).toHaveText(['user: Hello', 'user: Deploy', 'assistant: Deployed'])
  })
}

test('[I46] a hidden page does not read, and reads when it is seen', async ({ hub, page }) => {
  let reads = 0
  page.on('request', (request) => {
    if (request.headers()['mcp-method'] === 'resources/read') reads++
  })
  await serveInboxPage(page)
  await page.clock.install()
  await post(hub.url, 'First')
  await page.goto(`${hub.url}/inbox-page/inbox.html`)
  const messages = page.getByRole('listitem')
  await expect(messages).toHaveText(['user: First'])
  await turn(page, 'hidden')
  const before = reads
  await hub.report('work', ['Second'])
  await page.clock.runFor(120_000)
  await expect(messages).toHaveText(['user: First'])
  expect(reads).toBe(before)
  await turn(page, 'visible')
  await expect(messages).toHaveText(['user: First', 'assistant: Second'])
  expect(reads).toBe(before + 1)
})

async function turn(page: Page, state: 'visible' | 'hidden') {
  await page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}

/** At the hub's own address, because it answers to no other page. */
async function serveInboxPage(page: Page) {
  const own = (name: string) => readFile(new URL(`./${name}`, import.meta.url), 'utf8')
  const files: Record<string, () => Promise<string>> = {
    'inbox.html': () => own('inbox.html'),
    'inbox.js': () => own('inbox.js'),
    'parley-client.js': () => readFile(fileURLToPath(import.meta.resolve('parley-hub/client')), 'utf8'),
    'mcp-client.js': () => (bundling ??= bundleMcpClient()),
  }
  for (const [name, text] of Object.entries(files)) {
    const contentType = name.endsWith('.html') ? 'text/html' : 'text/javascript'
    await page.route(`**/inbox-page/${name}`, async (route) => route.fulfill({ contentType, body: await text() }))
  }
}

/** The same for every page. */
let bundling: Promise<string> | undefined

async function bundleMcpClient(): Promise<string> {
  const { output } = await build({
    input: fileURLToPath(import.meta.resolve('@modelcontextprotocol/client')),
    platform: 'browser',
    output: { codeSplitting: false },
    write: false,
    logLevel: 'silent',
  })
  return output[0].code
}

async function post(url: string, content: string) {
  const input = { mime: 'text/markdown', content, session_id: 'work' }
  const body = JSON.stringify({ server: 'human', tool: 'chat_human_post', arguments: input })
  const response = await fetch(`${url}/api/mcp/call`, { method: 'POST', body })
  expect(response.status).toBe(200)
}
