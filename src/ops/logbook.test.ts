import { expect, onTestFinished, test } from 'vitest'
import type { LogLevel } from '../protocol/log-level.ts'
import { createLogbook } from './logbook.ts'

function journalFor({ level = 'info' as LogLevel, isTTY = false } = {}) {
  const written: string[] = []
  const out = { isTTY, writableLength: 0, write: (text: string) => written.push(text) }
  const now = () => new Date(2026, 0, 2, 3, 4, 5)
  const logbook = createLogbook({ level, content: false, out, now })
  onTestFinished(logbook.close)
  return { ...logbook, out, written }
}

test('[C25] programs get one JSON line for each event, of the level they asked for and above', () => {
  const { tell, close, written } = journalFor({ level: 'warn' })
  tell('info', 'call', { tool: 'send_message' })
  tell('warn', 'stdio', { error: 'two\nlines' })
  tell('error', 'error', { error: 'Broken', line: undefined })
  close()
  const lines = written.join('').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { time: expect.any(String), level: 'warn', event: 'stdio', error: 'two\nlines' },
    { time: expect.any(String), level: 'error', event: 'error', error: 'Broken' },
  ])
})

test('[C25] a person at a terminal gets readable lines, and no name can steer the terminal', () => {
  const { tell, close, written } = journalFor({ isTTY: true })
  tell('info', 'call', { tool: 'send_message', client: 'a \u001b[31mred\u202e client', outcome: 'ok', ms: 1.5 })
  tell('error', 'error', { error: 'Broken', stack: 'Error: Broken\n  at home' })
  close()
  expect(written.join('')).toBe(
    [
      '03:04:05 info  call tool=send_message client="a \\u001b[31mred\\u202e client" outcome=ok ms=1.5',
      '03:04:05 error error error=Broken',
      'Error: Broken',
      '  at home',
      '',
    ].join('\n'),
  )
})

test('[C26] what nobody reads is left out and counted, and does not grow', async () => {
  const { tell, out, written } = journalFor()
  out.writableLength = 2 * 1024 * 1024
  for (let n = 0; n < 1000; n++) tell('info', 'call', { n })
  out.writableLength = 0
  tell('info', 'call', { n: 'last' })
  await new Promise(setImmediate)
  const lines = written.join('').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', event: 'dropped', lines: 1000 },
    { level: 'info', event: 'call', n: 'last' },
  ])
})
