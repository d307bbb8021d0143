import { expect, test } from 'vitest'
import type { Mark, MarkChange } from '../../src/protocol/frames/preferences.ts'
import { TimelineFrame } from '../../src/protocol/frames/timeline.ts'
import { localPrincipal } from '../../src/protocol/principal.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { connect, connectPage } from '../support/socket.ts'

type Page = Awaited<ReturnType<typeof connectPage>>
type WelcomePreferences = { since: string; marks: Record<string, Mark>; replies: unknown[] }

const MESSAGE = { kind: 'message' } as const
const preferencesIn = ({ welcome }: Page) => welcome.desk as WelcomePreferences

async function mark(page: Page, changes: Record<string, MarkChange>) {
  page.say({ type: 'mark', key: 'm', changes })
  return answerTo(page, 'marks')
}

/** What a command gets, be it a refusal. */
async function answerTo(page: Page, type: string) {
  for (;;) {
    const frame = await page.any(type)
    if (frame.key !== undefined && [type, 'refused'].includes(frame.type)) return frame
  }
}

async function startConversation() {
  const data = await temporaryFolder()
  const hub = await startHub(data)
  const { id } = await hub.view.tell('work', { by: 'agent', text: 'Hello' })
  return { ...hub, data, id }
}

test('[Q42] what a person keeps about a conversation is there for their next page, whatever device it is on', async () => {
  const { url, id } = await startConversation()
  const page = await connectPage(url)
  expect(preferencesIn(page)).toEqual({ since: id, marks: {}, replies: [] })
  const draft = { text: 'Half a', target: MESSAGE, at: 1 }
  const until = { until: '2030-01-31T09:00:00Z' }
  const kept = { pinned: true, muted: true, archived: true, snoozed: until, read: id, draft }
  expect(await mark(page, { work: kept })).toMatchObject({ marks: { work: kept } })
  expect(preferencesIn(await connectPage(url)).marks).toEqual({ work: kept })
  await mark(page, { work: { pinned: false, snoozed: null } })
  const { marks } = preferencesIn(await connectPage(url))
  expect(marks.work).toEqual({ muted: true, archived: true, read: id, draft })
})

test('[Q43] each change is told to the other pages of the same person, and to nobody else', async () => {
  const { url, id, tokens } = await startConversation()
  const [first, second] = [await connectPage(url), await connectPage(url)]
  await mark(first, { work: { pinned: true } })
  const told = await second.next('marks')
  expect(told).toEqual({ type: 'marks', marks: { work: { pinned: true } } })
  expect(TimelineFrame.safeParse(told).error).toBeUndefined()
  first.say({ type: 'save_reply', key: 'r', name: 'yes', text: 'Yes, please' })
  expect(await second.next('replies')).toEqual({ type: 'replies', replies: [{ name: 'yes', text: 'Yes, please' }] })
  await mark(first, { work: { pinned: true, read: id } })
  expect(first.frames.filter(({ key, type }) => type === 'marks' && key === undefined)).toEqual([])

  const secrets = [await secretOf('ada'), await secretOf('bob')]
  const [ada, again, bob] = await Promise.all([secrets[0], secrets[0], secrets[1]].map((secret) => visit(secret)))
  if (!ada || !again || !bob) throw new Error('Somebody is missing')
  expect([preferencesIn(ada).marks, preferencesIn(ada).replies]).toEqual([{}, []])
  await mark(ada, { work: { archived: true } })
  await again.next('marks')
  expect(preferencesIn(await visit(secrets[1])).marks).toEqual({})
  expect(bob.frames.filter(({ type }) => type === 'marks')).toEqual([])

  async function secretOf(name: string) {
    return (await tokens.create({ name, role: 'human' })).secret
  }

  async function visit(secret = '') {
    const client = await connect(url, '/ws?dialect=timeline', undefined, { authorization: `Bearer ${secret}` })
    client.say({ type: 'hello' })
    return { ...client, welcome: await client.next('welcome') }
  }
})

test('[Q44] reading never goes back, the newest draft stays, and of everything else the last word counts', async () => {
  const { url, view, id } = await startConversation()
  const { id: later } = await view.tell('work', { by: 'agent', text: 'Again' })
  const page = await connectPage(url)
  await mark(page, { work: { read: later, draft: { text: 'new', target: MESSAGE, at: 9 }, muted: true } })
  const { marks } = await mark(page, {
    work: { read: id, draft: { text: 'old', target: MESSAGE, at: 8 }, muted: false },
  })
  expect(marks).toEqual({ work: { read: later, draft: { text: 'new', target: MESSAGE, at: 9 } } })
  const erased = { text: '', target: MESSAGE, at: 10 }
  expect(await mark(page, { work: { draft: erased } })).toMatchObject({ marks: { work: { draft: erased } } })
})

test('[Q46] what is not allowed is refused in a sentence and changes nothing', async () => {
  const { url, view } = await startConversation()
  const page = await connectPage(url)
  const refusals = async (changes: unknown) =>
    String((await mark(page, { work: { pinned: true }, ...(changes as object) })).error)
  expect(await refusals({ nowhere: { pinned: true } })).toBe('Unknown conversation "nowhere"')
  expect(await refusals({ work: { pinned: 1 } })).toBe('"changes.work.pinned" must be true or false')
  expect(await refusals({ work: { snoozed: { until: 'soon' } } })).toContain('must be a time such as 2026-')
  const long = { text: 'x'.repeat(64 * 1024 + 1), target: MESSAGE, at: 1 }
  expect(await refusals({ work: { draft: long } })).toBe('"changes.work.draft.text" is larger than the limit of 64 KiB')
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`${n}`, {}]))
  expect(await refusals(many)).toBe('"changes" has more than 100 conversations')
  expect(preferencesIn(await connectPage(url)).marks).toEqual({})

  for (let n = 0; n < 100; n++) await view.tell(`c${n}`, { by: 'agent', text: 'Hello' })
  await mark(page, Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`c${n}`, { pinned: true }])))
  expect(await refusals({})).toBe('At most 100 conversations can be pinned or snoozed; let one of them go first')
})

test('[Q46] only conversations that the person may see are marked, and agents have no preferences', async () => {
  const { url, chat, view, tokens } = await startConversation()
  await view.tell('other', { by: 'agent', text: 'Hello' })
  const { secret } = await tokens.create({ name: 'ada', role: 'human', conversation: 'work' })
  const page = await connect(url, '/ws?dialect=timeline', undefined, { authorization: `Bearer ${secret}` })
  page.say({ type: 'hello' })
  await page.next('welcome')
  page.say({ type: 'mark', key: 'k', changes: { work: { pinned: true }, other: { pinned: true } } })
  expect((await page.next('refused')).error).toBe('Unknown conversation "other"')
  expect(() => chat.as(localPrincipal('agent')).preferences()).toThrow('This is for human or admin')
})

test('[Q47] marks come with the conversations that are listed, and others when they are asked for', async () => {
  const { url, view } = await startConversation()
  const first = await connectPage(url)
  await mark(first, { work: { muted: true } })
  for (let n = 0; n < 60; n++) await view.tell(`busy ${n}`, { by: 'agent', text: 'Hello' })
  await mark(first, { 'busy 3': { pinned: true }, 'busy 4': { muted: true }, 'busy 59': { muted: true } })
  const page = await connectPage(url)
  expect(preferencesIn(page).marks).toEqual({ 'busy 3': { pinned: true }, 'busy 59': { muted: true } })
  expect((page.welcome.waiting as { id: string }[]).map(({ id }) => id)).toEqual(['busy 3'])
  page.say({ type: 'marks', key: 'k', conversations: ['work', 'busy 5'] })
  expect((await answerTo(page, 'marks')).marks).toEqual({ work: { muted: true }, 'busy 5': {} })
  const { conversations } = page.welcome as unknown as { conversations: { last: string }[] }
  page.say({ type: 'list', key: 'k', before: conversations.at(-1)?.last })
  expect((await page.next('listed')).marks).toMatchObject({ work: { muted: true }, 'busy 4': { muted: true } })
})

test('[Q48] saved replies are kept by their name, at most a hundred, and go by it', async () => {
  const { url } = await startConversation()
  const page = await connectPage(url)
  const save = async (name: string, text: string) => {
    page.say({ type: 'save_reply', key: 'k', name, text })
    return answerTo(page, 'replies')
  }
  await save('yes', 'Yes')
  await save('no', 'No')
  const yes = { name: 'yes', text: 'Yes, please' }
  expect((await save(yes.name, yes.text)).replies).toEqual([{ name: 'no', text: 'No' }, yes])
  expect((await save('long', 'x'.repeat(16 * 1024 + 1))).error).toBe('"text" is larger than the limit of 16 KiB')
  expect((await save('blank', ' ')).error).toBe('"text" must not be empty')
  page.say({ type: 'drop_reply', key: 'k', name: 'no' })
  expect((await answerTo(page, 'replies')).replies).toEqual([yes])
  expect(preferencesIn(await connectPage(url)).replies).toEqual([yes])
  for (let n = 1; n < 100; n++) await save(`${n}`, 'x')
  expect((await save('one more', 'x')).error).toBe('At most 100 replies can be saved; delete one first')
})
