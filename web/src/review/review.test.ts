import { expect, test } from 'vitest'
import type { Remark } from '../text/changes/remarks.ts'
import { Review, Reviews } from './review.svelte.ts'

function remark(line: number, text: string): Remark {
  return { change: 0, line, where: `a.ts:${line}`, code: '+x', text }
}

function browser() {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  }
}

test('[U112] comments are kept for each entry until they are removed or sent', () => {
  const store = browser()
  const review = new Review('1', store)
  review.write(remark(4, ''))
  expect(review.count).toBe(0)
  review.write(remark(4, 'Why'))
  review.write(remark(2, 'No'))
  review.write(remark(4, 'Why?'))
  expect([new Review('1', store).count, new Review('2', store).count]).toEqual([2, 0])
  expect(new Review('1', store).reply).toContain('`a.ts:4`\n> `+x`\n\nWhy?')
  review.remove(remark(2, ''))
  expect(review.remarks).toEqual([remark(4, 'Why?')])
  review.clear()
  expect(store.kept.size).toBe(0)
})

test('[U112] another tab sees what is written, and what is stored wrongly is nothing', () => {
  const store = browser()
  const [here, there] = [new Reviews(store), new Reviews(store)]
  here.of('1').write(remark(1, 'Yes'))
  expect(there.of('1').count).toBe(1)
  here.of('1').clear()
  there.hear('parley.review.1')
  expect(there.of('1').count).toBe(0)
  store.setItem('parley.review.2', '[{"line":"one"}]')
  expect(there.of('2').remarks).toEqual([])
})
