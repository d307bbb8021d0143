import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

type Violations = { id: string; nodes: { html: string }[] }[]

/** Axe itself: what comes around it for Playwright loads it twice, and looks into frames, which the page has none of. */
const require = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const { source }: { source: string } = require('axe-core')

/** What axe finds wrong with the page as it is now. */
export async function violations(page: Page) {
  // Colours are only right once nothing moves any more.
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  return (await page.evaluate(look)).map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Runs in the page. Nobody reads what passed: without it axe is done in half the time. */
async function look(): Promise<Violations> {
  const { axe } = window as unknown as {
    axe: { run(where: Document, how: object): Promise<{ violations: Violations }> }
  }
  return (await axe.run(document, { resultTypes: ['violations'] })).violations
}
