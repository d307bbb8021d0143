import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createChat } from '../chat/chat.ts'
import { openSqliteLog } from '../log/sqlite-log.ts'
import { bridge } from './bridge-dialect.ts'
import { speakTogether } from './event-dialect.ts'

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
