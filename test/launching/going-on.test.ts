import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { acpDriver } from '../../src/agents/acp/driver.ts'
import type { Body } from '../../src/protocol/entries/entry.ts'
import { startDriven, startRunner, watching } from '../support/driven/driven.ts'
import { linesIn, SCRIPTED, scriptedIn } from '../support/driven/driven-agent.ts'
import { temporaryFolder } from '../support/hub.ts'

async function begun({ maxSessions = 5, ...nature }: { maxSessions?: number; [more: string]: unknown } = {}) {
  const seen = await temporaryFolder()
  const driver = acpDriver({
    command: SCRIPTED,
    name: 'Robo',
    environment: { ACP_AGENT: JSON.stringify(nature), ...scriptedIn(seen) },
  })
  const world = await startDriven({ driver, name: 'robot', maxSessions })
  const start = (wanted: object, text = '') =>
    world.view.start({ runner: 'robot', ...wanted }, { text }, `key ${text} ${JSON.stringify(wanted)}`)
  const first = await start({}, 'remember 42')
  const watch = watching(world.view, first.conversation)
  await watch.until('turn')
  return { ...world, seen, driver, start, first, prompts: () => linesIn(seen, 'prompts').map(({ text }) => text) }
}

function earlier(bodies: Body[]): string[] {
  return bodies.flatMap((body) => (body.kind === 'earlier' ? `${body.what}: ${body.text}` : []))
}

test('[O246] a conversation goes on with a session: what was said there comes first, once, as earlier, and then the agent goes on', async () => {
  const { data, view, runner, driver, start, seen } = await begun()
  const { sessionId = '' } = linesIn(seen, 'sessions')[0] ?? {}
  // As if it were one of the terminal.
  copyFileSync(join(seen, `session-${sessionId}.jsonl`), join(seen, 'session-kept.jsonl'))
  const wanted = { resume: 'kept' }
  const { conversation } = await start(wanted)
  expect((await start(wanted)).conversation).toBe(conversation)
  const watch = watching(view, conversation)
  await watch.until('turn')
  const all = earlier(watch.seen.map(({ body }) => body))
  expect(all[0]).toBe('user: remember 42')
  expect(all[1]).toMatch(/^assistant: You said/)
  expect(watch.seen.map(({ body }) => body.kind).filter((kind) => kind !== 'earlier')).toEqual([
    'title',
    'wish',
    'turn',
  ])
  // Nothing of it waits for an answer, and no program is told of it as said.
  expect(await view.conversation(conversation)).toMatchObject({ open: [], said: '0000000000000000' })
  await runner.close()
  await startRunner(data, { driver, name: 'robot' })
  await view.say(conversation, { text: 'and more' })
  await watch.until('turn', 2)
  expect(earlier(watch.seen.map(({ body }) => body))).toEqual(all)
  expect(linesIn(seen, 'begun').findLast(({ method }) => method === 'session/load')).toMatchObject({
    sessionId: 'kept',
  })
  expect(watch.bodies('error')).toEqual([])
})

test('[O246] a session that the agent does not know is said to be gone, and the conversation begins anew', async () => {
  const { view, start } = await begun()
  const { conversation } = await start({ resume: 'long gone' })
  const watch = watching(view, conversation)
  expect(await watch.until('turn')).toMatchObject([{ outcome: 'failed' }])
  expect(watch.bodies('error')).toMatchObject([{ error: expect.stringMatching(/^The agent could not go on/) }])
  await view.say(conversation, { text: 'Hello' })
  expect(await watch.until('turn', 2)).toMatchObject([{}, { outcome: 'ended' }])
})

test.for([true, false])(
  '[O247] a conversation goes on from another one: forked where the agent can (%s), else told what was said',
  async (forks) => {
    const { view, start, first, prompts, seen } = await begun({ forks })
    const { conversation } = await start({ from: { conversation: first.conversation } }, 'and more')
    const watch = watching(view, conversation)
    await watch.until('turn')
    expect(earlier(watch.seen.map(({ body }) => body))).toEqual([
      'user: remember 42',
      'assistant: You said: remember 42',
    ])
    expect(watch.seen.map(({ body }) => body.kind).slice(0, 5)).toEqual([
      'title',
      'wish',
      'earlier',
      'earlier',
      'message',
    ])
    const said = prompts().at(-1)
    if (forks) expect(said).toBe('and more')
    else
      expect(said).toMatch(/goes on from an earlier one.*Person: remember 42\nYou: You said: remember 42\n\nand more$/s)
    expect(linesIn(seen, 'begun').some(({ method }) => method === 'session/fork')).toBe(forks)
  },
)

test('[O247] from an entry on, what was said later is left out, and no session that has it is forked', async () => {
  const { view, start, first, prompts } = await begun({ forks: true })
  const watch = watching(view, first.conversation)
  await watch.until('message')
  const { id } = watch.seen.find(({ body }) => body.kind === 'message') ?? {}
  const from = { conversation: first.conversation, entry: id }
  const { conversation } = await start({ from }, 'and more')
  const other = watching(view, conversation)
  await other.until('turn')
  expect(earlier(other.seen.map(({ body }) => body))).toEqual(['user: remember 42'])
  expect(prompts().at(-1)).toMatch(/Person: remember 42\n\nand more$/)
  await expect(start({ from: { conversation: 'nowhere' } }, 'and more')).rejects.toMatchObject({
    code: 'unknown_conversation',
  })
})

test('[O250] while a turn runs there, or where more was said since, no session is forked: the agent is told what counts', async () => {
  const { view, start, first, prompts, seen } = await begun({ forks: true })
  const from = { conversation: first.conversation }
  await view.say(first.conversation, { text: 'do silent' })
  await expect.poll(() => prompts().at(-1)).toBe('do silent')
  const { conversation } = await start({ from }, 'while it runs')
  await watching(view, conversation).until('turn')
  expect(prompts().at(-1)).toMatch(/Person: do silent\n\nwhile it runs$/)
  expect(linesIn(seen, 'begun').map(({ method }) => method)).not.toContain('session/fork')
})

test('[O250] words that come between the beginning of a fork and its agent are not in it', async () => {
  const { view, start, first, prompts, seen } = await begun({ forks: true, maxSessions: 1 })
  const { conversation: busy } = await start({}, 'do silent')
  await expect.poll(() => prompts().at(-1)).toBe('do silent')
  const { conversation } = await start({ from: { conversation: first.conversation } }, 'and more')
  await view.say(first.conversation, { text: 'later' })
  await expect.poll(() => view.driving.driven().find(([id]) => id === first.conversation)?.[1].state).toBe('working')
  await view.interrupt(busy)
  await watching(view, conversation).until('turn')
  await watching(view, first.conversation).until('turn', 2)
  expect(linesIn(seen, 'begun').map(({ method }) => method)).not.toContain('session/fork')
  expect(prompts().filter((text) => String(text).includes('and more'))).toEqual([
    expect.stringMatching(/Person: remember 42\nYou: You said: remember 42\n\nand more$/),
  ])
})

test('[O250] words that were changed or taken back are not what they were', async () => {
  const { view, start, first } = await begun()
  const watch = watching(view, first.conversation)
  const [second, third] = [
    await view.say(first.conversation, { text: 'my secret' }),
    await view.say(first.conversation, { text: 'wrogn' }),
  ]
  await view.revise(first.conversation, second.id, undefined)
  await view.revise(first.conversation, third.id, 'right')
  await watch.until('turn', 2)
  const { conversation } = await start({ from: { conversation: first.conversation } }, 'and more')
  const other = watching(view, conversation)
  await other.until('turn')
  const said = earlier(other.seen.map(({ body }) => body)).filter((line) => line.startsWith('user'))
  expect(said).toEqual(['user: remember 42', 'user: right'])
})

test('[O246] a session is gone on with whatever its id and its history are like', async () => {
  const { view, start, seen } = await begun()
  const id = '..\u0007\n\ud83d '
  const lines = [
    { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'a\u0000\ud800 b' } },
    { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: '\u001b[2J'.repeat(100_000) } },
    { sessionUpdate: 'tool_call', toolCallId: 'x', title: ' \n ', name: 'a\nb' },
    { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'The last' } },
  ]
  writeFileSync(join(seen, `session-${id}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { conversation } = await start({ resume: id })
  const watch = watching(view, conversation)
  expect(await watch.until('turn')).toMatchObject([{ outcome: 'ended' }])
  expect(watch.bodies('earlier').at(-1)).toMatchObject({ text: 'The last' })
})

test('[O246] an agent that lost its long session is told what was said there last, and not first', async () => {
  const { view, start, seen, prompts } = await begun()
  const lines = Array.from({ length: 1000 }, (_, n) => ({
    sessionUpdate: n % 2 ? 'agent_message_chunk' : 'user_message_chunk',
    content: { type: 'text', text: `words ${n}` },
  }))
  const path = join(seen, 'session-long.jsonl')
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { conversation } = await start({ resume: 'long' })
  const watch = watching(view, conversation)
  await watch.until('turn')
  rmSync(path)
  process.kill(Number(linesIn(seen, 'lives').at(-1)?.pid), 'SIGKILL')
  await watch.until('error')
  await view.say(conversation, { text: 'Where were we?' })
  await watch.until('turn', 2)
  expect(prompts().at(-1)).toMatch(/You: words 999\n\nWhere were we\?$/)
})

test('[O249] a session that another conversation goes on with is forked, or else said to be taken: neither has words of the other', async () => {
  for (const forks of [true, false]) {
    const { view, start, first, seen } = await begun({ forks })
    const { sessionId = '' } = linesIn(seen, 'sessions')[0] ?? {}
    const { conversation } = await start({ resume: String(sessionId) })
    const watch = watching(view, conversation)
    await watch.until('turn')
    await Promise.all([
      view.say(conversation, { text: 'To the second' }),
      view.say(first.conversation, { text: 'To the first' }),
    ])
    await watch.until('turn', 2)
    await watching(view, first.conversation).until('turn', 2)
    const sessions = linesIn(seen, 'prompts').map(({ session, text }) => [session, String(text).split('\n').at(-1)])
    expect(sessions).toContainEqual([sessionId, 'To the first'])
    expect(sessions).not.toContainEqual([sessionId, 'To the second'])
    expect(sessions).toContainEqual([expect.any(String), 'To the second'])
    expect(watch.bodies('error').map(({ error }) => error)).toEqual(
      forks ? [] : [expect.stringMatching(/^Another conversation goes on with this session/)],
    )
    expect(earlier(watch.bodies('earlier'))[0]).toBe(forks ? 'user: remember 42' : undefined)
  }
})
