import { expect, test } from 'vitest'
import { ask, newLog, openTestChat } from '../../../test/support/chat.ts'
import type { Log } from '../../log/views.ts'

const approval = { tool_name: 'Bash', input: '{"command":"ls"}' }

/** The log of a hub that kept no list of what is always allowed. */
function older(log: Log): Log {
  return {
    ...log,
    snapshots: {
      ...log.snapshots,
      async get(name, format) {
        const found = await log.snapshots.get(name, format)
        const { granted: _, ...state } = (found?.state ?? {}) as { granted?: string[] }
        return found && { ...found, state }
      },
    },
  }
}

test('[G278] what was always allowed before there was a list of it is found, and what is from then on', async () => {
  const log = newLog()
  const first = openTestChat({ log })
  for (let n = 0; n < 120; n++) await first.view.say(`talk ${n}`, { text: 'Hello' })
  await first.view.allowAlways(await ask(first.view, { by: 'codex', text: 'May I?', approval }, 'talk 7'), undefined)
  for (let n = 0; n < 1000; n++) await first.view.say('long', { text: 'Hello' })
  const { chat, view } = openTestChat({ log: older(log) })
  const places = async () => (await chat.standing.grants()).map(({ conversation }) => conversation)
  expect(await places()).toEqual(['talk 7'])
  await view.allowAlways(await ask(view, { by: 'codex', text: 'May I?', approval }, 'new'), undefined)
  expect(await places()).toEqual(['new', 'talk 7'])
})

test('[G278] [L64] a permission has the time of its entry, whatever its id is', async () => {
  const log = newLog()
  const read: Log['read'] = async (page) => (await log.read(page)).map((entry) => ({ ...entry, at: 7 }))
  const { chat, view } = openTestChat({ log: { ...log, read } })
  await view.allowAlways(await ask(view, { by: 'codex', text: 'May I?', approval }, 'talk'), undefined)
  expect(await chat.standing.grants()).toMatchObject([{ conversation: 'talk', at: 7 }])
})
