import { expect, onTestFinished, test } from 'vitest'
import { ask, person } from '../../../../test/support/chat.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { openTestHub, startHub, temporaryFolder, viewOf } from '../../../../test/support/hub.ts'
import { conversationOf, openPageState } from '../../../../test/support/page-state.ts'
import { freePort } from '../../../../test/support/process.ts'
import { takeBack } from '../list/grants.ts'
import type { Conversation } from './conversation.svelte.ts'
import { tapped } from './held.svelte.ts'

const approval = { tool_name: 'Bash', input: '{"command":"ls"}' }
const wanted = { by: 'agent', text: 'May I?', approval }
const offered = { by: 'agent', text: 'Which?', options: [{ label: 'Red' }, { label: 'Blue' }], multi_select: true }

async function openPage(url: string) {
  const page = await openPageState(url)
  return { page, conversation: await conversationOf(page, 'work') }
}

function endOf(conversation: Conversation) {
  return conversation.timeline.entries.at(-1)?.body
}

test('[U30] a choice is one row from the tap to its entry, in the order of the options', async () => {
  const { url, view } = await startHub()
  const id = await ask(view, offered)
  const { page, conversation } = await openPage(url)
  if (conversation.question)
    page.person.tell(conversation, tapped(conversation, conversation.question, { choices: ['Blue', 'Red'] }))
  const sending = conversation.rows.at(-1)
  expect(sending).toMatchObject({ kind: 'bubble', text: 'Red, Blue', delivery: 'sending' })
  expect(conversation.question).toBeUndefined()
  await eventually(() => expect(conversation.pending).toEqual([]))
  expect(endOf(conversation)).toMatchObject({ question: id, outcome: 'answered', choices: ['Red', 'Blue'] })
  expect(conversation.rows.at(-1)).toMatchObject({ key: sending?.key, text: 'Red, Blue', delivery: 'accepted' })
})

test('[A7] what is typed is a message, and denies a call only when the person chose so', async () => {
  const { url, view } = await startHub()
  const id = await ask(view, wanted)
  const { page, conversation } = await openPage(url)
  conversation.draft = 'Good morning'
  page.person.sendDraft(conversation)
  await eventually(() => expect(conversation.pending).toEqual([]))
  expect(endOf(conversation)).toMatchObject({ kind: 'message', text: 'Good morning' })
  expect(conversation.question?.id).toBe(id)
  conversation.aimAt({ kind: 'denial', question: id })
  conversation.draft = 'Allow'
  page.person.sendDraft(conversation)
  expect(conversation.rows).toMatchObject([{ kind: 'approval', state: 'denied', reason: 'Allow', sending: true }, {}])
  await eventually(() => expect(conversation.pending).toEqual([]))
  expect(endOf(conversation)).toMatchObject({ question: id, outcome: 'denied', reason: 'Allow' })
  expect(conversation.rows).toMatchObject([{ kind: 'approval', state: 'denied', sending: false, who: 'you' }, {}])
})

test('[U30] a verdict given while the hub is away is sent once when it is back', async () => {
  const data = await temporaryFolder()
  const before = await openTestHub({ host: '127.0.0.1', port: await freePort(), data })
  const id = await ask(viewOf(before), wanted)
  const { page, conversation } = await openPage(before.url)
  await before.close()
  await eventually(() => expect(page.link.status).toBe('lost'))
  page.person.decide(conversation, id, { type: 'allow', input: '{"command":"ls -a"}' })
  expect(conversation.rows).toMatchObject([{ state: 'changed', sending: true }])
  const after = await openTestHub({ host: '127.0.0.1', port: before.port, data })
  onTestFinished(after.close)
  await eventually(() => expect(conversation.pending).toEqual([]))
  expect(conversation.rows).toMatchObject([{ state: 'changed', sending: false, who: 'you' }])
  expect(conversation.timeline.entries.map(({ body }) => body.kind)).toEqual(['title', 'question', 'settlement'])
})

test('[A9] a refused verdict opens the question again with all that was written', async () => {
  const { url, view } = await startHub()
  const id = await ask(view, wanted)
  const { page, conversation } = await openPage(url)
  conversation.attemptAt(id).edited = ['[]']
  page.person.decide(conversation, id, { type: 'allow', input: '[]' })
  expect(conversation.question).toBeUndefined()
  await eventually(() => expect(conversation.problem).toBe('The changed arguments must be a JSON object'))
  expect(conversation.question?.id).toBe(id)
  expect(conversation.attemptAt(id).edited).toEqual(['[]'])
  expect(conversation.draft).toBe('')
  conversation.aimAt({ kind: 'denial', question: id })
  conversation.draft = 'x'.repeat(2 ** 20 + 1)
  page.person.sendDraft(conversation)
  await eventually(() => expect(conversation.problem).toContain('1 MiB'))
  expect(conversation.draft).toHaveLength(2 ** 20 + 1)
  expect(conversation.target).toEqual({ kind: 'denial', question: id })
  expect(conversation.rows).toMatchObject([{ state: 'waiting' }])
})

test('[U35] what is always allowed is known on every page, and taken back once, whoever does it', async () => {
  const { url, view } = await startHub()
  const first = await ask(view, wanted)
  const second = await ask(view, { ...wanted, text: 'And this?' })
  const [here, there] = [await openPage(url), await openPage(url)]
  here.page.person.decide(here.conversation, first, { type: 'allow', always: true })
  await eventually(() => expect(there.conversation.state.always).toMatchObject([{ tool_name: 'Bash' }]))
  // The next docked call was allowed with it, and the person is told.
  await eventually(() => expect(here.conversation.news).toBe('Allowed by a standing permission'))
  expect(here.conversation.open).toEqual([])
  await ask(view, wanted)
  expect((await view.page('work', { limit: 1 })).entries[0]?.body.kind).toBe('permitted_call')
  const [grant] = there.conversation.state.always ?? []
  if (!grant) throw new Error('There is a grant')
  for (const { page, conversation } of [here, there, there]) takeBack(page, conversation, grant)
  await eventually(() => expect(here.conversation.state.always).toEqual([]))
  await ask(view, wanted)
  expect((await view.conversation('work')).open).toHaveLength(1)
  const { entries } = await view.page('work', { limit: 100 })
  expect(entries.filter(({ body }) => body.kind === 'revocation')).toHaveLength(1)
  expect([here, there].map(({ conversation }) => conversation.problem)).toEqual([undefined, undefined])
  expect(entries.find(({ body }) => body.kind === 'settlement')?.body).toMatchObject({ question: second })
})

test('[U29] of two verdicts the first counts, and the second is told whose it was', async () => {
  const { url, view, chat } = await startHub()
  const id = await ask(view, wanted)
  const { page, conversation } = await openPage(url)
  const first = person(chat, 'ada').deny(id, 'Not now')
  page.person.decide(conversation, id, { type: 'allow' })
  await first
  await eventually(() => expect(conversation.problem).toBe('This question is no longer open'))
  // The refusal may come before the news.
  await eventually(() => expect(conversation.news).toBe('Denied by ada: Not now'))
  expect(conversation.rows).toMatchObject([{ state: 'denied', who: 'ada' }])
})
