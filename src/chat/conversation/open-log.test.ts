import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { placeTest as test } from '../../../test/log/contract/place.ts'
import { settled } from '../../../test/log/contract/search-rules.ts'
import { NO_ENTRY } from '../../log/journal.ts'
import type { Body } from '../../protocol/entries/entry.ts'
import { logFile, openLog } from './open-log.ts'

const SEARCH_TEXT = new URL('../reading/search-text.ts', import.meta.url)

const STORED: [text: string, body: Body][] = [
  [
    '{"kind":"hologram","text":"needle"}',
    { kind: 'unknown', name: 'hologram', content: { kind: 'hologram', text: 'needle' } },
  ],
  [
    '{"kind":"message","text":{"needle":1}}',
    { kind: 'unknown', name: 'message', content: { kind: 'message', text: { needle: 1 } } },
  ],
  [
    '{"kind":"message","text":"needle',
    { kind: 'unknown', name: 'damaged', content: '{"kind":"message","text":"needle' },
  ],
  ['"needle"', { kind: 'unknown', name: 'damaged', content: 'needle' }],
  ['{"kind":"unknown","name":"kept","content":"needle"}', { kind: 'unknown', name: 'kept', content: 'needle' }],
]

test('[L41] what this version cannot read is told as unknown, is not found, and hides nothing else', async ({
  place,
}) => {
  const message: Body = { kind: 'message', author: 'user', by: 'person', text: 'A needle' }
  const before = await openLog(place)
  await before.append('a', NO_ENTRY, [...STORED.map((_, n) => ({ key: `k${n}`, body: message })), { body: message }])
  await before.close()
  const db = new DatabaseSync(logFile(place))
  for (const [n, [text]] of STORED.entries()) db.prepare('UPDATE entry SET body = ? WHERE key = ?').run(text, `k${n}`)
  db.close()

  const log = await openLog(place, SEARCH_TEXT)
  const entries = await log.read({ conversation: 'a', limit: 9 })
  expect(entries.map(({ body }) => body)).toEqual([...STORED.map(([, body]) => body), message])
  const { hits } = await settled(log, { query: 'needle', limit: 9 })
  expect(hits.map(({ id }) => id)).toEqual([entries.at(-1)?.id])
  await log.close()
})
