import { expect, test } from 'vitest'
import { INBOX, type InboxMessage } from '../../src/protocol/frames/inbox.ts'
import type { Principal } from '../../src/protocol/principal.ts'
import type { Era } from '../support/agent.ts'
import { ask, until } from '../support/chat.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { call, openSurfaces, readJson } from '../support/mcp/surfaces.ts'
import { subscribe, updatesOf } from '../support/mcp/updates.ts'

const RUNNER: Principal = { id: 'runner', name: 'runner', role: 'orchestrator' }
const PATH = '/mcp/orchestrator'
const claude = { name: 'claude', folder: '/work', agent: 'claude', max_sessions: 4 }

test.each<Era>(['legacy', 'modern'])(
  '[I50] the reply to a question names it and says how it begins, however it is read (%s)',
  async (era) => {
    const { view, connect } = openSurfaces()
    const driver = await connect(PATH, RUNNER, era)
    const next = updatesOf(driver)
    await subscribe(driver, INBOX, era)
    const question = await ask(view, { by: 'agent', text: 'Deploy\nnow?' })
    const { id } = await view.answer(question, 'Yes')
    const reply = {
      id,
      author: 'user',
      content: 'Yes',
      settles: question,
      in_reply_to: { id: question, text: 'Deploy now?' },
    }
    expect((await next()).messages).toMatchObject([reply])
    expect((await readJson(driver, INBOX)).body.messages).toMatchObject([{ id: question }, reply])
    expect((await call(driver, 'chat_read_since', { after_id: question })).messages).toMatchObject([reply])
  },
)

test('[I51] a stop says that it is one, and nothing else does', async () => {
  const { view, connect } = openSurfaces()
  const driver = await connect(PATH, RUNNER)
  await view.say('work', { text: 'Hello' })
  await view.interrupt('work', 'Hold on')
  const [hello, stop] = (await readJson(driver, INBOX)).body.messages
  expect(hello).not.toHaveProperty('interrupt')
  expect(stop).toMatchObject({ content: 'Hold on', interrupt: true })
})

test('[I52] what people say tells the runner that they gave the conversation to, also after a restart', async () => {
  const data = await temporaryFolder()
  const { chat, view, close } = await startHub(data)
  const { inbox, driver } = chat.as(RUNNER)
  const told: InboxMessage[][] = []
  inbox.onUserMessages((messages) => told.push(messages))
  await view.say('work', { text: 'Hello' })
  await until(() => told.length === 1)
  expect(told[0]?.[0]).not.toHaveProperty('runner')
  driver().offerRunner(claude, 'me')
  await view.changeRunSettings('work', { runner: 'claude' })
  await view.tell('work', { by: 'agent', text: 'Yes?' })
  await view.say('work', { text: 'Go' })
  await until(() => told.length === 2)
  expect(told[1]).toMatchObject([{ content: 'Go', runner: 'claude' }])
  await view.say('other', { text: 'Elsewhere' })
  await close()
  const { messages } = await (await startHub(data)).chat.as(RUNNER).inbox.newest()
  expect(messages.map(({ content, runner }) => [content, runner])).toEqual([
    ['Hello', 'claude'],
    ['Yes?', undefined],
    ['Go', 'claude'],
    ['Elsewhere', 'claude'],
  ])
})
