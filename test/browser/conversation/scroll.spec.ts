import { few } from '../support/few.ts'
import { expect, test } from '../support/fixture.ts'

const lines = (count: number) => Array.from({ length: count }, (_, n) => `Line ${n}.`)

test('[U17] the timeline follows its end only for someone who is at the end', async ({ hub, visit }) => {
  await hub.say('work', lines(60))
  const chat = await visit()
  await expect(chat.bubble('Line 59.')).toBeInViewport()
  await hub.say('work', ['Followed'])
  await expect(chat.bubble('Followed')).toBeInViewport()
  await expect.poll(chat.distance).toBeLessThanOrEqual(1)

  await chat.scrollUp(800)
  const scroll = await chat.scroll()
  await hub.say('work', ['Missed one', 'Missed two'])
  const pill = chat.page.getByRole('button', { name: '2 new' })
  await expect(pill).toBeVisible()
  expect(await chat.scroll()).toBe(scroll)
  await pill.click()
  await expect(chat.bubble('Missed two')).toBeInViewport()
  await expect(pill).toBeHidden()
})

test('[U17] who says something sees it, wherever they had scrolled to', async ({ hub, visit }) => {
  await hub.say('work', lines(60))
  const chat = await visit()
  await expect(chat.bubble('Line 59.')).toBeInViewport()
  await chat.scrollUp(2000)
  await expect(chat.bubble('Line 59.')).not.toBeInViewport()
  await chat.reply('Here I am')
  await expect(chat.bubble('Here I am')).toBeInViewport()
})

test('[U5] older messages load before the top is reached, and what is being read stays where it is', async ({
  hub,
  visit,
}) => {
  test.slow()
  await hub.say('work', lines(250))
  const chat = await visit()
  await expect(chat.bubble('Line 249.')).toBeInViewport()
  await chat.timeline.hover()
  let highest = Math.min(...(await seenLines()))
  while (highest > 0) {
    await chat.page.mouse.wheel(0, -400)
    const lines = await seenLines()
    // A jump would skip lines that were never on screen.
    expect(Math.max(...lines)).toBeGreaterThanOrEqual(highest - 1)
    expect(Math.min(...lines)).toBeLessThanOrEqual(highest)
    highest = Math.min(...lines)
  }
  await expect(chat.bubble('Line 0.')).toBeInViewport()
  // The page holds all lines, its document only those around the person.
  expect(await chat.timeline.getByRole('article').count()).toBeLessThan(60)

  async function seenLines(): Promise<number[]> {
    return (await chat.seen()).map((text) => Number(/Line (\d+)\./.exec(text)?.[1]))
  }
})

for (const look of few(
  [
    { width: 1440, height: 900 },
    { width: 390, height: 844, touch: true, dark: true },
  ],
  27,
)) {
  test(`[U105] a long message is shown from its beginning, and a short one as before (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    await hub.say('work', lines(30))
    const chat = await visit('/', look)
    await expect(chat.bubble('Line 29.')).toBeInViewport()
    const post = (content: string) =>
      fetch(`${hub.url}/api/tools/ui_chat_assistant_post`, {
        method: 'POST',
        body: JSON.stringify({ mime: 'text/markdown', content, session_id: 'work' }),
      })
    await post('A short one')
    await expect(chat.bubble('A short one')).toBeInViewport({ ratio: 1 })
    await expect.poll(chat.distance).toBeLessThanOrEqual(1)
    await post(['The beginning', ...lines(150), 'The end'].join('\n\n'))
    await expect(chat.timeline.getByText('The beginning')).toBeInViewport({ ratio: 1 })
    await expect(chat.page.getByRole('button', { name: 'Newest' })).toBeVisible()
    await expect(chat.timeline.getByText('The end')).not.toBeInViewport()
    await post('One more')
    await expect(chat.page.getByRole('button', { name: '1 new' })).toBeVisible()
    await expect(chat.timeline.getByText('The beginning')).toBeInViewport({ ratio: 1 })
  })
}

test('[U209] a press counts while the timeline scrolls', async ({ hub, visit }) => {
  await hub.say(
    'work',
    Array.from({ length: 40 }, (_, n) => `Word ${n}.`),
  )
  const chat = await visit()
  await expect(chat.bubble('Word 39.')).toBeVisible()
  const isHit = await chat.timeline.evaluate(async (node) => {
    const scrolled = new Promise((resolve) => node.addEventListener('scroll', resolve, { once: true }))
    node.scrollTop -= 40
    await scrolled
    await new Promise(requestAnimationFrame)
    const { left, top, width, height } = node.getBoundingClientRect()
    const bubbles = [...node.querySelectorAll('article')].map((article) => article.getBoundingClientRect())
    const seen = bubbles.find((box) => box.top > top && box.bottom < top + height / 2 && box.left >= left)
    if (!seen || width === 0) return undefined
    const hit = document.elementFromPoint(seen.right - 10, seen.top + 10)
    return hit?.closest('article') !== null
  })
  expect(isHit).toBe(true)
})
