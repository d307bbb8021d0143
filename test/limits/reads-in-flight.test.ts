import { expect, test } from 'vitest'
import type { View } from '../../src/chat/view.ts'
import { SOAK } from '../log/contract/place.ts'
import { startHub } from '../support/hub.ts'
import { connectPage, type Frame } from '../support/socket.ts'

const MIB = 1024 * 1024
const SAID = SOAK > 1 ? 100 : 8

async function talkAtLength(view: View) {
  for (let n = 0; n < SAID; n++) await view.say('work', { text: 'x'.repeat(0.9 * MIB) })
}

test('[S65] of reads that are pipelined and not taken, few answers are in memory', async () => {
  const { view, url } = await startHub()
  await talkAtLength(view)
  const page = await connectPage(url, { conversation: 'work' })
  await page.next('page')
  const before = process.memoryUsage().rss
  page.ws.pause()
  const keys = Array.from({ length: 60 }, (_, n) => `read ${n}`)
  for (const key of keys) page.say({ type: 'read', key, conversation: 'work', limit: 100 })
  // The log is asked in turn: when another client has its page, those of this one wait for their reader.
  const other = await connectPage(url, { conversation: 'work' })
  await other.next('page')
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * MIB)
  page.ws.resume()
  for (const key of keys) expect((await page.next('page')).key).toBe(key)
})

test('[S65] more reads than may wait are refused, and the others are answered in order', async () => {
  const { view, url } = await startHub()
  await view.say('work', { text: 'Hello' })
  const page = await connectPage(url, { conversation: 'work' })
  await page.next('page')
  const keys = Array.from({ length: 150 }, (_, n) => `read ${n}`)
  for (const key of keys) page.say({ type: 'read', key, conversation: 'work' })
  const answers: Frame[] = []
  while (answers.length < keys.length) {
    const answer = await page.any()
    if (answer.key !== undefined) answers.push(answer)
  }
  const refused = answers.filter(({ type }) => type === 'refused')
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]).toMatchObject({ code: 'too_many_reads' })
  const read = answers.filter(({ type }) => type === 'page').map(({ key }) => key)
  expect(read).toEqual(keys.filter((key) => read.includes(key)))
  expect(read.length + refused.length).toBe(keys.length)
})

test('[S65] posts that are pipelined and take much are heard one after the other, and all count', async () => {
  const { view, url } = await startHub(undefined, { unreadBytes: 64 * 1024 })
  const page = await connectPage(url)
  const texts = Array.from({ length: 40 }, (_, n) => `${n}`.padEnd(100_000, 'x'))
  for (const text of texts) page.say({ type: 'post', key: text.slice(0, 9), conversation: 'work', text })
  for (const text of texts) expect((await page.next('accepted')).key).toBe(text.slice(0, 9))
  const { entries } = await view.page('work', { limit: 100 })
  expect(entries.map(({ body }) => 'text' in body && body.text)).toEqual(texts)
})
