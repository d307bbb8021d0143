import { expect, test } from 'vitest'
import { createPieces, readLines } from './read-lines.ts'

test('[G301] what comes byte by byte is the same, and is kept in few pieces', () => {
  const text = Array.from({ length: 5000 }, (_, n) => n).join(' ')
  const pieces = createPieces()
  for (const byte of Buffer.from(text)) pieces.add(Buffer.from([byte]))
  expect(pieces.count()).toBeLessThan(2048)
  expect(pieces.taken().toString()).toBe(text)
  const lines: string[] = []
  const { hear } = readLines({ most: 100_000, line: (line) => void lines.push(line), tooLong() {} })
  for (const byte of Buffer.from(`${text}\n\n${text}\n`)) hear(Buffer.from([byte]))
  expect(lines).toEqual([text, '', text])
})

test('[G301] of a line that is too long both ends are told, however it comes', () => {
  const told: string[] = []
  const { hear } = readLines({ most: 10_000, line: () => {}, tooLong: (ends) => void told.push(ends) })
  for (const byte of Buffer.from(`begin${'x'.repeat(20_000)}end\n`)) hear(Buffer.from([byte]))
  expect(told.map((ends) => [ends.startsWith('begin'), ends.endsWith('xend')])).toEqual([[true, true]])
})
