import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type HubCard, readCard, writeCard } from './hub-card.ts'

const CARD: HubCard = { pid: 7, host: '127.0.0.1', port: 4117, url: 'http://localhost:4117', secret: 'a-B_9'.repeat(6) }

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('[C33] a card is read as it was written, by whatever hub was last', () => {
  const folder = newFolder()
  expect(readCard(folder)).toBeUndefined()
  writeCard(folder, CARD)
  writeCard(folder, { ...CARD, host: '::1', pid: 8 })
  expect(readCard(folder)).toEqual({ ...CARD, host: '::1', pid: 8 })
})

test.each([
  '',
  'null',
  '[1, 2, 3]',
  JSON.stringify(CARD).slice(0, 40),
  JSON.stringify({ ...CARD, port: 1e9 }),
  JSON.stringify({ ...CARD, port: 0 }),
  JSON.stringify({ ...CARD, port: '4117' }),
  JSON.stringify({ ...CARD, host: 'no host/at all' }),
  JSON.stringify({ ...CARD, host: 'user@host' }),
  JSON.stringify({ ...CARD, secret: 'a\r\nb: c' }),
  JSON.stringify({ ...CARD, secret: '' }),
])('[C33] a card that no hub wrote is as good as none: %s', (text) => {
  const folder = newFolder()
  writeFileSync(join(folder, 'hub.json'), text)
  expect(readCard(folder)).toBeUndefined()
})
