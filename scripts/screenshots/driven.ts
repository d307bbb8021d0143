import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Browser, Page } from '@playwright/test'
import { offerDemo } from '../../src/cli/demo/demo-runner.ts'

type Take = (page: Page, name: string) => Promise<void>

/** A conversation that is begun in the page and driven: its beginning, growing text, a permission, the end of its turn. */
export async function takeDriven(browser: Browser, url: string, take: Take) {
  const connect = () => new StreamableHTTPClientTransport(new URL('/mcp/orchestrator', url))
  const runner = await offerDemo({ data: 'memory' }, connect)
  for (const [width, height, dark] of [
    [1440, 900, false],
    [1440, 900, true],
    [390, 844, false],
  ] as const) {
    const context = await browser.newContext({
      viewport: { width, height },
      ...(width < 500 ? { deviceScaleFactor: 2, isMobile: true, hasTouch: true } : {}),
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
      locale: 'en-GB',
    })
    const page = await context.newPage()
    await page.goto(url)
    const name = `${width}-${dark ? 'dark' : 'light'}`
    await takeTurn(page, (screen) => take(page, `driven-${screen}-${name}`))
    await context.close()
  }
  await runner?.close()
}

async function takeTurn(page: Page, take: (screen: string) => Promise<void>) {
  const timeline = page.getByRole('region', { name: 'Messages' })
  await timeline.getByRole('article').first().waitFor()
  const menu = page.getByRole('button', { name: 'Show the conversations' })
  if (await menu.isVisible()) await menu.click()
  await page.getByRole('button', { name: 'New conversation' }).click()
  const dialog = page.getByRole('dialog', { name: 'New conversation' })
  await dialog.getByRole('textbox', { name: 'First message' }).fill('Show me what you can do, please')
  await take('begin')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await timeline.getByText('scripted agent').waitFor()
  await take('grows')
  const allow = page.getByRole('button', { name: 'Allow once', disabled: false })
  await allow.waitFor()
  await take('permission')
  await allow.click()
  await timeline.getByText('The agent ended its turn').waitFor()
  await take('done')
  await timeline.locator('summary').filter({ hasText: 'greeting.txt' }).click()
  await timeline.getByRole('button', { name: 'Wrap' }).first().waitFor()
  await take('change')
}
