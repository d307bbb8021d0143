import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { agentOverStdio } from '../support/agent.ts'
import { folderWithHub, temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { openPage, questionOf, told, waiting } from '../support/page.ts'

/** An agent over a line, and the page of its hub, which is here or in a process of its own. */
async function startWork({ args = [] as string[], cwd = '', apart = false } = {}) {
  const data = await (apart ? temporaryFolder() : folderWithHub())
  const env = { PARLEY_DATA: data, ...(cwd === '' && { PARLEY_SESSION: 'work' }) }
  const agent = await agentOverStdio({ args: ['stdio', ...args], env, ...(cwd && { cwd }) })
  const page = openPage((await agent.url) ?? '')
  await page.started
  return { data, agent, page, call }

  async function call(name: string, input: Record<string, unknown>) {
    const result = await agent.client.callTool({ name, arguments: input })
    const [text] = result.content as { text: string }[]
    if (result.isError) throw new Error(text?.text)
    return (result.structuredContent ?? JSON.parse(text?.text ?? '')) as Record<string, unknown>
  }
}

test('[C37] an agent may cancel, wait again by id, and gets late replies and earlier messages', async () => {
  const { agent, page } = await startWork()
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
  await page.until(() => page.agents.get('work') !== 'waiting')
  await page.answer(second, 'Late')
  await page.post('work', 'By the way')
  const next = await waiting(agent, page, 'Next?')
  await page.answer(next.question, 'Go on')
  expect(await next.reply).toMatchObject({
    reply: 'Go on',
    earlier_messages: [{ text: 'Late', in_reply_to: 'And now?' }, { text: 'By the way' }],
  })
})

test('[C37] an agent is told pending, interrupted, and by every tool what the person wrote', async () => {
  const { page, call } = await startWork({ args: ['--surface', 'agent', '--max-wait', '1'] })
  const pending = await call('send_message', { text: 'Deploy?' })
  const question = await questionOf(page, 'Deploy?')
  expect(pending).toMatchObject({ status: 'pending', question_id: question })
  const again = waitFor(question)
  await page.answer(question, 'Yes')
  expect(await again).toEqual({ reply: 'Yes' })
  await call('set_title', { title: 'Fix the login' })
  await page.post('work', 'Faster')
  expect(await call('send_progress', { text: 'Half way' })).toMatchObject({ earlier_messages: [{ text: 'Faster' }] })
  await page.interrupt('work', 'Not like this')
  expect(await call('check_messages', {})).toMatchObject({ status: 'interrupted', message: 'Not like this' })
  await expect(call('ask_user', { question_id: '0000000000000009' })).rejects.toThrow('Unknown question')

  /** A second may be over before the person has answered: then it is called again, as it says. */
  async function waitFor(question_id: string) {
    for (;;) {
      const told = await call('send_message', { text: 'Deploy?', question_id })
      if (told.status !== 'pending') return told
    }
  }
})

test('[Q92] each of many calls that a stop crosses is told its words, unless its agent has heard them', async () => {
  const { page, call } = await startWork({ args: ['--surface', 'agent'] })
  await call('set_title', { title: 'Work' })
  const answered = new Set<string>()
  // Only what is asked by an agent that has heard the stop is open after it.
  page.onChange(() => {
    const stop = told(page, 'message').at(-1)?.id ?? ''
    for (const { id, text } of told(page, 'question')) if (stop !== '' && id > stop) go(id, text)
  })
  for (let round = 0; round < 10; round++) {
    const ask = (n: number) => call('send_message', { text: `Question ${round}.${n}` })
    const waiting = [ask(1), ask(2), ask(3)]
    await questionOf(page, `Question ${round}.3`)
    const stopped = page.interrupt('work', `Stop ${round}`)
    const crossing = [ask(4), call('approve', { tool_name: 'Bash', input: {} }), ask(5)]
    await stopped
    const isTold = { status: 'interrupted', message: `Stop ${round}` }
    expect(await Promise.all(waiting)).toMatchObject([isTold, isTold, isTold])
    for (const ended of await Promise.all(crossing))
      expect(JSON.stringify(ended)).toMatch(new RegExp(`Stop ${round}|Heard`))
    await call('check_messages', {})
  }

  function go(id: string, text: string) {
    if (!/\.[123]$/.test(text) && !answered.has(id)) void page.answer(id, 'Heard')
    answered.add(id)
  }
})

test('[C37] a text beyond the limit of the hub is refused, and the agent goes on', async () => {
  const { agent, page } = await startWork({ apart: true, args: ['--max-message', '2000'] })
  await expect(agent.call({ text: 'x'.repeat(1_000_000) })).rejects.toThrow('larger than the limit of 2000 bytes')
  const { reply, question } = await waiting(agent, page, 'Short?')
  await page.answer(question, 'Yes')
  expect(await reply).toEqual({ reply: 'Yes' })
})

test('[C37] an agent works in a folder of the longest name', async () => {
  const cwd = join(await temporaryFolder(), 'f'.repeat(200))
  await mkdir(cwd)
  const { agent, page } = await startWork({ cwd })
  const { reply, question } = await waiting(agent, page, 'Here?')
  await page.answer(question, 'Yes')
  expect(await reply).toEqual({ reply: 'Yes' })
})

test('[C38] what an agent that never asked asks while there is no hub waits for the next one', async () => {
  const { data, agent, page } = await startWork({ apart: true })
  const { pid, ended } = hubOf(data)
  process.kill(agent.pid, 'SIGSTOP')
  process.kill(pid, 'SIGKILL')
  await ended()
  const call = agent.call({ text: 'Anybody?' })
  process.kill(agent.pid, 'SIGCONT')
  await page.answer(await questionOf(page, 'Anybody?'), 'Me')
  expect(await call).toEqual({ reply: 'Me' })
  expect(hubOf(data).pid).not.toBe(pid)
  expect(page.resumed).toEqual([true, true])
})

test('[C38] when another program has taken the port meanwhile, the hub moves to another and calls go on', async () => {
  const { data, agent, page } = await startWork({ apart: true })
  const { reply, question } = await waiting(agent, page, 'Deploy?')
  const { pid, port, ended } = hubOf(data)
  process.kill(agent.pid, 'SIGSTOP')
  process.kill(pid, 'SIGKILL')
  await ended()
  await takePort(port)
  process.kill(agent.pid, 'SIGCONT')
  const [, moved] = await agent.said(/^http:\/\/localhost:\d+\nhttp:\/\/localhost:(\d+)$/m)
  expect(hubOf(data).port).toBe(Number(moved))
  const other = openPage(`http://localhost:${moved}`)
  expect(await questionOf(other, 'Deploy?')).toBe(question)
  await other.answer(question, 'Yes')
  expect(await reply).toEqual({ reply: 'Yes' })
  expect(told(other, 'question')).toHaveLength(1)
})

/** A killed process may let go of it a moment after its socket. */
async function takePort(port: number) {
  const stranger = createServer()
  onTestFinished(() => void stranger.close())
  for (;;) {
    try {
      await once(stranger.listen(port, '127.0.0.1'), 'listening')
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
}

test('[C41] a request that brings nothing does not make the next hub forget what its agent had', async () => {
  const { data, agent, page } = await startWork({ apart: true })
  const { reply, question } = await waiting(agent, page, 'Deploy?')
  await page.answer(question, 'Yes')
  await reply
  await agent.client.listTools()
  process.kill(hubOf(data).pid, 'SIGKILL')
  await page.until(() => page.resumed.length === 2)
  const next = await waiting(agent, page, 'Next?')
  await page.answer(next.question, 'Nothing')
  expect(await next.reply).toEqual({ reply: 'Nothing' })
})

test.each([
  ['with its first hub', false],
  ['with the next hub', true],
])('[C21] an agent whose line is told to end %s is answered first, and another waits again', async (_, moved) => {
  const { data, agent, page } = await startWork({ apart: true })
  const { reply, question } = await waiting(agent, page, 'Deploy?')
  if (moved) {
    process.kill(hubOf(data).pid, 'SIGKILL')
    await page.until(() => page.resumed.length === 2)
    await page.until(() => page.agents.get('work') === 'waiting')
  }
  process.kill(agent.pid, 'SIGTERM')
  await expect(reply).rejects.toThrow('Parley is shutting down')
  const next = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: 'work' } })
  const again = next.call({ text: 'Deploy?', question_id: question })
  await page.answer(question, 'Yes')
  expect(await again).toEqual({ reply: 'Yes' })
  expect(told(page, 'question')).toHaveLength(1)
})
