import type { Page } from '@playwright/test'
import type { Body } from '../../../src/protocol/entries/entry.ts'
import { expect, test } from '../support/fixture.ts'

const begun = (title: string, folder: string, look?: number): Body => ({ kind: 'title', title, folder, look })
const asks = (text: string): Body => ({ kind: 'question', by: 'claude-code', text }) as Body
const said = (text: string): Body => ({ kind: 'message', author: 'assistant', by: 'claude-code', text })
const TALKS = {
  site: [begun('site', '/home/ada/website'), said('The site is up'), asks('Deploy the site?')],
  api: [begun('api', '/home/ada/server'), said('The api is up'), asks('Deploy the api?')],
}
const LOOKS = [
  { width: 1440, height: 900 },
  { width: 820, height: 900, dark: true },
  { width: 390, height: 844, touch: true },
]

/** What can be seen of marks: letters, shape, colours. */
function looksOf(page: Page, within: string): Promise<string[]> {
  return page.locator(`${within} svg:has(text)`).evaluateAll((marks) =>
    marks.map((mark) => {
      const path = mark.querySelector('path')
      const { fill, stroke } = getComputedStyle(path ?? mark)
      return [mark.textContent, path?.getAttribute('d'), fill, stroke].join(' ')
    }),
  )
}

for (const look of LOOKS)
  test(`[U450] two agents of one kind never look the same, at ${look.width}`, async ({ hub, visit }) => {
    await hub.recordAll(TALKS)
    const chat = await visit('/#/c/site', look)
    await expect(chat.bubble('The site is up')).toBeVisible()
    const [header] = await looksOf(chat.page, 'main > header')
    expect(header).toMatch(/^Cw /)
    expect(new Set(await looksOf(chat.page, 'article footer'))).toEqual(new Set([header]))
    await chat.page.goto(`${hub.url}/#/c/api`)
    await expect(chat.bubble('The api is up')).toBeVisible()
    await expect.poll(async () => (await looksOf(chat.page, 'main > header'))[0]).toMatch(/^Cs /)
    const [other] = await looksOf(chat.page, 'main > header')
    expect(new Set(await looksOf(chat.page, 'article footer'))).toEqual(new Set([other]))
    if (look.width >= 1440) expect((await looksOf(chat.page, 'nav')).sort()).toEqual([header, other].sort())
    // Another device, and another day.
    await chat.page.reload()
    await expect.poll(async () => (await looksOf(chat.page, 'main > header'))[0]).toBe(other)
  })

test('[U511] agents of one kind in one folder look different in every page, twelve of them at once', async ({
  hub,
  visit,
}) => {
  const names = Array.from({ length: 12 }, (_, n) => `agent-${n}`)
  const talk = (name: string, look: number) => [begun(name, '/home/ada/website', look), asks(`Deploy ${name}?`)]
  await hub.recordAll(Object.fromEntries(names.map((name, look) => [name, talk(name, look)])))
  const chat = await visit('/#/c/agent-3')
  await expect.poll(async () => (await looksOf(chat.page, 'nav')).length).toBe(12)
  const looks = await looksOf(chat.page, 'nav')
  expect(new Set(looks).size).toBe(12)
  expect(looks.filter((look) => look.startsWith('Cw2 ')).length).toBe(2)
  const [header] = await looksOf(chat.page, 'main > header')
  expect(looks).toContain(header)
  const phone = await visit('/#/c/agent-3', { width: 390, height: 844, touch: true })
  await expect.poll(async () => (await looksOf(phone.page, 'main > header'))[0]).toBe(header)
})

test('[U450] the letters of every mark can be read in light and dark', async ({ hub, visit }) => {
  await hub.recordAll(TALKS)
  for (const dark of [false, true]) {
    const chat = await visit('/#/c/site', { dark })
    await expect(chat.bubble('The site is up')).toBeVisible()
    const contrasts = await chat.page.evaluate(contrastsOfMarks)
    expect(contrasts.length).toBe(18)
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5)
  }
})

for (const look of LOOKS)
  test(`[U495] the mark of who asks stands in the middle of its line, at ${look.width}`, async ({ hub, visit }) => {
    await hub.recordAll(TALKS)
    const chat = await visit('/#/c/site', look)
    const line = chat.page.getByRole('region', { name: 'Open question' }).locator('p:has(svg)')
    await expect(line).toContainText('asks')
    const middles = await line.locator('svg, .who').evaluateAll((all) =>
      all.map((one) => {
        const { top, bottom } = one.getBoundingClientRect()
        return (top + bottom) / 2
      }),
    )
    expect(middles).toHaveLength(2)
    expect(Math.abs((middles[0] ?? 0) - (middles[1] ?? 0))).toBeLessThanOrEqual(1.5)
  })

/** Runs in the page: of every hue, filled and open. */
function contrastsOfMarks(): number[] {
  const mark = document.querySelector('main > header svg:has(text)') as SVGElement
  const draw = document
    .createElement('canvas')
    .getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D
  const light = (colour: string) => {
    draw.fillStyle = colour
    draw.fillRect(0, 0, 1, 1)
    const linear = [...draw.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0)
  }
  const contrasts: number[] = []
  for (const open of [false, true])
    for (let hue = 0; hue < 360; hue += 40) {
      mark.classList.toggle('open', open)
      mark.style.setProperty('--hue', String(hue))
      const [text, path] = [mark.querySelector('text'), mark.querySelector('path')] as [Element, Element]
      const [high, low] = [light(getComputedStyle(text).fill), light(getComputedStyle(path).fill)].sort((a, b) => b - a)
      contrasts.push(((high ?? 0) + 0.05) / ((low ?? 0) + 0.05))
    }
  return contrasts
}
