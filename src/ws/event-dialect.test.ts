import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createChat } from '../chat/chat.ts'
import { openSqliteLog } from '../log/sqlite-log.ts'
import type { Entry } from '../protocol/entry.ts'
import { bridge } from './bridge-dialect.ts'
import { speakTogether } from './event-dialect.ts'
import { loop } from './loop-dialect.ts'
import { router } from './router-dialect.ts'

test('[W24] a client that is let go while it is being greeted is no failure, though the log closes too', async () => {
  const chat = createChat({ log: await openSqliteLog(':memory:') })
  await chat.ask('work', { by: 'bob', text: 'Deploy now?' })
  const fail = vi.fn()
  const send = vi.fn()
  const speaker = speakTogether(bridge)({ chat, conversation: 'work', by: 'ada', send, sendTogether: send, fail })
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
