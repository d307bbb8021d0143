import { expect, test } from 'vitest'
import { forever, newLog, nextQuestion, openTestChat, reached, until } from '../../../test/support/chat.ts'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import { connectLine } from '../../../test/support/lines/line.ts'
import { localPrincipal } from '../../protocol/principal.ts'
import type { Putting, Seat } from './seat.ts'

const DEPLOY: Putting = { by: 'kimi-code', text: 'Deploy?', quick_replies: ['Yes', 'No'] }

/** Where its agents work. */
const AT = { folder: '/work/shop', isProven: true }
const SHOP = { folder: '/work/shop', visit: 'line-2' }

/** A conversation in which an agent asked something and then was gone. */
async function abandoned(questions: Putting[] = [DEPLOY]) {
  const opened = openTestChat()
  const seat = opened.view.seat({ title: 'shop', ...AT })
  const gone = new AbortController()
  const call = seat.ask(questions, { signal: gone.signal })
  const question = await nextQuestion(opened.view, seat.conversation)
  gone.abort(new Error('It crashed'))
  await expect(call).rejects.toThrow('It crashed')
  return { ...opened, seat, question }
}

test('[M44] an agent that asks again what was left open, and cannot say who it was, goes on there', async () => {
  const { chat, view, seat: first, question } = await abandoned([{ ...DEPLOY, by: 'test-client' }])
  first.close()
  let seat: Seat | undefined
  const seatOf = async (_: unknown, asking: Putting[] = []) => {
    seat ??= view.seat({ conversation: await view.leftBehind('shop', SHOP, 0, asking), title: 'shop', ...AT })
    return seat
  }
  const client = await connectLine(chat, { seatOf, principal: localPrincipal('admin') })
  const call = client.callTool({ name: 'send_message', arguments: { text: 'Deploy?', quick_replies: ['Yes', 'No'] } })
  await until(() => view.agentState(first.conversation) === 'waiting')
  await view.answer(question, 'Yes')
  expect((await call).structuredContent).toEqual({ reply: 'Yes' })
  await client.callTool({ name: 'send_progress', arguments: { text: 'Deployed' } })
  expect((await view.conversations({ limit: 10 })).map(({ id }) => id)).toEqual([first.conversation])
})

test('[M44] nobody goes on where an agent still is, where another asked, or what was asked is not the same', async () => {
  const { chat, view, seat } = await abandoned()
  expect(await view.leftBehind('shop', SHOP, 0, [DEPLOY])).toBeUndefined()
  seat.close()
  expect(await view.leftBehind('shop', SHOP, 0, [DEPLOY])).toBe(seat.conversation)
  expect(await view.leftBehind('blog', SHOP, 0, [DEPLOY])).toBeUndefined()
  expect(await view.leftBehind('shop', SHOP, 0, [])).toBeUndefined()
  expect(await view.leftBehind('shop', SHOP, 0, [DEPLOY, { ...DEPLOY, text: 'And then?' }])).toBeUndefined()
  expect(await view.leftBehind('shop', SHOP, 0, [{ ...DEPLOY, quick_replies: ['Yes'] }])).toBeUndefined()
  expect(await view.leftBehind('shop', SHOP, 0, [{ ...DEPLOY, by: 'codex' }])).toBeUndefined()
  const other = { id: 'robot', name: 'robot', role: 'agent' as const }
  expect(await chat.as(other).leftBehind('shop', SHOP, 0, [DEPLOY])).toBeUndefined()
  const bound = { ...localPrincipal('admin'), conversation: seat.conversation }
  expect(await chat.as(bound).leftBehind('shop', SHOP, 0, [DEPLOY])).toBeUndefined()
})

test('[M44] a reply that came while its agent was gone is found, and one that reached it is not', async () => {
  const { view, seat, question } = await abandoned()
  seat.close()
  await view.answer(question, 'Yes')
  expect(await view.leftBehind('shop', SHOP, 0, [DEPLOY])).toBe(seat.conversation)
  const next = reached(view.seat({ conversation: seat.conversation, title: 'shop', ...AT }))
  expect((await next.ask([DEPLOY], forever)).settlements).toMatchObject([{ reply: 'Yes' }])
  next.close()
  expect(await view.leftBehind('shop', SHOP, 0, [DEPLOY])).toBeUndefined()
})

test('[M44] an approval is never found again by its words', async () => {
  const call = { by: 'kimi-code', text: 'Allow?', approval: { tool_name: 'Bash', input: '{}' } }
  const { view, seat } = await abandoned([call])
  seat.close()
  expect(await view.leftBehind('shop', SHOP, 0, [call])).toBeUndefined()
})

test('[M44] what was left open long ago is nobody’s any more', async () => {
  const clock = fakeClock(Date.now())
  const { view } = openTestChat({ log: newLog(), clock })
  const seat = view.seat({ title: 'shop', ...AT })
  const gone = new AbortController()
  const call = seat.ask([DEPLOY], { signal: gone.signal })
  await nextQuestion(view, seat.conversation)
  gone.abort(new Error('It crashed'))
  await expect(call).rejects.toThrow('It crashed')
  seat.close()
  expect(await view.leftBehind('shop', SHOP, 0, [DEPLOY])).toBe(seat.conversation)
  clock.advance(10 * 60_000 + 1000)
  expect(await view.leftBehind('shop', SHOP, 0, [DEPLOY])).toBeUndefined()
})
