import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readCard } from '../src/join/hub-card.ts'
import { agentOverStdio } from './support/agent.ts'
import { temporaryFolder } from './support/hub.ts'
import { openPage, questionOf } from './support/page.ts'
import { startParley } from './support/process.ts'

/** An agent whose hub is in another process, and the page of that hub. */
async function startJoined({ args = ['stdio'], serve = [] as string[], cwd = '' } = {}) {
  const data = await temporaryFolder()
  const hub = startParley(['serve', '--port', '0', '--data', data, ...serve])
  const url = await hub.url
  const env = { PARLEY_DATA: data, ...(cwd === '' && { PARLEY_SESSION: 'work' }) }
  const agent = await agentOverStdio({ args, env, ...(cwd && { cwd }) })
  const page = openPage(url)
  expect(await agent.url).toBe(url)
  return { data, hub, agent, page, call }

  async function call(name: string, input: Record<string, unknown>) {
    const result = await agent.client.callTool({ name, arguments: input })
    if (result.isError) throw new Error((result.content as { text: string }[])[0]?.text)
    return result.structuredContent as Record<string, unknown>
  }
}

test('[C37] a joined agent may cancel, wait again by id, and gets late replies and earlier messages', async () => {
  const { agent, page } = await startJoined()
  const stop = new AbortController()
  const cancelled = agent.call({ text: 'Deploy?' }, { signal: stop.signal })
  const question = await questionOf(page, 'Deploy?')
  stop.abort('changed my mind')
  await expect(cancelled).rejects.toThrow()
  const again = agent.call({ text: 'Deploy?', question_id: question })
  await page.answer(question, 'Yes')
  expect(await again).toEqual({ reply: 'Yes' })

  const other = new AbortController()
  const late = agent.call({ text: 'And now?' }, { signal: other.signal })
  const second = await questionOf(page, 'And now?')
  other.abort()
  await expect(late).rejects.toThrow()
  await page.answer(second, 'Late')
  await page.post('work', 'By the way')
  const next = agent.call({ text: 'Next?' })
  await page.answer(await questionOf(page, 'Next?'), 'Go on')
  expect(await next).toMatchObject({
    reply: 'Go on',
    earlier_messages: [{ text: 'Late', in_reply_to: 'And now?' }, { text: 'By the way' }],
  })
})

test('[C37] a joined agent is told pending, interrupted, and by every tool what the person wrote', async () => {
  const { page, call } = await startJoined({ args: ['stdio', '--surface', 'agent', '--max-wait', '1'] })
  const pending = await call('send_message', { text: 'Deploy?' })
  const question = await questionOf(page, 'Deploy?')
  expect(pending).toMatchObject({ status: 'pending', question_id: question })
  const again = call('send_message', { text: 'Deploy?', question_id: question })
  await page.answer(question, 'Yes')
  expect(await again).toEqual({ reply: 'Yes' })
  await call('set_title', { title: 'Fix the login' })
  await page.post('work', 'Faster')
  expect(await call('send_progress', { text: 'Half way' })).toMatchObject({ earlier_messages: [{ text: 'Faster' }] })
  await page.interrupt('work', 'Not like this')
  expect(await call('check_messages', {})).toMatchObject({ status: 'interrupted', message: 'Not like this' })
  await expect(call('ask_user', { question_id: '0000000000000009' })).rejects.toThrow('There is no question')
})

test('[C37] a text beyond the limit of the hub is refused to a joined agent, and it goes on', async () => {
  const { agent, page } = await startJoined({ serve: ['--max-message', '2000'] })
  await expect(agent.call({ text: 'x'.repeat(1_000_000) })).rejects.toThrow('larger than the limit of 2000 bytes')
  const next = agent.call({ text: 'Short?' })
  await page.answer(await questionOf(page, 'Short?'), 'Yes')
  expect(await next).toEqual({ reply: 'Yes' })
})

test('[C37] a joined agent works in a folder of the longest name', async () => {
  const cwd = join(await temporaryFolder(), 'f'.repeat(200))
  await mkdir(cwd)
  const { agent, page } = await startJoined({ cwd })
  const next = agent.call({ text: 'Here?' })
  await page.answer(await questionOf(page, 'Here?'), 'Yes')
  expect(await next).toEqual({ reply: 'Yes' })
})

test('[C38] an agent that never asked takes over too, and what is asked while there is no hub waits for it', async () => {
  const { data, hub, agent, page } = await startJoined()
  await page.started
  hub.child.kill('SIGKILL')
  await hub.ended
  const call = agent.call({ text: 'Anybody?' })
  await page.answer(await questionOf(page, 'Anybody?'), 'Me')
  expect(await call).toEqual({ reply: 'Me' })
  expect(readCard(data)?.pid).toBe(agent.pid)
  expect(page.resumed).toEqual([true, true])
})

test('[C38] when another program has taken the port meanwhile, the hub moves to another and calls go on', async () => {
  const { data, hub, agent, page } = await startJoined()
  const call = agent.call({ text: 'Deploy?' })
  const question = await questionOf(page, 'Deploy?')
  const port = readCard(data)?.port as number
  process.kill(agent.pid, 'SIGSTOP')
  hub.child.kill('SIGKILL')
  await hub.ended
  const stranger = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => void stranger.close())
  await once(stranger, 'listening')
  process.kill(agent.pid, 'SIGCONT')
  const moved = await agent.said(/^http:\/\/localhost:\d+\nhttp:\/\/localhost:(\d+)$/m)
  expect(readCard(data)).toMatchObject({ pid: agent.pid, port: Number(moved[1]) })
  await openPage(`http://localhost:${moved[1]}`).answer(question, 'Yes')
  expect(await call).toEqual({ reply: 'Yes' })
})

test.each([
  ['while it has joined', false],
  ['after it took over', true],
])('[C21] an agent whose process is told to end %s is answered first', async (_, afterTakeover) => {
  const { data, hub, agent, page } = await startJoined()
  const call = agent.call({ text: 'Deploy?' })
  const question = await questionOf(page, 'Deploy?')
  if (afterTakeover) {
    hub.child.kill('SIGKILL')
    await page.until(() => page.resumed.length === 2)
    await page.until(() => page.agents.get('work') === 'waiting')
  }
  process.kill(agent.pid, 'SIGTERM')
  await expect(call).rejects.toThrow('Parley is shutting down')
  const next = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: 'work' } })
  const again = next.call({ text: 'Deploy?', question_id: question })
  await page.answer(question, 'Yes')
  expect(await again).toEqual({ reply: 'Yes' })
})
