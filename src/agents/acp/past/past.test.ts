import { appendFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { aFolder, drivenAgent, SCRIPTED, scriptedIn } from '../../../../test/support/driven/driven-agent.ts'
import { acpDriver } from '../driver.ts'
import { createReplay } from './replay.ts'

function listing(seen: string, nature: object, folder: string) {
  const environment = { ACP_AGENT: JSON.stringify(nature), ...scriptedIn(seen) }
  return acpDriver({ command: SCRIPTED, environment }).sessions?.(folder, seen)
}

test('[O243] the sessions that an agent keeps of a folder are listed, over all pages, the newest first, and no others', async () => {
  const folder = aFolder()
  symlinkSync(folder, `${folder}-link`)
  const kept = [
    { sessionId: 'old', cwd: folder, title: 'Old', updatedAt: '2026-01-01T00:00:00Z' },
    { sessionId: 'other', cwd: '/elsewhere', updatedAt: '2026-01-02T00:00:00Z' },
    { sessionId: 'below', cwd: join(folder, 'src'), updatedAt: '2026-01-02T00:00:00Z' },
    { sessionId: 'odd', cwd: folder, title: null, updatedAt: 'yesterday' },
    { cwd: folder },
    { sessionId: 'new', cwd: `${folder}-link`, title: ` Fix\n it `, updatedAt: '2026-01-03T00:00:00Z' },
  ]
  for (const one of kept) appendFileSync(join(folder, 'sessions.jsonl'), `${JSON.stringify(one)}\n`)
  expect(await listing(folder, { lists: 2 }, folder)).toEqual([
    { id: 'new', title: 'Fix it', at: Date.parse('2026-01-03T00:00:00Z') },
    { id: 'old', title: 'Old', at: Date.parse('2026-01-01T00:00:00Z') },
    { id: 'odd' },
  ])
  expect(await listing(folder, {}, folder)).toBeUndefined()
})

test('[O243] sessions with odd folders, ids and titles keep no other from being listed', async () => {
  const folder = aFolder()
  symlinkSync(join(folder, 'loop'), join(folder, 'loop'))
  const odd = [
    { sessionId: 'loop', cwd: join(folder, 'loop') },
    { sessionId: 'long', cwd: `/${'x'.repeat(5000)}` },
    { sessionId: 'nul', cwd: `${folder}\0` },
    { sessionId: 'x'.repeat(1_000_000), cwd: folder },
    { sessionId: '', cwd: folder },
    { sessionId: ' ../a/b\n', cwd: folder, title: 'a\u0000b\u001b[31m\u202ec' },
  ]
  for (const one of odd) appendFileSync(join(folder, 'sessions.jsonl'), `${JSON.stringify(one)}\n`)
  expect(await listing(folder, { lists: 2 }, folder)).toEqual([{ id: ' ../a/b\n', title: 'a b [31m c' }])
})

test('[O244] what was said in a session that is gone on with is told in order, and nothing of it as if it were new', async () => {
  const folder = aFolder()
  const first = await drivenAgent({ folder })
  await first.prompt('do say Good morning')
  await first.prompt('and now?')
  await first.session.stop()
  const second = await drivenAgent({ folder, nature: { resume: true }, resume: first.session.id, replay: true })
  expect(second.session.earlier?.map(({ what }) => what)).toEqual(expect.arrayContaining(['user', 'assistant']))
  const told = second.session.earlier?.map(({ what, text }) => `${what}: ${text}`).join('|')
  expect(told).toMatch(/^user: do say Good morning\|assistant: .*user: and now\?\|assistant: You said/s)
  expect([second.says(), second.of('ask')]).toEqual(['', []])
})

test('[O244] texts of one id are one, calls are named once, what a model alone was told is left out, and the newest are kept', () => {
  const { take, said } = createReplay()
  const chunk = (sessionUpdate: string, text: string, messageId?: string) =>
    take({ sessionUpdate, content: { type: 'text', text }, messageId })
  chunk('user_message_chunk', '<session_context>\nsecret\n</session_context>')
  chunk('user_message_chunk', 'Hello')
  chunk('agent_thought_chunk', 'Hm', '1')
  chunk('agent_message_chunk', 'Good ', '1')
  chunk('agent_message_chunk', 'day', '1')
  chunk('agent_message_chunk', 'One')
  chunk('agent_message_chunk', 'Two')
  take({ sessionUpdate: 'tool_call', toolCallId: 'a', title: 'Read', name: 'Read' })
  take({ sessionUpdate: 'tool_call_update', toolCallId: 'a', title: 'Read notes.txt' })
  take({ sessionUpdate: 'plan', entries: [] })
  expect(said()).toEqual([
    { what: 'user', text: 'Hello' },
    { what: 'thinking', text: 'Hm' },
    { what: 'assistant', text: 'Good day' },
    { what: 'assistant', text: 'One' },
    { what: 'assistant', text: 'Two' },
    { what: 'tool', text: 'Read notes.txt', tool_name: 'Read' },
  ])
  for (let n = 0; n < 5000; n++) chunk('agent_message_chunk', `${n}`)
  expect(said()).toHaveLength(2001)
  expect(said()[0]?.text).toMatch(/^\(\d+ earlier ones are left out\)$/)
  expect(said().at(-1)?.text).toBe('4999')
})

test('[O244] of a history without bounds the bounded part alone is kept, and of long texts their beginning', () => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const { take, said } = createReplay()
  const long = (n: number) => Buffer.alloc(1_000_000, 97 + (n % 26)).toString()
  const chunk = (sessionUpdate: string, text: string, messageId?: string) =>
    take({ sessionUpdate, content: { type: 'text', text }, messageId })
  gc()
  const before = process.memoryUsage().heapUsed
  for (let n = 0; n < 100; n++) chunk('agent_message_chunk', long(n))
  for (let n = 0; n < 100; n++) chunk('agent_message_chunk', long(n), 'one')
  for (let n = 0; n < 100; n++) take({ sessionUpdate: 'tool_call', toolCallId: `${n}`, title: long(n) })
  chunk('user_message_chunk', `<system-reminder>${long(1)}`, 'two')
  chunk('user_message_chunk', '</system-reminder>\n', 'two')
  gc()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000)
  const all = said()
  expect(all.map(({ text }) => text.length)).toEqual(Array(201).fill(20_001))
  expect(all.map(({ what }) => what)).not.toContain('user')
})

test.for([true, 'silently'])(
  '[O245] of a session that is forked with its history the history is told, once (%s)',
  async (forks) => {
    const first = await drivenAgent()
    await first.prompt('remember 42')
    const { folder } = first
    const other = await drivenAgent({ folder, nature: { forks }, fork: first.session.id, replay: true })
    expect(other.session.earlier?.map(({ text }) => text).join('')).toBe('remember 42You said: remember 42')
    expect(other.session.id).not.toBe(first.session.id)
  },
)

test('[O245] a session is forked where the agent can, which remembers it; where it cannot, the new one does not', async () => {
  const folder = aFolder()
  const first = await drivenAgent({ folder })
  await first.prompt('remember 42')
  for (const [nature, remembers] of [
    [{ forks: true }, true],
    [{}, false],
  ] as const) {
    const other = await drivenAgent({ folder, nature, fork: first.session.id })
    expect(other.session.remembers).toBe(remembers)
    expect(other.session.id).not.toBe(first.session.id)
    expect(other.says()).toBe('')
    await other.prompt('and more')
    expect(other.says()).toBe('You said: and more')
  }
  expect((await drivenAgent({ folder, nature: { forks: true }, fork: 'long gone' })).session.id).toBeDefined()
})
