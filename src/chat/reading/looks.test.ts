import { expect, test } from 'vitest'
import { ask, newLog, openTestChat } from '../../../test/support/chat.ts'
import { markOf } from '../../../web/src/text/agent.ts'
import type { View } from '../view.ts'

const FOLDERS = ['/home/ada/web', '/home/ada/website', '/srv/web']

/** Begins a conversation in a folder and returns what its agent's mark looks like. */
async function begin(view: View, name: string, folder?: string) {
  const said = { kind: 'progress', by: 'claude-code', text: 'Hello' } as const
  await view.agentService().tell(name, said, { key: 'hello', title: 'web', folder })
  return look(view, name)
}

async function look(view: View, name: string) {
  return JSON.stringify(markOf('claude-code', await view.conversation(name)))
}

test('[U511] agents of one kind that are there together never look the same, and beyond ten marks have a number', async () => {
  const { view } = openTestChat()
  const looks: string[] = []
  for (let n = 0; n < 23; n++) {
    // Whoever is there for long keeps its look, whoever comes and goes meanwhile.
    view.agentSession({ conversation: `agent-${n}`, title: 'web' })
    looks.push(await begin(view, `agent-${n}`, FOLDERS[n % 3]))
  }
  expect(new Set(looks).size).toBe(23)
  expect(looks.slice(0, 10).every((mark) => mark.includes('"Cw"'))).toBe(true)
  expect(looks.slice(10, 20).every((mark) => mark.includes('"Cw2"'))).toBe(true)
  expect(looks[22]).toContain('"Cw3"')
})

test('[U511] ten that begin one after the other look different, and none looks like one that waits', async () => {
  const { view } = openTestChat()
  const waiting = await begin(view, 'waiting', '/home/ada/web')
  await ask(view, { by: 'claude-code', text: 'Deploy now?' }, 'waiting')
  const looks: string[] = []
  for (let n = 0; n < 40; n++) looks.push(await begin(view, `gone-${n}`, '/home/ada/web'))
  expect(looks).not.toContain(waiting)
  expect(looks.every((mark) => mark.includes('"Cw"'))).toBe(true)
  for (let n = 0; n + 9 <= looks.length; n++) expect(new Set(looks.slice(n, n + 9)).size).toBe(9)
})

test('[U511] a mark stays as it is, at the next hub too, whose own look like none of them', async () => {
  const log = newLog()
  const { view, chat } = openTestChat({ log })
  const looks: string[] = []
  for (let n = 0; n < 5; n++) looks.push(await begin(view, `agent-${n}`, '/home/ada/web'))
  const other = await begin(view, 'other')
  const next = openTestChat({ log })
  await next.chat.ready
  for (let n = 0; n < 5; n++) expect(await look(next.view, `agent-${n}`)).toBe(looks[n])
  for (let n = 5; n < 10; n++) looks.push(await begin(next.view, `agent-${n}`, '/home/ada/web'))
  expect(new Set([...looks, other]).size).toBe(11)
  await next.view.rename('agent-0', 'Another name')
  expect(await look(next.view, 'agent-0')).toBe(looks[0])
  await chat.ready
})
