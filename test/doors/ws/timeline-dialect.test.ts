import { expect, test } from 'vitest'
import type { Entry } from '../../../src/protocol/entries/entry.ts'
import { emptyConversation, fold } from '../../../src/protocol/entries/fold.ts'
import { TimelineFrame } from '../../../src/protocol/frames/timeline.ts'
import { agentOverHttp } from '../../support/agent.ts'
import { ask } from '../../support/chat.ts'
import { startHub, temporaryFolder } from '../../support/hub.ts'
import { type Client, connect, connectPage } from '../../support/socket.ts'

const textsOf = (entries: unknown) => (entries as Entry[]).map(({ body }) => 'text' in body && body.text)

async function entriesUntil(page: Client, count: number): Promise<Entry[]> {
  const got: Entry[] = []
  while (got.length < count) got.push(...((await page.next('entries')).entries as Entry[]))
  return got
}

test('[W7] a page is greeted with the conversations and the one it shows, and commands before hello are refused', async () => {
  const { view, url } = await startHub()
  await view.say('one', { text: 'first' })
  await view.say('two', { text: 'second' })
  const client = await connect(url, '/ws?dialect=timeline')
  client.say({ type: 'post', key: 'k', conversation: 'one', text: 'too early' })
  expect(await client.next('refused')).toMatchObject({ key: 'k', code: 'hello_first' })
  client.say({ type: 'hello', conversation: 'one' })
  const welcome = await client.next('welcome')
  expect(welcome).toMatchObject({ resumed: false, has_more: false, agents: {}, cursor: await view.last() })
  expect((welcome.conversations as { id: string }[]).map(({ id }) => id)).toEqual(['two', 'one'])
  const page = await client.next('page')
  expect(textsOf(page.entries)).toEqual(['first'])
  for (const frame of [welcome, page]) expect(TimelineFrame.safeParse(frame).error).toBeUndefined()
})

test('[W7] the dialect can be picked by subprotocol, and an unknown one is refused before the upgrade', async () => {
  const { url } = await startHub()
  const client = await connect(url, '/ws', ['timeline'])
  client.say({ type: 'hello' })
  await client.next('welcome')
  await expect(connect(url, '/ws?dialect=klingon')).rejects.toThrow('400')
})

test('[W8] a page that resumes gets what it missed, each entry once and in order, and then what is new', async () => {
  const { view, url } = await startHub()
  const say = (text: string) => view.say('work', { text })
  await say('seen')
  const cursor = await view.last()
  for (const text of ['missed 1', 'missed 2', 'missed 3']) await say(text)
  const page = await connectPage(url, { cursor })
  expect(page.welcome.resumed).toBe(true)
  await say('new')
  expect(textsOf(await entriesUntil(page, 4))).toEqual(['missed 1', 'missed 2', 'missed 3', 'new'])
})

test('[W8] a page that missed too much, or comes from another log, starts anew', async () => {
  const { view, url } = await startHub()
  const { id: cursor } = await view.say('work', { text: 'seen' })
  const missed = Array.from({ length: 600 }, (_, n) => `${n}`)
  await Promise.all(missed.map((text) => view.say('work', { text })))
  for (const stale of [cursor, '9999999999999999', '0000000000000007']) {
    const page = await connectPage(url, { cursor: stale, conversation: 'work' })
    expect(page.welcome.resumed).toBe(false)
    expect(textsOf((await page.next('page')).entries).at(-1)).toBe('599')
  }
})

test('[W8] a cursor of another log is never resumed from, however few entries came after it', async () => {
  const { view, url } = await startHub()
  const { id } = await view.say('work', { text: 'only one' })
  const elsewhere = String(Number(id) - 1)
  expect((await connectPage(url, { cursor: elsewhere })).welcome.resumed).toBe(false)
})

test('[W11] posts that are pipelined keep their order and are each accepted', async () => {
  const { view, url } = await startHub()
  const page = await connectPage(url)
  const texts = Array.from({ length: 500 }, (_, n) => `post ${n}`)
  for (const [n, text] of texts.entries()) page.say({ type: 'post', key: `key ${n}`, conversation: 'work', text })
  for (const n of texts.keys()) expect((await page.next('accepted')).key).toBe(`key ${n}`)
  const { entries } = await view.page('work', { limit: 1000 })
  expect(textsOf(entries)).toEqual(texts)
})

test('[W12] a command sent again with its key happens once', async () => {
  const { view, url } = await startHub()
  const id = await ask(view, { by: 'agent', text: 'Deploy now?' })
  const approval = { tool_name: 'Bash', input: '{}' }
  const call = await ask(view, { by: 'agent', text: 'Allow?', approval })
  const both = [await ask(view, { by: 'agent', text: 'When?' }), await ask(view, { by: 'agent', text: 'Where?' })]
  const page = await connectPage(url)
  const commands = [
    { type: 'post', key: 'a', conversation: 'work', text: 'Hello' },
    { type: 'answer', key: 'b', question: id, text: 'Yes' },
    { type: 'rename', key: 'c', conversation: 'work', title: 'Deployment' },
    { type: 'allow', key: 'd', question: call, always: true },
    { type: 'revoke', key: 'e', conversation: 'work', tool_name: 'Bash' },
    { type: 'answer_all', key: 'f', answers: both.map((question) => ({ question, text: 'Now' })) },
  ]
  for (const command of commands) {
    page.say(command)
    const first = await page.next('accepted')
    page.say(command)
    expect(await page.next('accepted')).toEqual(first)
  }
  expect((await view.page('work', { limit: 20 })).entries).toHaveLength(12)
})

test('[W13] pages are read in both directions from any entry', async () => {
  const { view, url } = await startHub()
  const texts = Array.from({ length: 25 }, (_, n) => `${n}`)
  const posted = await Promise.all(texts.map((text) => view.say('work', { text })))
  const page = await connectPage(url)
  const read = async (range: Record<string, unknown>) => {
    page.say({ type: 'read', key: 'r', conversation: 'work', ...range })
    const { entries, has_older, has_newer } = await page
      .next('page')
      .then((frame) => (frame.key ? frame : page.next('page')))
    return [textsOf(entries).join(' '), has_older, has_newer]
  }
  expect(await read({ limit: 3 })).toEqual(['22 23 24', true, false])
  expect(await read({ before: posted[22]?.id, limit: 3 })).toEqual(['19 20 21', true, true])
  expect(await read({ before: posted[2]?.id, limit: 3 })).toEqual(['0 1', false, true])
  expect(await read({ after: posted[21]?.id, limit: 3 })).toEqual(['22 23 24', true, false])
  expect(await read({ after: posted[20]?.id, limit: 3 })).toEqual(['21 22 23', true, true])
})

test('[W13] a page is read around an entry, and around a moment', async () => {
  const { view, url } = await startHub()
  const texts = Array.from({ length: 25 }, (_, n) => `${n}`)
  const posted: Entry[] = []
  for (const text of texts) {
    posted.push(await view.say('work', { text }))
    await view.say('other', { text })
  }
  const page = await connectPage(url, { conversation: 'other' })
  await page.next('page')
  const read = async (place: Record<string, unknown>) => {
    page.say({ type: 'read', key: 'r', conversation: 'work', ...place })
    const { entries, has_older, has_newer } = await page.next('page')
    return [textsOf(entries).join(' '), has_older, has_newer]
  }
  expect(await read({ around: posted[12]?.id, limit: 5 })).toEqual(['10 11 12 13 14', true, true])
  expect(await read({ around: posted[12]?.id, limit: 1 })).toEqual(['12', true, true])
  expect(await read({ around: posted[0]?.id, limit: 4 })).toEqual(['0 1 2 3', false, true])
  expect(await read({ around: posted[24]?.id, limit: 4 })).toEqual(['21 22 23 24', true, false])
  expect(await read({ around: '0000000000000000', limit: 2 })).toEqual(['0 1', false, true])
  expect(await read({ around: '9999999999999999', limit: 2 })).toEqual(['23 24', true, false])
  expect(await read({ around: posted[12]?.id })).toEqual([texts.join(' '), false, false])
  const moment = posted[12]?.at ?? 0
  const first = posted.findIndex(({ at }) => at >= moment)
  expect(await read({ around_time: moment, limit: 1 })).toEqual([`${first}`, true, true])
  expect(await read({ around_time: 0, limit: 2 })).toEqual(['0 1', false, true])
  expect(await read({ around_time: Date.now() + 60_000, limit: 2 })).toEqual(['23 24', true, false])
  page.say({ type: 'read', key: 'r', conversation: 'nowhere', around_time: 0 })
  expect(await page.next('page')).toMatchObject({ entries: [], has_older: false, has_newer: false })
})

test('[W15] the page sees the agent come, ask, work and go, and folds to the same conversation as the hub', async () => {
  const { view, url } = await startHub()
  const page = await connectPage(url)
  const agent = await agentOverHttp(url, { era: 'legacy' })
  const reply = agent.ask('Deploy now?')
  const first = await page.next('agent')
  expect(first).toEqual({ type: 'agent', conversation: 'work', state: 'idle', seen: expect.any(Number) })
  expect(await page.next('agent')).toMatchObject({ state: 'working' })
  expect(await page.next('agent')).toMatchObject({ state: 'waiting' })
  const watcher = await connectPage(url, { conversation: 'work' })
  expect(watcher.welcome.agents).toEqual({ work: { state: 'waiting', seen: expect.any(Number) } })
  const question = (await view.conversation('work')).open[0]?.id
  page.say({ type: 'answer', key: 'k', question, text: 'Yes' })
  expect(await page.next('agent')).toMatchObject({ state: 'working' })
  expect(await reply).toBe('Yes')
  const shown = (await watcher.next('page')) as unknown as { entries: Entry[] }
  const live = await entriesUntil(watcher, 2)
  const folded = [...shown.entries, ...live].reduce(fold, emptyConversation('work'))
  expect(folded).toEqual(await view.conversation('work'))
})

test('[W4] malformed commands are refused with the key they carry', async () => {
  const { url } = await startHub()
  const page = await connectPage(url)
  const bad: [string, string | undefined, string][] = [
    ['{"type":"post","key":"k"', undefined, 'This JSON cannot be read'],
    ['{"type":"post","key":"k"}', 'k', '"conversation" must be text'],
    ['{"type":"post","key":"k","conversation":"work","text":""}', 'k', '"text" must not be empty'],
    ['{"type":"post","conversation":"work","text":"x"}', undefined, '"key" must be text'],
    ['{"type":"read","key":"k","conversation":"work","limit":0}', 'k', '"limit" must be from 1 to 100'],
    ['{"type":"read","key":"k","conversation":"work","limit":1.5}', 'k', '"limit" must be from 1 to 100'],
    ['{"type":"read","key":"k","conversation":"work","before":"x"}', 'k', '"before" must be an entry id'],
    ['{"type":"read","key":"k","conversation":"work","around":7}', 'k', '"around" must be an entry id'],
    [
      '{"type":"read","key":"k","conversation":"work","around_time":"noon"}',
      'k',
      '"around_time" must be milliseconds since 1970',
    ],
    ['{"type":"rename","key":"k","conversation":"nowhere","title":"x"}', 'k', 'Unknown conversation "nowhere"'],
    [
      '{"type":"rename","key":"k","conversation":"nowhere","title":"a\\u0000b"}',
      'k',
      '"title" must not hold control characters',
    ],
    ['{"type":"sing","key":"k"}', 'k', 'Unknown frame type "sing"'],
  ]
  for (const [frame, key, error] of bad) {
    page.say(frame)
    const { key: refused, error: said } = await page.next('refused')
    expect([refused, said]).toEqual([key, error])
  }
})

test('[W16] a page survives a restart of the hub and resumes where it was', async () => {
  const data = await temporaryFolder()
  const before = await startHub(data)
  const id = await ask(before.view, { by: 'agent', text: 'Deploy now?' })
  const page = await connectPage(before.url)
  await before.close()
  expect(await page.closed).toEqual({ code: 1001, reason: 'Parley is shutting down; come back in a moment' })
  const after = await startHub(data)
  const resumed = await connectPage(after.url, { cursor: page.welcome.cursor as string })
  expect(resumed.welcome).toMatchObject({ resumed: true, conversations: [{ id: 'work', open: [{ id }] }] })
})
