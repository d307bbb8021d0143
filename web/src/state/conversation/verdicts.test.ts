import { expect, onTestFinished, test } from 'vitest'
import { openHub } from '../../../../src/hub/hub.ts'
import { ask, person } from '../../../../test/support/chat.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { startHub, temporaryFolder, viewOf } from '../../../../test/support/hub.ts'
import { openPageState, talkOf } from '../../../../test/support/page-state.ts'
import { freePort } from '../../../../test/support/process.ts'
import { takeBack } from '../list/grants.ts'
import { tapped } from './held.svelte.ts'
import type { Talk } from './talk.svelte.ts'

const approval = { tool_name: 'Bash', input: '{"command":"ls"}' }
const wanted = { by: 'agent', text: 'May I?', approval }
const offered = { by: 'agent', text: 'Which?', options: [{ label: 'Red' }, { label: 'Blue' }], multi_select: true }

async function openPage(url: string) {
  const page = await openPageState(url)
  return { page, talk: await talkOf(page, 'work') }
}

function endOf(talk: Talk) {
  return talk.timeline.entries.at(-1)?.body
}

test('[U30] a choice is one row from the tap to its entry, in the order of the options', async () => {
  const { url, view } = await startHub()
  const id = await ask(view, offered)
  const { page, talk } = await openPage(url)
  if (talk.question) page.person.tell(talk, tapped(talk, talk.question, { choices: ['Blue', 'Red'] }))
  const sending = talk.rows.at(-1)
  expect(sending).toMatchObject({ kind: 'bubble', text: 'Red, Blue', delivery: 'sending' })
  expect(talk.question).toBeUndefined()
  await eventually(() => expect(talk.pending).toEqual([]))
  expect(endOf(talk)).toMatchObject({ question: id, outcome: 'answered', choices: ['Red', 'Blue'] })
  expect(talk.rows.at(-1)).toMatchObject({ key: sending?.key, text: 'Red, Blue', delivery: 'accepted' })
})

test('[A7] what is typed is a message, and denies a call only when the person chose so', async () => {
  const { url, view } = await startHub()
  const id = await ask(view, wanted)
  const { page, talk } = await openPage(url)
  talk.draft = 'Good morning'
  page.person.sendDraft(talk)
  await eventually(() => expect(talk.pending).toEqual([]))
  expect(endOf(talk)).toMatchObject({ kind: 'message', text: 'Good morning' })
  expect(talk.question?.id).toBe(id)
  talk.aimAt({ kind: 'denial', question: id })
  talk.draft = 'Allow'
  page.person.sendDraft(talk)
  expect(talk.rows).toMatchObject([{ kind: 'approval', state: 'denied', reason: 'Allow', sending: true }, {}])
  await eventually(() => expect(talk.pending).toEqual([]))
  expect(endOf(talk)).toMatchObject({ question: id, outcome: 'denied', reason: 'Allow' })
  expect(talk.rows).toMatchObject([{ kind: 'approval', state: 'denied', sending: false, who: 'you' }, {}])
})

test('[U30] a verdict given while the hub is away is sent once when it is back', async () => {
  const data = await temporaryFolder()
  const before = await openHub({ host: '127.0.0.1', port: await freePort(), data })
  const id = await ask(viewOf(before), wanted)
  const { page, talk } = await openPage(before.url)
  await before.close()
  await eventually(() => expect(page.link.status).toBe('lost'))
  page.person.decide(talk, id, { type: 'allow', input: '{"command":"ls -a"}' })
  expect(talk.rows).toMatchObject([{ state: 'changed', sending: true }])
  const after = await openHub({ host: '127.0.0.1', port: before.port, data })
  onTestFinished(after.close)
  await eventually(() => expect(talk.pending).toEqual([]))
  expect(talk.rows).toMatchObject([{ state: 'changed', sending: false, who: 'you' }])
  expect(talk.timeline.entries.map(({ body }) => body.kind)).toEqual(['title', 'question', 'settlement'])
})

test('[A9] a refused verdict opens the question again with all that was written', async () => {
  const { url, view } = await startHub()
  const id = await ask(view, wanted)
  const { page, talk } = await openPage(url)
  talk.attemptAt(id).edited = ['[]']
  page.person.decide(talk, id, { type: 'allow', input: '[]' })
  expect(talk.question).toBeUndefined()
  await eventually(() => expect(talk.problem).toBe('The changed arguments must be a JSON object'))
  expect(talk.question?.id).toBe(id)
  expect(talk.attemptAt(id).edited).toEqual(['[]'])
  expect(talk.draft).toBe('')
  talk.aimAt({ kind: 'denial', question: id })
  talk.draft = 'x'.repeat(2 ** 20 + 1)
  page.person.sendDraft(talk)
  await eventually(() => expect(talk.problem).toContain('1 MiB'))
  expect(talk.draft).toHaveLength(2 ** 20 + 1)
  expect(talk.target).toEqual({ kind: 'denial', question: id })
  expect(talk.rows).toMatchObject([{ state: 'waiting' }])
})

test('[U35] what is always allowed is known on every page, and taken back once, whoever does it', async () => {
  const { url, view } = await startHub()
  const first = await ask(view, wanted)
  const second = await ask(view, { ...wanted, text: 'And this?' })
  const [here, there] = [await openPage(url), await openPage(url)]
  here.page.person.decide(here.talk, first, { type: 'allow', always: true })
  await eventually(() => expect(there.talk.state.always).toMatchObject([{ tool_name: 'Bash' }]))
  // What was docked next was allowed with it, and the person is told.
  await eventually(() => expect(here.talk.news).toBe('Allowed by a standing permission'))
  expect(here.talk.open).toEqual([])
  await ask(view, wanted)
  expect((await view.page('work', { limit: 1 })).entries[0]?.body.kind).toBe('permitted_call')
  const [grant] = there.talk.state.always ?? []
  if (!grant) throw new Error('There is a grant')
  for (const { page, talk } of [here, there, there]) takeBack(page, talk, grant)
  await eventually(() => expect(here.talk.state.always).toEqual([]))
  await ask(view, wanted)
  expect((await view.conversation('work')).open).toHaveLength(1)
  const { entries } = await view.page('work', { limit: 100 })
  expect(entries.filter(({ body }) => body.kind === 'revocation')).toHaveLength(1)
  expect([here, there].map(({ talk }) => talk.problem)).toEqual([undefined, undefined])
  expect(entries.find(({ body }) => body.kind === 'settlement')?.body).toMatchObject({ question: second })
})

test('[U29] of two verdicts the first counts, and the second is told whose it was', async () => {
  const { url, view, chat } = await startHub()
  const id = await ask(view, wanted)
  const { page, talk } = await openPage(url)
  const first = person(chat, 'ada').deny(id, 'Not now')
  page.person.decide(talk, id, { type: 'allow' })
  await first
  await eventually(() => expect(talk.problem).toBe('This question is not open any more'))
  // The refusal may come before the news.
  await eventually(() => expect(talk.news).toBe('Denied by ada: Not now'))
  expect(talk.rows).toMatchObject([{ state: 'denied', who: 'ada' }])
})
