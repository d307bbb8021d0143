import { expect, test } from 'vitest'
import { TimelineFrame } from '../../src/protocol/frames/timeline.ts'
import { until } from '../support/chat.ts'
import { connectRunner, growing } from '../support/driven/runner.ts'
import { startHub } from '../support/hub.ts'
import { type Client, connectPage, type Frame } from '../support/socket.ts'

async function startConversation() {
  const hub = await startHub()
  await hub.view.say('work', { text: 'Hello' })
  const runner = await connectRunner(hub.url)
  await runner.acquire()
  return { ...hub, runner, page: await connectPage(hub.url) }
}

/** Until the text is as long. */
async function textOf(page: Client, id: string, length: number) {
  let text = ''
  let frames = 0
  while (text.length < length) {
    const { partials } = (await page.next('partial')) as Frame & { partials: ReturnType<typeof growing>[] }
    for (const one of partials) if (one.id === id) text = text.slice(0, one.from) + one.text
    frames++
  }
  return { text, frames }
}

test('[O25] a text comes to every page as it grows, in few frames, and nothing of it is stored', async () => {
  const { view, url, runner, page } = await startConversation()
  const second = await connectPage(url)
  const last = await view.last()
  const words = Array.from({ length: 400 }, (_, n) => `word ${n} `)
  const whole = words.join('')
  let shown = 0
  let calls = 0
  while (words.length > 0) {
    const chunks = words.splice(0, 20).map((word) => {
      shown += word.length
      return growing('answer', shown - word.length, word)
    })
    await runner.grow(chunks)
    calls++
  }
  for (const one of [page, second]) {
    const { text, frames } = await textOf(one, 'answer', whole.length)
    expect(text).toBe(whole)
    expect(frames).toBeLessThanOrEqual(calls)
  }
  expect(await view.last()).toBe(last)
  await runner.says(whole, 'answer')
  const { entries } = (await page.next('entries')) as Frame & { entries: { key: string }[] }
  expect(entries).toMatchObject([{ key: 'answer', body: { kind: 'message', text: whole } }])
  expect(view.driving.growing()).toEqual([])
})

test('[O26] a page that comes in the middle has the text so far right after its page, and then the rest', async () => {
  const { url, runner, page } = await startConversation()
  const output = { id: 'call', kind: 'output' as const, from: 0, text: 'compiling' }
  await runner.grow([growing('answer', 0, 'So far'), output])
  await page.next('partial')
  const late = await connectPage(url, { conversation: 'work' })
  expect(await late.any()).toMatchObject({ type: 'page' })
  const told = { type: 'partial', conversation: 'work', by: 'bob' }
  expect(TimelineFrame.parse(await late.any())).toEqual({ ...told, partials: [growing('answer', 0, 'So far'), output] })
  expect(await late.any()).toMatchObject({ type: 'policy' })
  late.say({ type: 'read', key: 'r', conversation: 'work' })
  expect(await late.any()).toMatchObject({ type: 'page', key: 'r' })
  expect(await late.any()).toEqual({ ...told, partials: [growing('answer', 0, 'So far'), output] })
  await runner.grow([growing('answer', 6, ', so good')])
  for (const one of [page, late])
    expect(await one.next('partial')).toEqual({ ...told, partials: [growing('answer', 6, ', so good')] })
})

test('[O26] a page that resumes has the text so far, too', async () => {
  const { url, view, runner, page } = await startConversation()
  await runner.grow([growing('answer', 0, 'So far')])
  await page.next('partial')
  const again = await connectPage(url, { cursor: await view.last(), conversation: 'work' })
  expect(again.welcome).toMatchObject({ resumed: true })
  expect(await again.any()).toMatchObject({ type: 'partial', partials: [growing('answer', 0, 'So far')] })
})

test('[O27] pages are told which texts became nothing: one by one, with the turn, and when the lease ends', async () => {
  const { runner, page } = await startConversation()
  await runner.grow([growing('one', 0, 'A'), growing('two', 0, 'B'), growing('three', 0, 'C')])
  await page.next('partial')
  await runner.grow([], ['one'])
  expect(await page.next('partial')).toMatchObject({ partials: [], gone: ['one'] })
  await runner.yields()
  expect(await page.next('partial')).toMatchObject({ partials: [], gone: ['two', 'three'] })
  await runner.grow([growing('four', 0, 'D')])
  await page.next('partial')
  await runner.release()
  expect(await page.next('partial')).toMatchObject({ partials: [], gone: ['four'] })
})

test('[O27] a forgotten conversation has no text any more', async () => {
  const { view, runner, page } = await startConversation()
  await runner.grow([growing('one', 0, 'A')])
  await page.next('partial')
  await view.forget('work')
  expect(view.driving.growing()).toEqual([])
})

test('[O28] a new hub, which knows no text, wants it from its beginning', async () => {
  const { runner, page } = await startConversation()
  await expect(runner.grow([growing('answer', 6, ' more')])).rejects.toThrow(
    'The text "answer" is known up to 0; show it from there, or from 0',
  )
  await runner.grow([growing('answer', 0, 'So far more')])
  expect(await page.next('partial')).toMatchObject({ partials: [growing('answer', 0, 'So far more')] })
})

test('[O29] a page that reads slowly is told later, anew and as a whole, and nothing piles up for it', async () => {
  const { runner, page, url } = await startConversation()
  const witness = await connectPage(url)
  page.ws.pause()
  const text = 'x'.repeat(250_000)
  const rounds = Array.from({ length: 16 }, (_, n) => [0, 1, 2].map((m) => `text-${n}-${m}`))
  let before: string[] = []
  for (const ids of rounds) {
    await runner.grow(
      ids.map((id) => growing(id, 0, text)),
      before,
    )
    await witness.next('partial')
    before = ids
  }
  await runner.grow([growing('last', 0, 'The end')], before)
  await witness.next('partial')
  page.ws.resume()
  await until(() => page.frames.some(({ partials }) => JSON.stringify(partials)?.includes('The end')))
  const bytes = page.frames.map((frame) => JSON.stringify(frame).length).reduce((sum, length) => sum + length, 0)
  expect(bytes).toBeLessThan((rounds.flat().length * text.length) / 2)
  const told = page.frames.at(-1) as Frame & { gone: string[] }
  expect(told.partials).toEqual([growing('last', 0, 'The end')])
  expect(told.gone).toContain(before.at(-1))
})

test('[O29] of what drivers show and offer, a page that reads slowly is told the newest, and nothing piles up', async () => {
  const { runner, page, url } = await startConversation()
  const witness = await connectPage(url)
  page.ws.pause()
  const texts = Array.from({ length: 120 }, (_, n) => `${n} ${'wait '.repeat(20_000)}`)
  for (const text of texts) {
    await runner.show({ state: 'working', notice: text })
    await witness.next('driven')
    await runner.offer({ problem: text })
    await witness.next('runners')
  }
  page.ws.resume()
  const isLast = (frame: Frame) => JSON.stringify(frame).includes(texts.at(-1) as string)
  for (const type of ['driven', 'runners'])
    await until(() => page.frames.some((frame) => frame.type === type && isLast(frame)))
  const bytes = page.frames.map((frame) => JSON.stringify(frame).length).reduce((sum, length) => sum + length, 0)
  expect(bytes).toBeLessThan(texts.join().length / 2)
})
