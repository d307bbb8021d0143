import type { Browser, Page } from '@playwright/test'

type Take = (page: Page, name: string) => Promise<void>

/** The palette before anything is typed and with a filter, and two conversations side by side with a wider list. */
export async function takePalette(browser: Browser, url: string, take: Take) {
  for (const [width, height, dark] of [
    [1720, 900, false],
    [1720, 900, true],
    [390, 844, false],
  ] as const) {
    const isPhone = width < 500
    const context = await browser.newContext({
      viewport: { width, height },
      ...(isPhone ? { deviceScaleFactor: 2, isMobile: true, hasTouch: true } : {}),
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
      locale: 'en-GB',
    })
    const page = await context.newPage()
    await page.addInitScript(() => localStorage.setItem('parley.side', '24'))
    await page.goto(`${url}/#/c/login/beside/search`)
    await page.getByRole('textbox', { name: 'Message' }).first().waitFor()
    const name = `${width}-${dark ? 'dark' : 'light'}`
    if (!isPhone) {
      await page.getByRole('region', { name: 'Second conversation' }).getByRole('article').first().waitFor()
      await take(page, `beside-${name}`)
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().waitFor()
    await take(page, `palette-${name}`)
    await page.getByRole('button', { name: 'Tools', exact: true }).click()
    await page.getByRole('option', { name: 'Hide what agents did' }).waitFor()
    await take(page, `palette-tools-${name}`)
    await context.close()
  }
}
