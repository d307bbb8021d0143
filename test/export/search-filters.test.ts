import { expect, test } from 'vitest'
import { textOf } from '../../src/chat/reading/search-text.ts'
import type { View } from '../../src/chat/view.ts'
import type { Hit } from '../../src/protocol/frames/timeline.ts'
import { ask } from '../support/chat.ts'
import { eventually } from '../support/eventually.ts'
import { startHub } from '../support/hub.ts'
import { type Client, connect, connectPage, type Frame } from '../support/socket.ts'
import { uploaded } from '../support/uploads.ts'

async function find(page: Client, query: string, more: Record<string, unknown> = {}) {
  page.say({ type: 'search', key: 's', query, ...more })
  return (await page.next('found')) as Frame & { hits: Hit[]; titled?: unknown; agents?: unknown }
}

const texts = ({ hits }: { hits: Hit[] }) => hits.map(({ snippet }) => snippet.text)

async function fill(view: View, url: string) {
  const attachments = [await uploaded(url, 'Notes', { name: 'notes.md' })]
  await view.say('work', { text: 'deploy **now**', attachments })
  await view.tell('work', { by: 'claude', text: 'I deploy it' })
  await view.tell('work', { by: 'gemini', text: 'No deploy today' })
  const question = await ask(view, { by: 'claude', text: 'Shall I deploy?' })
  await view.answer(question, 'Yes, deploy')
  const args = '{"command":"./deploy.sh","n":2}'
  await view.record('work', { kind: 'tool_call', by: 'claude', tool_name: 'Bash', tool_args: args })
}

test('[X24] a search leaves out what is of another kind, of others, without files or older', async () => {
  const { view, url } = await startHub()
  await fill(view, url)
  const page = await connectPage(url)
  const only = async (filter: Record<string, unknown>, query = 'deploy') => texts(await find(page, query, filter))
  expect(await only({ kinds: ['question'] })).toEqual(['Yes, deploy', 'Shall I deploy?'])
  expect(await only({ kinds: ['tool'] })).toEqual(['Bash ./deploy.sh 2'])
  expect(await only({ kinds: ['message', 'tool'], agent: 'claude' })).toEqual(['Bash ./deploy.sh 2', 'I deploy it'])
  expect(await only({ files: true })).toEqual(['notes.md deploy now'])
  expect(await only({ files: true, kinds: ['question'] })).toEqual([])
  expect(await only({ agent: 'gemini' }, '')).toEqual(['No deploy today'])
  expect(await only({ agent: 'nobody' }, '')).toEqual([])
  expect(await only({ since: Date.now() + 60_000 })).toEqual([])
  expect(await only({ since: Date.now() - 60_000 })).toHaveLength(6)
  expect(await only({}, '')).toEqual([])
})

test('[X24] a filter finds in all there is, page by page, and one that is none is refused', async () => {
  const { view, url } = await startHub()
  for (let n = 0; n < 70; n++) await view.tell('work', { by: n % 2 === 0 ? 'claude' : 'gemini', text: `deploy ${n}` })
  const page = await connectPage(url)
  // The index grows beside what is written.
  await eventually(async () => expect((await find(page, 'deploy', {})).indexing).toBeUndefined())
  const found: string[] = []
  for (let before: string | undefined; ; ) {
    const { hits, next } = await find(page, 'deploy', { agent: 'claude', before })
    found.push(...hits.map(({ by }) => by ?? ''))
    if (next === undefined) break
    before = String(next)
  }
  expect(found).toEqual(Array.from({ length: 35 }, () => 'claude'))
  for (const [filter, error] of [
    [{ kinds: ['letter'] }, '"kinds.0" must be one of message, question, tool'],
    [{ kinds: [] }, '"kinds" names no kind'],
    [{ files: 'yes' }, '"files" must be true'],
    [{ agent: [] }, '"agent" names none'],
    [{ folders: [] }, '"folders" names none'],
    [{ waiting: false }, '"waiting" must be true'],
    [{ until: 'today' }, '"until" must be milliseconds since 1970'],
    [{ since: 'today' }, '"since" must be milliseconds since 1970'],
  ] as const) {
    page.say({ type: 'search', key: 'wrong', query: 'x', ...filter })
    expect(await page.next('refused')).toMatchObject({ key: 'wrong', error })
  }
})

test('[X25] the conversations that are called so come along, and the agents there are', async () => {
  const { view, url, tokens } = await startHub()
  for (const name of ['website-2', 'shop', 'other']) await view.tell(name, { by: `${name} agent`, text: 'Hello' })
  await view.rename('shop', 'The old website')
  await view.rename('other', 'Website once')
  await view.rename('other', 'Now something else')
  const page = await connectPage(url)
  const found = await find(page, 'WEBsite', { titles: true })
  expect(found.titled).toEqual([
    { id: 'website-2', title: 'website-2' },
    { id: 'shop', title: 'The old website' },
  ])
  expect(found.agents).toEqual(['other agent', 'shop agent', 'website-2 agent'])
  expect((await find(page, '', { titles: true })).titled).toEqual([])
  expect((await find(page, 'website')).titled).toBeUndefined()
  const { secret } = await tokens.create({ name: 'ada', conversation: 'shop' })
  const bound = await connect(url, '/ws?dialect=timeline', undefined, { authorization: `Bearer ${secret}` })
  bound.say({ type: 'hello' })
  await bound.next('welcome')
  expect(await find(bound, 'website', { titles: true })).toMatchObject({
    titled: [{ id: 'shop', title: 'The old website' }],
    agents: [],
  })
})

test('[X26] a hit says who wrote it and what it is', async () => {
  const { view, url } = await startHub()
  await fill(view, url)
  const { hits } = await find(await connectPage(url), 'deploy')
  expect(hits.map(({ kind, by, person }) => [kind, by, person])).toEqual([
    ['tool', 'claude', undefined],
    ['question', 'person', true],
    ['question', 'claude', undefined],
    ['message', 'gemini', undefined],
    ['message', 'claude', undefined],
    ['message', 'person', true],
  ])
})

test.for([
  ['# Title\n\n> - [x] *one* and **two**', 'Title\n\none and two'],
  ['See [the docs](https://example.com "Docs") and `a **b** c`', 'See the docs and a b c'],
  ['```ts\nconst a = **b**\n```\nsnake_case_name, 2 * 3 * 4', 'const a = **b**\nsnake_case_name, 2 * 3 * 4'],
  ['| a | b |\n| --- | --- |\n| ~~c~~ | _d_ |', 'a b \n\n c d'],
  ['**open and `never closed', '**open and `never closed'],
])('[X26] Markdown is shown as its words: %j', ([text = '', words = '']) => {
  expect(textOf({ kind: 'message', author: 'user', by: 'ada', text })?.shown?.().replace(/ +/g, ' ').trim()).toBe(words)
  expect(textOf({ kind: 'message', author: 'user', by: 'ada', text, mime: 'text/plain' })?.shown?.()).toBe(text)
})

test('[X31] a search is for several agents, folders, before a moment, and where something waits', async () => {
  const { view, url } = await startHub()
  for (const [name, folder] of [
    ['shop', '/home/ada/website'],
    ['api', '/home/ada/server'],
  ] as const) {
    await view.record(name, { kind: 'title', title: name, folder })
    await view.tell(name, { by: `${name}-agent`, text: `deploy the ${name}` })
  }
  await ask(view, { by: 'codex', text: 'Shall I deploy?' }, 'waits')
  const page = await connectPage(url)
  const only = async (filter: Record<string, unknown>, query = 'deploy') => texts(await find(page, query, filter))
  expect(await only({ agent: ['api-agent', 'codex'] })).toEqual(['Shall I deploy?', 'deploy the api'])
  expect(await only({ folders: ['website'] })).toEqual(['deploy the shop'])
  expect(await only({ folders: ['web', 'no*'], until: 1 })).toEqual([])
  expect(await only({ folders: ['*web*', 'serv'] })).toEqual(['deploy the api', 'deploy the shop'])
  expect(await only({ waiting: true })).toEqual(['Shall I deploy?'])
  expect(await only({ waiting: true, kinds: ['question'] }, '')).toEqual(['Shall I deploy?'])
  expect(await only({ waiting: true, folders: ['website'] })).toEqual([])
  expect(await only({ until: Date.now() + 60_000 })).toHaveLength(3)
  expect(await only({ until: Date.now() - 60_000 })).toEqual([])
})

test('[X32] where no entry has the words, those with similar ones are found, and said to be so, page by page', async () => {
  const { view, url } = await startHub()
  for (let n = 0; n < 40; n++) await view.tell('work', { by: 'claude', text: `certificate ${n}` })
  await view.rename('work', 'The certificates')
  const page = await connectPage(url)
  await eventually(async () => expect((await find(page, 'certificate', {})).indexing).toBeUndefined())
  expect(await find(page, 'certificates')).not.toHaveProperty('similar')
  const first = await find(page, 'certficate', { titles: true, kinds: ['message'] })
  expect(first).toMatchObject({ similar: true, has_more: true, titled: [{ id: 'work' }], titled_similar: true })
  const second = await find(page, 'certficate', { before: first.next, similar: true, kinds: ['message'] })
  expect(second.similar).toBe(true)
  expect(first.hits.length + second.hits.length).toBe(41)
  // One that has the words ends with the last that has them.
  await view.tell('work', { by: 'claude', text: 'certficate' })
  const exact = await find(page, 'certficate')
  expect([texts(exact), exact.similar]).toEqual([['certficate'], undefined])
})
