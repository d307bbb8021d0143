import { expect, test } from 'vitest'
import { agentOverHttp } from '../../support/agent.ts'
import { ask } from '../../support/chat.ts'
import { startHub } from '../../support/hub.ts'
import { connect } from '../../support/socket.ts'

const forever = new AbortController().signal

test('[W1] a client is first sent the whole history in order, and the oldest open question', async () => {
  const { view, url } = await startHub()
  const first = await ask(view, { by: 'agent', text: 'one' })
  await view.answer(first, 'reply to one')
  const second = await ask(view, { by: 'agent', text: 'two', quick_replies: ['Yes'] })
  const third = await ask(view, { by: 'agent', text: 'three' })
  const client = await connect(url)
  expect(await client.next('connected')).toEqual({
    type: 'connected',
    history: [
      { type: 'agentMessage', text: 'one', ack_id: first, reply: 'reply to one' },
      { type: 'agentMessage', text: 'two', ack_id: second, quick_replies: ['Yes'] },
      { type: 'agentMessage', text: 'three', ack_id: third },
    ],
    pendingAckId: second,
  })
})

test('[W1] the history spans pages, and without a question there is no pendingAckId', async () => {
  const { view, url } = await startHub()
  const texts = Array.from({ length: 1500 }, (_, n) => `message ${n}`)
  const asked = await Promise.all(texts.map((text) => ask(view, { by: 'agent', text }, 'long')))
  await Promise.all(asked.map((id) => view.answer(id, 'ok')))
  const client = await connect(url, '/ws?session=long')
  const { history, pendingAckId } = (await client.next('connected')) as unknown as {
    history: { text: string }[]
    pendingAckId?: string
  }
  expect(history.map(({ text }) => text)).toEqual(texts)
  expect(pendingAckId).toBeUndefined()
})

test('[W2] every client gets a new message, and the first ack becomes the reply of the call', async () => {
  const { url } = await startHub()
  const [one, two] = [await connect(url), await connect(url)]
  await Promise.all([one.next('connected'), two.next('connected')])
  const agent = await agentOverHttp(url)
  const reply = agent.ask('Deploy now?')
  const [shown, shownToo] = [await one.next('agentMessage'), await two.next('agentMessage')]
  expect(shown).toEqual({ type: 'agentMessage', text: 'Deploy now?', ack_id: expect.any(String) })
  expect(shownToo).toEqual(shown)
  two.say({ type: 'ack', id: shown.ack_id, message: 'Ship it' })
  expect(await reply).toBe('Ship it')
  one.say({ type: 'ack', id: shown.ack_id, message: 'Wait' })
  expect(await one.next('error')).toMatchObject({ error: 'This question is no longer open' })
})

test('[W3] an ack that cannot be right gets one sentence, and the question stays open', async () => {
  const { view, url } = await startHub()
  const id = await ask(view, { by: 'agent', text: 'Deploy now?' })
  const client = await connect(url)
  const bad: [unknown, string][] = [
    [{ type: 'ack', id: '0000000000000001', message: 'x' }, 'Unknown question "0000000000000001"'],
    [{ type: 'ack', id: 'nonsense', message: 'x' }, '"id" must be an entry id'],
    [{ type: 'ack', id, message: '' }, '"message" must not be empty'],
    [{ type: 'ack', id, message: ' \n\t ' }, '"message" must not be empty'],
    [{ type: 'ack', id, message: 7 }, '"message" must be text'],
    [{ type: 'ack', id }, '"message" must be text'],
    [{ type: 'ack', message: 'x' }, '"id" must be an entry id'],
    [{ type: 'ack', id, message: 'x'.repeat(1024 * 1024 + 1) }, '"message" is larger than the limit of 1 MiB'],
  ]
  for (const [frame, error] of bad) {
    client.say(frame)
    expect(await client.next('error')).toMatchObject({ error })
  }
  expect((await view.conversation('work')).open).toHaveLength(1)
  client.say({ type: 'ack', id, message: 'Yes' })
  expect((await view.agentService().outcome(id, forever)).body.reply).toBe('Yes')
})

test('[W4] what is not a known frame gets one sentence, and the connection goes on', async () => {
  const { view, url } = await startHub()
  const client = await connect(url)
  const bad: [string | Buffer, string][] = [
    ['{"type": "ack"', 'This JSON cannot be read'],
    ['', 'This JSON cannot be read'],
    ['null', 'A frame is a JSON object with a "type"'],
    ['[1, 2]', 'A frame is a JSON object with a "type"'],
    ['{"type": 7}', 'A frame is a JSON object with a "type"'],
    ['{"type": "dance"}', 'Unknown frame type "dance"'],
    ['{"type": "__proto__"}', 'Unknown frame type "__proto__"'],
    [Buffer.from([1, 2, 3]), 'Frames are text, not binary'],
    ['['.repeat(100_000), 'This JSON cannot be read'],
  ]
  for (const [frame, error] of bad) {
    client.ws.send(frame)
    expect(await client.next('error')).toMatchObject({ error })
  }
  await ask(view, { by: 'agent', text: 'Still there?' })
  expect(await client.next('agentMessage')).toMatchObject({ text: 'Still there?' })
})

test('[W14] ?session= narrows a client to one conversation', async () => {
  const { view, url } = await startHub()
  await ask(view, { by: 'agent', text: 'old and mine' }, 'mine')
  await ask(view, { by: 'agent', text: 'old and not mine' }, 'other')
  const client = await connect(url, '/ws?session=mine')
  expect(await client.next('connected')).toMatchObject({ history: [{ text: 'old and mine' }] })
  await ask(view, { by: 'agent', text: 'new and not mine' }, 'other')
  await ask(view, { by: 'agent', text: 'new and mine' }, 'mine')
  expect(await client.next('agentMessage')).toMatchObject({ text: 'new and mine' })
})
