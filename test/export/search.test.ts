import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { textOf } from '../../src/chat/reading/search-text.ts'
import type { View } from '../../src/chat/view.ts'
import { speakTimeline } from '../../src/doors/ws/timeline-dialect.ts'
import type { Body } from '../../src/protocol/entries/entry.ts'
import { type Hit, TimelineFrame } from '../../src/protocol/frames/timeline.ts'
import { ask, openTestChat } from '../support/chat.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { png } from '../support/images.ts'
import { type Client, connect, connectPage, type Frame } from '../support/socket.ts'
import { uploaded } from '../support/uploads.ts'

const say = (text: string) => ({ text })

/** What matches stands in brackets. */
function marked({ text, ranges }: Hit['snippet']): string {
  return ranges.reduceRight(
    (line, [from, to]) => `${line.slice(0, from)}[${line.slice(from, to)}]${line.slice(to)}`,
    text,
  )
}

/** What was found, by its kind. */
async function kindsOf(view: View, hits: Hit[]) {
  const pages = hits.map(({ id, conversation }) => view.page(conversation, { around: id, limit: 1 }))
  return (await Promise.all(pages)).map(({ entries }) => entries[0]?.body.kind)
}

/** Once nothing is left to be indexed. */
async function find(page: Client, query: string, more: Record<string, unknown> = {}) {
  for (;;) {
    page.say({ type: 'search', key: 's', query, ...more })
    const frame = await page.next('found')
    expect(TimelineFrame.safeParse(frame).error).toBeUndefined()
    if (!frame.indexing) return frame as Frame & { hits: Hit[]; has_more: boolean; next?: string }
  }
}

test('[X1] a page searches all conversations and gets the newest first, with titles and what matches', async () => {
  const { view, url } = await startHub()
  const { id } = await view.say('one', say('Please deploy the website'))
  await view.say('two', say('Nothing to do'))
  const later = await view.say('two', say('Then **deploy** again'))
  await view.rename('two', 'Second project')
  const page = await connectPage(url)
  expect(page.welcome.search).toBe(true)
  const { hits, has_more } = await find(page, 'DEPLOY')
  expect(has_more).toBe(false)
  expect(hits).toEqual([
    {
      id: later.id,
      conversation: 'two',
      title: 'Second project',
      at: later.at,
      kind: 'message',
      by: 'person',
      person: true,
      snippet: { text: 'Then deploy again', ranges: [[5, 11]] },
    },
    expect.objectContaining({ id, conversation: 'one', title: 'one' }),
  ])
  expect((await find(page, 'deploy', { conversation: 'one' })).hits.map((hit) => hit.id)).toEqual([id])
})

test('[X1] questions, options, replies, reasons, titles and what an agent does are found; images are not', async () => {
  const { view, url } = await startHub()
  const asked = await ask(view, { by: 'agent', text: 'Which colour?', options: [{ label: 'Vermilion' }] })
  await view.choose(asked, ['Vermilion'])
  const approval = { tool_name: 'Bash', input: '{"command":"rm -rf build"}' }
  const call = await ask(view, { by: 'agent', text: 'Allow?', approval })
  await view.deny(call, 'Too dangerous')
  const tool = await ask(view, { by: 'agent', text: 'Allow?', approval: { tool_name: 'Sextant', input: '{}' } })
  await view.allowAlways(tool, undefined)
  const star = { tool_name: 'Sextant', input: '{"star":"Aldebaran"}' }
  await ask(view, { by: 'agent', text: 'Allow?', approval: star })
  await view.revoke('work', 'Sextant')
  await view.rename('work', 'Paintwork')
  for (const deed of [
    { kind: 'tool_call', tool_name: 'Grep', tool_args: '{"pattern":"needle1"}' },
    { kind: 'tool_result', tool_name: 'Grep', result: 'needle2 in haystack', success: true },
    { kind: 'thinking', reasoning: 'needle3 perhaps' },
    { kind: 'progress', text: 'needle4 threaded' },
    { kind: 'error', error: 'needle5 broke' },
  ] as const)
    await view.record('work', { by: 'agent', ...deed })
  await view.tell('work', { by: 'agent', text: 'bmVlZGxl', mime: 'image/png' })
  const page = await connectPage(url)
  const kinds = async (query: string) => kindsOf(view, (await find(page, query)).hits)
  expect(await kinds('vermilion')).toEqual(['settlement', 'question'])
  expect(await kinds('"rm -rf"')).toEqual(['question'])
  expect(await kinds('dangerous')).toEqual(['settlement'])
  expect(await kinds('aldebaran')).toEqual(['permitted_call'])
  expect(await kinds('sextant')).toEqual(['revocation', 'permitted_call', 'question'])
  expect(await kinds('paintwork')).toEqual(['title'])
  expect(await kinds('needle')).toEqual(['error', 'progress', 'thinking', 'tool_result', 'tool_call'])
  expect(await kinds('bmVlZGxl')).toEqual([])
  expect(textOf({ kind: 'of a newer Parley' } as unknown as Body)).toBeUndefined()
})

test('[X18] an entry is found by the names of its files, also beside a very long text, and the hit shows them', async () => {
  const { view, url } = await startHub()
  const file = await uploaded(url, new Uint8Array(png(2, 1)), { name: 'Überblick 2026.png' })
  const attachments = [await uploaded(url, 'Notes', { name: 'notes.md' }), file]
  await view.say('work', { ...say('Look at the header'), attachments })
  await view.say('work', { ...say(''), attachments })
  await view.say('work', { ...say('x '.repeat(40_000)), attachments })
  await view.record('work', { kind: 'progress', by: 'agent', text: 'Drawn', attachments })
  const id = await ask(view, { by: 'agent', text: 'Good?', attachments })
  await view.answer(id, 'Yes', undefined, attachments)
  const page = await connectPage(url)
  const { hits } = await find(page, 'uberblick notes.md')
  expect(await kindsOf(view, hits)).toEqual(['settlement', 'question', 'progress', 'message', 'message', 'message'])
  for (const { snippet } of hits) expect(marked(snippet)).toMatch(/^\[notes\.md\] \[Überblick\] 2026\.png/)
  expect((await find(page, 'header 2026')).hits.map(({ snippet }) => snippet.text)).toEqual([
    'notes.md Überblick 2026.png Look at the header',
  ])
})

test('[X18] names of files that an older index left out are found once it was made anew', async () => {
  const data = await temporaryFolder()
  const before = await startHub(data)
  const attachments = [await uploaded(before.url, 'Notes', { name: 'minutes.md' })]
  await before.view.say('work', { ...say('Look'), attachments })
  await find(await connectPage(before.url), 'minutes')
  await before.close()
  const db = new DatabaseSync(`${data}/parley.db`)
  db.exec("UPDATE search_index SET version = 1; INSERT INTO entry_text (entry_text) VALUES ('delete-all')")
  db.close()
  const { url } = await startHub(data)
  expect((await find(await connectPage(url), 'minutes')).hits).toHaveLength(1)
})

test('[X2] pages of hits go on where the last one ended', async () => {
  const { view, url } = await startHub()
  const posted = await Promise.all(Array.from({ length: 70 }, (_, n) => view.say('work', say(`deploy ${n}`))))
  const page = await connectPage(url)
  const ids: string[] = []
  for (let before: string | undefined; ; ) {
    const { hits, has_more, next } = await find(page, 'deploy', { before })
    ids.push(...hits.map(({ id }) => id))
    expect(has_more).toBe(next !== undefined)
    if (next === undefined) break
    before = next
  }
  expect(ids).toEqual(posted.map(({ id }) => id).reverse())
})

test('[X3] a principal bound to one conversation finds only there, and may not ask for another', async () => {
  const { view, url, tokens } = await startHub()
  await view.say('mine', say('deploy mine'))
  await view.say('other', say('deploy other'))
  const { secret } = await tokens.create({ name: 'ada', conversation: 'mine' })
  const headers = { authorization: `Bearer ${secret}` }
  const page = await connect(url, '/ws?dialect=timeline', undefined, headers)
  page.say({ type: 'hello' })
  await page.next('welcome')
  for (const query of ['deploy', 'de'])
    expect((await find(page, query)).hits.map(({ conversation }) => conversation)).toEqual(['mine'])
  expect((await find(page, 'deploy', { conversation: 'mine' })).hits).toHaveLength(1)
  page.say({ type: 'search', key: 's', query: 'deploy', conversation: 'other' })
  expect(await page.next('refused')).toMatchObject({ key: 's', error: 'Unknown conversation "other"' })
})

test('[X4] any query is answered, and one that is too long is refused in one sentence', async () => {
  const { view, url } = await startHub()
  await view.say('work', say('say "hello" AND* (world) 🚀 \u202etest'))
  const page = await connectPage(url)
  for (const query of [
    '',
    '"',
    '" OR "',
    'NEAR(a b)',
    'text:hello',
    '*',
    '\u0000',
    '🚀',
    '\ud83d',
    '%',
    '\\',
    'a'.repeat(1000),
  ])
    expect((await find(page, query)).type).toBe('found')
  expect((await find(page, '"hello" AND*')).hits).toHaveLength(1)
  page.say({ type: 'search', key: 'long', query: 'x'.repeat(10_240) })
  expect(await page.next('refused')).toMatchObject({ key: 'long', error: '"query" is longer than 1,000 characters' })
})

test('[X5] a log that is not indexed yet is searched as far as it is, and says so', async () => {
  const data = await temporaryFolder()
  const before = await startHub(data)
  const texts = Array.from({ length: 900 }, (_, n) => `deploy ${n}`)
  await Promise.all(texts.map((text) => before.view.say('work', say(text))))
  await before.close()
  const db = new DatabaseSync(`${data}/parley.db`)
  db.exec('DROP TABLE IF EXISTS search_index; DROP TABLE IF EXISTS entry_text')
  // So much that was said before that it takes longer than any pause of this process until it asks.
  db.exec(`WITH RECURSIVE copy(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM copy WHERE n < 20)
    INSERT INTO entry (id, conversation, body, at)
    SELECT id - n * 100000000, conversation, replace(body, 'deploy', 'before'), at FROM entry, copy`)
  db.close()
  const { url } = await startHub(data)
  const page = await connectPage(url)
  page.say({ type: 'search', key: 's', query: 'deploy' })
  expect(await page.next('found')).toMatchObject({ indexing: true })
  expect((await find(page, '"deploy 899"')).hits).toHaveLength(1)
})

test('[X6] a hub whose log cannot be searched says so, and refuses', async () => {
  const { view } = openTestChat()
  const frames: Frame[] = []
  const speaker = speakTimeline({
    view,
    composer: 'always',
    send: (frame) => void frames.push(JSON.parse(String(frame))),
    sendSoon() {},
    behind: () => undefined,
    fail: (error) => expect.unreachable(String(error)),
  })
  await speaker.receive('{"type":"hello"}')
  expect(frames[0]).toMatchObject({ type: 'welcome', search: false })
  await expect(speaker.receive('{"type":"search","key":"k","query":"x"}')).rejects.toThrow('This hub cannot search')
  speaker.close()
})
