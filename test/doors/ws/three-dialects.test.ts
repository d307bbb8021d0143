import { expect, test } from 'vitest'
import { agentOverHttp } from '../../support/agent.ts'
import { ask } from '../../support/chat.ts'
import { startHub } from '../../support/hub.ts'
import { type Client, connect } from '../../support/socket.ts'

/** Three clients, each written to one document and to nothing else, on plain `/ws`. */
const CLIENTS: [name: string, heard: string, answer: (shown: Record<string, unknown>) => unknown][] = [
  ['bridge', 'agentMessage', ({ ack_id }) => ({ type: 'ack', id: ack_id, message: 'from bridge' })],
  ['loop', 'agent_message', () => ({ type: 'chat', message: 'from loop', session_id: 'work' })],
  ['router', 'ask_user', ({ id }) => ({ id, type: 'user_response', answer: 'from router' })],
]

test.each(CLIENTS)(
  '[W21] a %s client answers on plain /ws, and the question is settled for the two others',
  async (name, _heard, answer) => {
    const { url } = await startHub()
    const clients = new Map<string, Client>()
    for (const [name] of CLIENTS) clients.set(name, await connect(url))
    const agent = await agentOverHttp(url)
    const reply = agent.ask('Deploy now?')
    const shown = new Map<string, Record<string, unknown>>()
    for (const [name, heard] of CLIENTS) shown.set(name, await (clients.get(name) as Client).next(heard))
    expect(shown.get('bridge')).toEqual({ type: 'agentMessage', text: 'Deploy now?', ack_id: expect.any(String) })
    expect(shown.get('loop')).toEqual({ type: 'agent_message', message: 'Deploy now?' })
    expect(shown.get('router')).toEqual({ id: expect.any(String), type: 'ask_user', question: 'Deploy now?' })
    clients.get(name)?.say(answer(shown.get(name) ?? {}))
    expect(await reply).toBe(`from ${name}`)
    for (const [other, , late] of CLIENTS.filter(([other]) => other !== name && other !== 'loop')) {
      clients.get(other)?.say(late(shown.get(other) ?? {}))
      expect(await clients.get(other)?.next('error')).toEqual({
        type: 'error',
        error: 'This question is no longer open',
      })
    }
  },
)

test('[W22] open questions are sent again to a router frontend that connects late, oldest first', async () => {
  const { view, url } = await startHub()
  const first = await ask(view, { by: 'robot', text: 'First?' })
  const settled = await ask(view, { by: 'robot', text: 'Settled?' })
  await view.answer(settled, 'Yes')
  const second = await ask(view, { by: 'robot', text: 'Second?' }, 'other')
  const late = await connect(url, '/ws?dialect=router')
  expect(await late.next('ask_user')).toEqual({ id: first, type: 'ask_user', question: 'First?' })
  expect(await late.next('ask_user')).toEqual({ id: second, type: 'ask_user', question: 'Second?' })
  late.say({ id: second, type: 'user_response', answer: 'Now' })
  expect((await view.agentService().outcome(second, new AbortController().signal)).body.reply).toBe('Now')
})

test('[W22] a question that nobody is there for waits', async () => {
  const { url } = await startHub()
  const agent = await agentOverHttp(url)
  const reply = agent.ask('Anybody?')
  const late = await connect(url, '/ws?dialect=router')
  const { id } = await late.next('ask_user')
  late.say({ id, type: 'user_response', answer: 'Here' })
  expect(await reply).toBe('Here')
})
