import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { ask, openTestChat } from '../../../test/support/chat.ts'
import { openSqliteLog } from '../../log/sqlite/sqlite-log.ts'
import type { Entry } from '../../protocol/entries/entry.ts'
import { storedBody } from '../../protocol/entries/stored.ts'
import { bridge } from './bridge-dialect.ts'
import { speakTogether } from './event-dialect.ts'
import { loop } from './loop-dialect.ts'
import { router } from './router-dialect.ts'

test('[W24] a client that is let go while it is being greeted is no failure, though the log closes too', async () => {
  const { chat, view } = openTestChat({ log: await openSqliteLog(':memory:', { readBody: storedBody }) })
  await ask(view, { by: 'bob', text: 'Deploy now?' })
  const fail = vi.fn()
  const send = vi.fn()
  const speaker = speakTogether(bridge)({
    view: view.within('work'),
    composer: 'always',
    send,
    sendSoon() {},
    behind: () => undefined,
    fail,
  })
  speaker.close()
  await chat.close()
  await setImmediate()
  expect(send).not.toHaveBeenCalled()
  expect(fail).not.toHaveBeenCalled()
})

test('[W18] an entry that this version does not know comes to no documented client', () => {
  const body = { kind: 'unknown', name: 'poll', content: { kind: 'poll', text: 'Red or blue?' } } as const
  const entry: Entry = { id: '0000000000000001', conversation: 'work', at: 0, body }
  for (const dialect of [bridge, loop, router]) expect(dialect.frameOf(entry)).toBeUndefined()
})
