import { beforeEach, expect, test } from 'vitest'
import { ask, forever, openTestChat, reached, until } from '../../../test/support/chat.ts'
import type { Chat } from '../chat.ts'
import type { View } from '../view.ts'
import type { AgentSession } from './agent-session.ts'

let chat: Chat
let view: View
let session: AgentSession

beforeEach(() => {
  ;({ chat, view } = openTestChat())
  session = view.agentSession({ conversation: 'work', title: 'Work' })
})

const MANY = 100

function numbered(word: string): string[] {
  return Array.from({ length: MANY }, (_, n) => `${word} ${n}`)
}

function askAll(texts: string[]) {
  return texts.map((text) => session.ask([{ by: 'agent', text }], forever))
}

async function openQuestions(count: number) {
  await until(async () => (await view.conversation('work')).open.length === count)
  return (await view.conversation('work')).open
}

/** Replies that nobody waits for. */
async function leaveReplies(texts: string[]) {
  for (const text of texts) await view.answer(await ask(view, { by: 'agent', text: `About ${text}?` }), text)
}

/** Everything that calls bring until there is nothing more. */
async function fetchAll(): Promise<string[]> {
  const fetched: string[] = []
  for (;;) {
    const { earlier } = await reached(session).messages()
    if (earlier.length === 0) return fetched
    fetched.push(...earlier.map(({ text }) => text))
  }
}

async function expectNoneLeft() {
  for (let n = 0; n < 2; n++) expect((await reached(session).messages()).earlier).toEqual([])
  expect((await view.conversation('work')).replies).toEqual({ recent: [] })
}

test('[Q10] more calls at once than a conversation names replies each get their own answer, and nothing else', async () => {
  const calls = askAll(numbered('question'))
  const open = await openQuestions(MANY)
  await Promise.all(open.map(({ id, text }) => view.answer(id, `re: ${text}`)))
  const deliveries = await Promise.all(calls)
  expect(deliveries.map(({ settlements }) => settlements[0]?.reply)).toEqual(numbered('re: question'))
  expect(deliveries.flatMap(({ earlier }) => earlier)).toEqual([])
  for (const { arrived } of deliveries) arrived()
  await expectNoneLeft()
})

test('[Q28] of many replies those that were read are not handed over again, and none is lost with them', async () => {
  const calls = askAll(numbered('question'))
  const open = await openQuestions(MANY)
  await Promise.all(open.map(({ id, text }) => view.answer(id, `re: ${text}`)))
  // Every third one never arrives.
  for (const [n, delivery] of (await Promise.all(calls)).entries())
    (n % 3 === 0 ? delivery.returned : delivery.arrived)()
  expect(await fetchAll()).toEqual(numbered('re: question').filter((_, n) => n % 3 === 0))
  await expectNoneLeft()
})

test('[Q28] a reply that was read while older ones wait is not handed over with them', async () => {
  const left = numbered('reply')
  await leaveReplies(left.slice(0, 20))
  const call = session.ask([{ by: 'agent', text: 'Mine?' }], { ...forever, alone: true })
  const [mine] = (await openQuestions(1)).map(({ id }) => id)
  await view.answer(mine ?? '', 'Yours')
  ;(await call).arrived()
  // The next call proves that one, and has no room for the others.
  const next = session.ask([{ by: 'agent', text: 'Allow?', approval: { tool_name: 'Bash', input: '{}' } }], {
    ...forever,
    alone: true,
  })
  await view.allow((await openQuestions(1))[0]?.id ?? '', undefined)
  await next
  await leaveReplies(left.slice(20))
  expect(await fetchAll()).toEqual(left)
  await expectNoneLeft()
})

test('[Q28] a reply that was delivered and never read is handed over with the others, and receipts of others do not matter', async () => {
  const left = numbered('reply')
  await leaveReplies(left.slice(0, 20))
  for (const reply of ['Read', 'Delivered']) {
    const call = reached(session).ask([{ by: 'agent', text: `${reply}?` }], { ...forever, alone: true })
    await view.answer((await openQuestions(1))[0]?.id ?? '', reply)
    await call
  }
  session.close()
  const driver = chat.as({ id: 'runner', name: 'runner', role: 'orchestrator' }).driver()
  await driver.acquire('work', 'me', 300)
  await driver.receive('work', 'me', 'key', [(await view.say('work', { text: 'Hello' })).id])
  await driver.release('work', 'me')
  await leaveReplies(left.slice(20))
  session = view.agentSession({ conversation: 'work', title: 'Work' })
  expect(await fetchAll()).toEqual([...left.slice(0, 20), 'Delivered', ...left.slice(20)])
  await expectNoneLeft()
})

test('[Q28] what other agents of the conversation have read is not handed over again', async () => {
  const left = numbered('reply')
  await leaveReplies(left)
  const other = reached(view.agentSession({ conversation: 'work', title: 'Work' }))
  const first = await other.messages()
  await other.messages()
  expect([...first.earlier.map(({ text }) => text), ...(await fetchAll())].sort()).toEqual([...left].sort())
})
