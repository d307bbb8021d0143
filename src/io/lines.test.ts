import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { bytePieces, linesInBytes, readLines } from './lines.ts'

test('[G301] what comes byte by byte is the same, and is kept in few pieces', () => {
  const text = Array.from({ length: 5000 }, (_, n) => n).join(' ')
  const pieces = bytePieces()
  for (const byte of Buffer.from(text)) pieces.add(Buffer.from([byte]))
  expect(pieces.count()).toBeLessThan(2048)
  expect(pieces.taken().toString()).toBe(text)
  const lines: string[] = []
  const { hear } = linesInBytes({ most: 100_000, line: (line) => void lines.push(line), tooLong() {} })
  for (const byte of Buffer.from(`${text}\n\n${text}\n`)) hear(Buffer.from([byte]))
  expect(lines).toEqual([text, '', text])
})

test('[G301] of a line that is too long both ends are told, however it comes', () => {
  const told: string[] = []
  const { hear } = linesInBytes({ most: 10_000, line: () => {}, tooLong: (ends) => void told.push(ends) })
  for (const byte of Buffer.from(`begin${'x'.repeat(20_000)}end\n`)) hear(Buffer.from([byte]))
  expect(told.map((ends) => [ends.startsWith('begin'), ends.endsWith('xend')])).toEqual([[true, true]])
})

test('[S134] a line that is too long is not told, also where it comes as a whole, and nothing after it', () => {
  const stream = new PassThrough()
  const told: string[] = []
  const tooLong = () => void told.push('too long')
  readLines(stream, { limitLength: 10, line: (text) => void told.push(text), tooLong })
  stream.emit('data', `0123456789\n${'x'.repeat(11)}\nafter\n`)
  stream.emit('data', 'later\n')
  expect(told).toEqual(['0123456789', 'too long'])
})

test('[S134] letters whose bytes come apart are whole, and a limit counts characters', async () => {
  const stream = new PassThrough()
  const told: string[] = []
  readLines(stream, { limitLength: 4, line: (text) => void told.push(text), tooLong: () => void told.push('too long') })
  for (const byte of Buffer.from('äöü€\n😀😀\n')) stream.write(Buffer.from([byte]))
  await finished(stream.end())
  expect(told).toEqual(['äöü€', '😀😀'])
})
