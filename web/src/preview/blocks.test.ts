import { expect, test } from 'vitest'
import { createBlocks, LONGEST_LINE } from './blocks.ts'

function blocksOf(...pieces: string[]) {
  const cut = createBlocks()
  for (const piece of pieces) cut.add(piece)
  cut.end()
  return cut.soFar()
}

test('[F24] however a text comes, its lines are whole and keep their numbers', () => {
  expect(blocksOf('one\r\ntw', 'o\n\nfo', 'ur')).toEqual([
    { first: 1, continues: false, lines: ['one', 'two', '', 'four'] },
  ])
  expect(blocksOf('one\n')).toEqual([{ first: 1, continues: false, lines: ['one'] }])
  expect(blocksOf('')).toEqual([])
  const many = blocksOf(Array.from({ length: 250 }, (_, n) => `${n + 1}\n`).join(''))
  expect(many.map(({ first, lines }) => [first, lines[0], lines.length])).toEqual([
    [1, '1', 100],
    [101, '101', 100],
    [201, '201', 50],
  ])
})

test('[F24] a line without end is cut between its letters, and the next one has its number', () => {
  const endless = `${'x'.repeat(LONGEST_LINE - 1)}😀`.repeat(3)
  const blocks = blocksOf(...(endless.match(/.{1,999}/gs) ?? []), '\nnext')
  expect(blocks.flatMap(({ lines }) => lines).join('')).toBe(`${endless}next`)
  expect(blocks.every(({ lines }) => lines.every((line) => line.length <= LONGEST_LINE && line.isWellFormed()))).toBe(
    true,
  )
  expect(blocks.map(({ continues }) => continues)).toEqual([false, true, true, true])
  expect(blocks.at(-1)).toMatchObject({ first: 1, continues: true, lines: [expect.any(String), 'next'] })
})
