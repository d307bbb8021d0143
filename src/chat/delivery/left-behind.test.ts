import { expect, test } from 'vitest'
import { forever, newLog, nextQuestion, openTestChat, reached, until } from '../../../test/support/chat.ts'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import { connectLine } from '../../../test/support/lines/line.ts'
import { localPrincipal } from '../../protocol/principal.ts'
import type { AgentSession, Putting } from './agent-session.ts'

const DEPLOY: Putting = { by: 'kimi-code', text: 'Deploy?', quick_replies: ['Yes', 'No'] }

/** The folder in which its agents work. */
const AT = { folder: '/work/shop', isProven: true }
const SHOP = { folder: '/work/shop', visit: 'line-2' }

/** A conversation in which an agent asked something and then was gone. */
async function abandoned(questions: Putting[] = [DEPLOY]) {
  const opened = openTestChat()
  const session = opened.view.agentSession({ title: 'shop', ...AT })
  const gone = new AbortController()
  const call = session.ask(questions, { signal: gone.signal })
  const question = await nextQuestion(opened.view, session.conversation)
  gone.abort(new Error('It crashed'))
  await expect(call).rejects.toThrow('It crashed')
  return { ...opened, session, question }
}

test('[M44] an agent that asks again what was left open, and cannot say who it was, goes on there', async () => {
  const { chat, view, session: first, question } = await abandoned([{ ...DEPLOY, by: 'test-client' }])
  first.close()
  let session: AgentSession | undefined
  const sessionOf = async (_: unknown, asking: Putting[] = []) => {
    session ??= view.agentSession({
      conversation: await view.leftBehind('shop', SHOP, 0, asking),
      title: 'shop',
      ...AT,
    })
    return session
  }
  const client = await connectLine(chat, { sessionOf, principal: localPrincipal('admin') })
  const call = client.callTool({ name: 'send_message', arguments: { text: 'Deploy?', quick_replies: ['Yes', 'No'] } })
  await until(() => view.agentState(first.conversation) === 'waiting')
  await view.answer(question, 'Yes')
  expect((await call).structuredContent).toEqual({ reply: 'Yes' })
  await client.callTool({ name: 'send_progress', arguments: { text: 'Deployed' } })
  expect((await view.conversations({ limit: 10 })).map(({ id }) => id)).toEqual([first.conversation])
})

test('[M44] nobody goes on where an agent still is, where another asked, or what was asked is not the same', async () => {
  const { chat, view, session } = await abandoned()
  expect(await view.leftBehind('shop', SHOP, 0, [DEPLOY])).toBeUndefined()
  session.close()
  expect(await view.leftBehind('shop', SHOP, 0, [DEPLOY])).toBe(session.conversation)
  const { at } = (await view.conversation(session.conversation)).open[0] as { at: number }
  expect(await view.leftBehind('shop', SHOP, at, [DEPLOY])).toBe(session.conversation)
  expect(await view.leftBehind('shop', SHOP, at + 1, [DEPLOY])).toBeUndefined()
  expect(await view.leftBehind('blog', SHOP, 0, [DEPLOY])).toBeUndefined()
  expect(await view.leftBehind('shop', SHOP, 0, [])).toBeUndefined()
  expect(await view.leftBehind('shop', SHOP, 0, [DEPLOY, { ...DEPLOY, text: 'And then?' }])).toBeUndefined()
  expect(await view.leftBehind('shop', SHOP, 0, [{ ...DEPLOY, quick_replies: ['Yes'] }])).toBeUndefined()
  expect(await view.leftBehind('shop', SHOP, 0, [{ ...DEPLOY, by: 'codex' }])).toBeUndefined()
  const other = { id: 'robot', name: 'robot', role: 'agent' as const }
  expect(await chat.as(other).leftBehind('shop', SHOP, 0, [DEPLOY])).toBeUndefined()
  const bound = { ...localPrincipal('admin'), conversation: session.conversation }
  expect(await chat.as(bound).leftBehind('shop', SHOP, 0, [DEPLOY])).toBeUndefined()
})

test('[M44] a reply that came while its agent was gone is found, and one that reached it is not', async () => {
  const { view, session, question } = await abandoned()
  session.close()
  await view.answer(question, 'Yes')
  expect(await view.leftBehind('shop', SHOP, 0, [DEPLOY])).toBe(session.conversation)
  const next = reached(view.agentSession({ conversation: session.conversation, title: 'shop', ...AT }))
  expect((await next.ask([DEPLOY], forever)).settlements).toMatchObject([{ reply: 'Yes' }])
  next.close()
  expect(await view.leftBehind('shop', SHOP, 0, [DEPLOY])).toBeUndefined()
})

test('[M44] an approval is never found again by its words', async () => {
  const call = { by: 'kimi-code', text: 'Allow?', approval: { tool_name: 'Bash', input: '{}' } }
  const { view, session } = await abandoned([call])
  session.close()
  expect(await view.leftBehind('shop', SHOP, 0, [call])).toBeUndefined()
})

test('[M44] what was left open long ago is nobody’s any more', async () => {
  const clock = fakeClock(Date.now())
  const { view } = openTestChat({ log: newLog(), clock })
  const session = view.agentSession({ title: 'shop', ...AT })
  const gone = new AbortController()
  const call = session.ask([DEPLOY], { signal: gone.signal })
  await nextQuestion(view, session.conversation)
  gone.abort(new Error('It crashed'))
  await expect(call).rejects.toThrow('It crashed')
  session.close()
  expect(await view.leftBehind('shop', SHOP, 0, [DEPLOY])).toBe(session.conversation)
  clock.advance(10 * 60_000 + 1000)
  expect(await view.leftBehind('shop', SHOP, 0, [DEPLOY])).toBeUndefined()
})
