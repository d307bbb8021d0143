import { expect, test } from 'vitest'
import type { View } from '../../src/chat/view.ts'
import type { Entry } from '../../src/protocol/entries/entry.ts'
import { INBOX } from '../../src/protocol/frames/inbox.ts'
import { SOAK } from '../log/contract/place.ts'
import { ask } from '../support/chat.ts'
import { startHub } from '../support/hub.ts'
import { connectHttp } from '../support/mcp/http-client.ts'
import { connect, connectPage } from '../support/socket.ts'

const MIB = 1024 * 1024
const MANY = SOAK > 1 ? 300 : 12
const AS_JSON = 6 * MIB

async function talkAtLength(view: View, conversation = 'work') {
  for (let n = 0; n < MANY; n++) await view.say(conversation, { text: `${n}`.padEnd(0.9 * MIB, 'x') })
}

test('[S61] the pages of /ws end at 4 MiB, say that there is more, and lead through everything', async () => {
  const { view, url } = await startHub()
  await talkAtLength(view)
  const page = await connectPage(url, { conversation: 'work' })
  let shown = await page.next('page')
  const firstLetters: string[] = []
  for (let key = 0; ; key++) {
    expect(JSON.stringify(shown).length).toBeLessThan(AS_JSON)
    const entries = shown.entries as Entry[]
    firstLetters.unshift(...entries.map(({ body }) => ('text' in body ? `${body.text}`.replaceAll('x', '') : '')))
    if (!shown.has_older) break
    page.say({ type: 'read', key: `${key}`, conversation: 'work', before: entries[0]?.id })
    shown = await page.next('page')
  }
  expect(firstLetters).toEqual(Array.from({ length: MANY }, (_, n) => `${n}`))
})

test('[S61] around an entry and for a page that comes back it is no more', async () => {
  const { view, url } = await startHub()
  const { id: cursor } = await view.say('work', { text: 'seen' })
  await talkAtLength(view)
  const page = await connectPage(url, { cursor, conversation: 'work' })
  expect(page.welcome.resumed).toBe(false)
  await page.next('page')
  const early = await view.page('work', { after: cursor, limit: 5 })
  const { entries } = await view.page('work', { after: early.entries.at(-1)?.id, limit: 5 })
  page.say({ type: 'read', key: 'middle', conversation: 'work', around: entries[1]?.id })
  const middle = await page.next('page')
  expect(middle).toMatchObject({ has_older: true, has_newer: true })
  expect(JSON.stringify(middle).length).toBeLessThan(2 * AS_JSON)
})

test('[S61] the history of a bridge client ends there too, and the oldest open question is told', async () => {
  const { view, url } = await startHub()
  const oldest = await ask(view, { by: 'agent', text: 'Really?' })
  for (let n = 0; n < MANY; n++)
    await view.answer(await ask(view, { by: 'agent', text: `${n}`.padEnd(0.9 * MIB, 'x') }), 'yes')
  const client = await connect(url)
  const first = await client.next('connected')
  expect(first).toMatchObject({ pendingAckId: oldest, has_older: true })
  expect(JSON.stringify(first).length).toBeLessThan(AS_JSON)
  expect((first.history as { text: string }[]).at(-1)?.text.slice(0, 3)).toBe(`${MANY - 1}`.padEnd(3, 'x'))
})

test('[S61] MCP, REST and exports read it in pieces', async () => {
  const { view, url } = await startHub()
  await talkAtLength(view, 'chat')
  const program = await connectHttp(`${url}/mcp/chat`)
  const { contents } = await program.readResource({ uri: INBOX })
  const [inbox] = contents as { text: string }[]
  expect(JSON.parse(inbox?.text ?? '')).toMatchObject({ has_older: true })
  expect(inbox?.text.length).toBeLessThan(AS_JSON)
  const answer = await fetch(`${url}/api/tools/chat_read_since`, { method: 'POST', body: '{}' })
  const { messages, has_more } = await answer.json()
  expect([messages.length, has_more]).toEqual([1, true])
  let bytes = 0
  const exported = await fetch(`${url}/api/export/chat?format=json`)
  for await (const chunk of exported.body ?? []) bytes += chunk.length
  expect(bytes).toBeGreaterThan(MANY * 0.9 * MIB)
})
