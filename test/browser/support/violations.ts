import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

type Violations = { id: string; nodes: { html: string }[] }[]

interface Axe {
  run(where: unknown, how: object): Promise<{ violations: Violations; passes: { nodes: { element: Element }[] }[] }>
}

/**
 * Axe itself: what comes around it for Playwright loads it twice, and looks into frames, which the page has none of. Each
 * page that is looked at reads it anew: without its blanks and comments in half the time.
 */
const require = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** The colours of texts in which axe has found nothing wrong: most of what it does is to look at them again. */
const fine = new Set<string>()

/** What axe finds wrong with the page as it is now. */
export async function violations(page: Page) {
  // Colours are only right once nothing moves any more.
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const { found, passed } = await page.evaluate(look, [...fine])
  for (const colours of passed) fine.add(colours)
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Runs in the page. Nobody reads what else passed, nor selectors: without them axe is done in a third of the time. */
async function look(fine: string[]): Promise<{ found: Violations; passed: string[] }> {
  const { axe } = window as unknown as { axe: Axe }
  const known = new Set(fine)
  const times = new Map<string, number>()
  const texts = [...document.querySelectorAll('body *')].filter(isNew)
  const how = { resultTypes: ['violations'], selectors: false, rules: { 'color-contrast': { enabled: false } } }
  const { violations: found } = await axe.run(document, how)
  if (texts.length === 0) return { found, passed: [] }
  const ofColours = {
    resultTypes: ['violations', 'passes'],
    runOnly: ['color-contrast'],
    selectors: false,
    elementRef: true,
  }
  const { violations, passes } = await axe.run({ include: texts }, ofColours)
  const passed = passes.flatMap(({ nodes }) => nodes.map(({ element }) => coloursOf(element)))
  return { found: [...found, ...violations], passed: [...new Set(passed)] }

  /** Some of each kind are enough: one may be covered by something else. */
  function isNew(element: Element): boolean {
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
    if (!hasText && !element.matches('input, textarea, select')) return false
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
    const colours = coloursOf(element)
    const before = times.get(colours) ?? 0
    times.set(colours, before + 1)
    return before < 4 && !known.has(colours)
  }

  /** All that the contrast of a text comes from: how it is drawn, and on what. */
  function coloursOf(element: Element): string {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
    const drawn = [color, fontSize, fontWeight, textShadow]
    if (element.closest(':disabled, [aria-disabled="true"]')) drawn.push('disabled')
    for (let behind: Element | null = element; behind; behind = behind.parentElement) {
      const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(behind)
      drawn.push(`${backgroundColor}${backgroundImage}${opacity}`)
      if (position !== 'static') drawn.push(behind.className.toString())
    }
    return drawn.join(' ').replaceAll('rgba(0, 0, 0, 0)none1', '').replace(/ {2,}/g, ' ')
  }
}
