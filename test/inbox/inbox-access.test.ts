import { expect, test } from 'vitest'
import { INBOX } from '../../src/protocol/frames/inbox.ts'
import type { Era } from '../support/agent.ts'
import { newLog } from '../support/chat.ts'
import { ADA, BOUND, call, openSurfaces, ROBOT, ROOT, readJson } from '../support/mcp/surfaces.ts'
import { subscribe, updatesOf } from '../support/mcp/updates.ts'

const HUMAN = '/mcp/human'
const ASSISTANT = '/mcp/assistant'
const hello = { mime: 'text/markdown', content: 'Hello' }

test('[I15] human tools refuse agents and the other way round', async () => {
  const { connect } = openSurfaces()
  const agent = await connect(HUMAN, ROBOT)
  await expect(call(agent, 'chat_human_post', hello)).rejects.toThrow('This is for human or admin, and robot is agent')
  const human = await connect(ASSISTANT, ADA)
  for (const [name, input] of [
    ['chat_assistant_post', hello],
    ['chat_assistant_event', { type: 'thinking', reasoning: 'x' }],
  ] as const)
    await expect(call(human, name, input)).rejects.toThrow('and ada is human')
  expect((await readJson(human, INBOX)).body.messages).toEqual([])
})

test('[I16] a pinned subscription survives a restart, and an ordinary unsubscribe does not end it', async () => {
  const log = newLog()
  const before = openSurfaces({ log })
  const program = await before.connect(ASSISTANT, ROBOT)
  await program.subscribeResource({ uri: INBOX, _meta: { 'parley/pinned': true } })
  await expect(program.unsubscribeResource({ uri: INBOX })).rejects.toThrow('This subscription is pinned')
  const after = openSurfaces({ log })
  const again = await after.connect(ASSISTANT, ROBOT)
  const next = updatesOf(again)
  await again.listTools()
  await call(await after.connect(HUMAN, ADA), 'chat_human_post', hello)
  expect((await next()).messages).toMatchObject([{ content: 'Hello' }])
  await again.unsubscribeResource({ uri: INBOX, _meta: { 'parley/pinned': true } })
  await again.unsubscribeResource({ uri: INBOX })
})

test('[I17] a principal bound to one conversation sees and touches no other', async () => {
  const { view, connect } = openSurfaces()
  await view.say('public', { text: 'not for you' })
  const bound = await connect(HUMAN, BOUND)
  await call(bound, 'chat_human_post', hello)
  expect((await readJson(bound, INBOX)).body.messages.map(({ session_id }) => session_id)).toEqual(['private'])
  expect((await call(bound, 'chat_read_since', {})).messages).toHaveLength(1)
  for (const name of ['chat_read_since', 'chat_human_post'])
    await expect(call(bound, name, { ...hello, session_id: 'public' })).rejects.toThrow('Unknown conversation "public"')
  await expect(bound.readResource({ uri: `${INBOX}/public` })).rejects.toThrow(`Unknown resource ${INBOX}/public`)
  await expect(bound.subscribeResource({ uri: `${INBOX}/public` })).rejects.toThrow('Unknown resource')
})

test.each<Era>(['legacy', 'modern'])(
  '[I17] a bound subscriber (%s) is told only of its own conversation',
  async (era) => {
    const { view, connect } = openSurfaces()
    const free = await connect(HUMAN, ADA, era)
    await subscribe(free, INBOX, era)
    const bound = await connect(HUMAN, BOUND, era)
    const next = updatesOf(bound)
    await subscribe(bound, INBOX, era)
    await view.say('public', { text: 'not for you' })
    await view.say('private', { text: 'for you' })
    expect((await next()).messages?.map(({ content }) => content)).toEqual(['for you'])
  },
)

test('[I18] only an administrator reads as another subscriber', async () => {
  const { view, connect } = openSurfaces()
  await view.say('public', { text: 'public' })
  await view.say('private', { text: 'private' })
  const admin = await connect(HUMAN, ROOT)
  const read = async (subscriber: string) =>
    (await call(admin, 'chat_read_since', { subscriber })).messages.map(({ content }) => content)
  expect(await read('bound')).toEqual(['private'])
  expect(await read('ada')).toEqual(['public', 'private'])
  await expect(read('nobody')).rejects.toThrow('Unknown subscriber "nobody"')
  const human = await connect(HUMAN, ADA)
  await expect(call(human, 'chat_read_since', { subscriber: 'bound' })).rejects.toThrow(
    'This is for admin, and ada is human',
  )
})
