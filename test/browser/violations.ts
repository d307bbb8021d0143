import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

type Violations = { id: string; nodes: { html: string }[] }[]

/** What axe finds wrong with the page as it is now. */
export async function violations(page: Page) {
  // Colours are only right once nothing moves any more.
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
  const violations = (await page.evaluate(lookAgain)) ?? (await lookFirst(page))
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** The page has no frames, and nobody reads what passed: without both axe is done in a third of the time. */
async function lookFirst(page: Page): Promise<Violations> {
  return (
    await new AxeBuilder({ page })
      .setLegacyMode()
      .options({ resultTypes: ['violations'] })
      .analyze()
  ).violations
}

/** Runs in the page: by the axe that an earlier look has left there, which is half the work. */
async function lookAgain(): Promise<Violations | undefined> {
  const { axe } = window as { axe?: { run(where: Document, how: object): Promise<{ violations: Violations }> } }
  return axe && (await axe.run(document, { resultTypes: ['violations'] })).violations
}
