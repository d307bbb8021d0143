import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentOverHttp, agentOverStdio, type Era } from '../../support/agent.ts'
import { folderWithHub, temporaryFolder } from '../../support/hub.ts'
import { startParley } from '../../support/process.ts'
import { connect, connectPage, type Frame } from '../../support/socket.ts'

const initialize = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

describe.each<Era>(['legacy', 'modern'])('an agent of the %s era over stdio', (era) => {
  test('[M1] sees exactly one tool, with everything a client needs to call it', async () => {
    const agent = await agentOverStdio({ era, env: { PARLEY_DATA: await folderWithHub() } })
    const { tools } = await agent.client.listTools()
    expect(tools).toHaveLength(1)
    expect(tools[0]).toMatchObject({ name: 'send_message', inputSchema: { type: 'object', required: ['text'] } })
    expect(tools[0]?.description).toContain('waits for their reply')
    expect(Object.keys(tools[0]?.inputSchema.properties ?? {})).toEqual(['text', 'quick_replies', 'question_id'])
  })

  test('[M2] gets the reply as text and as data, in a conversation named after its folder', async () => {
    const cwd = await temporaryFolder()
    const agent = await agentOverStdio({ era, env: { PARLEY_DATA: await folderWithHub() }, cwd })
    const page = await connectPage(await agent.url)
    const call = agent.client.callTool({ name: 'send_message', arguments: { text: 'Hi', quick_replies: ['Hello'] } })
    const [title, question] = (await page.next('entries')).entries as { id: string; body: Frame }[]
    expect(title?.body).toEqual({ kind: 'title', title: cwd.split('/').at(-1), folder: cwd, look: 0 })
    expect(question?.body).toMatchObject({ kind: 'question', by: 'test-agent', text: 'Hi', quick_replies: ['Hello'] })
    page.say({ type: 'answer', key: 'k', question: question?.id, text: 'Hello' })
    const { content, structuredContent } = await call
    expect(structuredContent).toEqual({ reply: 'Hello' })
    expect(content).toEqual([{ type: 'text', text: '{"reply":"Hello"}' }])
  })

  test('[M4] may cancel, which ends the wait and not the question', async () => {
    const agent = await agentOverStdio({ era, env: { PARLEY_DATA: await folderWithHub(), PARLEY_SESSION: 'work' } })
    const person = await connect(await agent.url)
    const stop = new AbortController()
    const cancelled = agent.call({ text: 'Deploy now?' }, { signal: stop.signal })
    const { ack_id } = await person.next('agentMessage')
    stop.abort('changed my mind')
    await expect(cancelled).rejects.toThrow()
    person.say({ type: 'ack', id: ack_id, message: 'Late yes' })
    const next = agent.call({ text: 'Anything else?' })
    person.say({ type: 'ack', id: (await person.next('agentMessage')).ack_id, message: 'No' })
    expect(await next).toMatchObject({
      reply: 'No',
      earlier_messages: [{ text: 'Late yes', in_reply_to: 'Deploy now?' }],
    })
  })
})

test('[M10] 16 calls at once in one agent process each get their own answer', async () => {
  const agent = await agentOverStdio({ env: { PARLEY_DATA: await folderWithHub() } })
  const person = await connect(await agent.url)
  person.ws.on('message', (data) => {
    const { type, ack_id, text } = JSON.parse(String(data))
    if (type === 'agentMessage') person.say({ type: 'ack', id: ack_id, message: `re: ${text}` })
  })
  const replies = await Promise.all(Array.from({ length: 16 }, (_, n) => agent.ask(`question ${n}`)))
  expect(replies).toEqual(Array.from({ length: 16 }, (_, n) => `re: question ${n}`))
})

test('[M13] 400 messages typed while the agent is away all arrive with its next reply', async () => {
  const env = { PARLEY_DATA: await folderWithHub(), PARLEY_SESSION: 'work' }
  const agent = await agentOverStdio({ env })
  const page = await connectPage(await agent.url)
  const typed = Array.from({ length: 400 }, (_, n) => `message ${n}`)
  for (const text of typed) page.say({ type: 'post', key: text, conversation: 'work', text })
  for (const _ of typed) await page.next('accepted')
  const call = agent.call({ text: 'I am back' })
  const person = await connect(await agent.url)
  const pending = ((await person.next('connected')).pendingAckId ??
    (await person.next('agentMessage')).ack_id) as string
  person.say({ type: 'ack', id: pending, message: 'Welcome' })
  const { earlier_messages } = await call
  expect(earlier_messages?.map(({ text }) => text)).toEqual(typed)
})

test('[M5] when stdin ends the process ends, and the open question is still there for the next one', async () => {
  const env = { PARLEY_DATA: await temporaryFolder(), PARLEY_SESSION: 'work' }
  const parley = startParley(['stdio'], env)
  await parley.line(initialize)
  parley.child.stdin?.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'send_message', arguments: { text: 'Deploy?' } } })}\n`,
  )
  const person = await connect(await parley.url)
  const { history } = (await person.next('connected')) as unknown as { history: unknown[] }
  if (history.length === 0) await person.next('agentMessage')
  parley.child.stdin?.end()
  expect((await parley.ended).code).toBe(0)
  const again = startParley(['stdio'], env)
  await again.line(initialize)
  expect(await (await connect(await again.url)).next('connected')).toMatchObject({ history: [{ text: 'Deploy?' }] })
})

test('[M5] the hub outlives the agent that started it while another one uses it', async () => {
  const parley = startParley(['stdio'], { PARLEY_DATA: await temporaryFolder() })
  await parley.line(initialize)
  const url = await parley.url
  const other = await agentOverHttp(url)
  const reply = other.ask('Deploy now?')
  const person = await connect(url, '/ws?session=work')
  const { pendingAckId } = await person.next('connected')
  const id = pendingAckId ?? (await person.next('agentMessage')).ack_id
  parley.child.stdin?.end()
  person.say({ type: 'ack', id, message: 'Yes' })
  expect(await reply).toBe('Yes')
})

test('[M15] a line that is no message is answered with one sentence, and one without an end closes the connection', async () => {
  const parley = startParley(['stdio'], { PARLEY_DATA: await folderWithHub() })
  await parley.line(initialize)
  parley.child.stdin?.write('{"jsonrpc": \n[]\n\n{"id": 1}\n')
  await parley.line({ id: 2, method: 'ping' })
  parley.child.stdin?.write('x'.repeat(9 * 1024 * 1024))
  const { code, stdout } = await parley.ended
  const refusals = stdout
    .split('\n')
    .flatMap((line) => (line ? [JSON.parse(line)] : []))
    .filter(({ id }) => id === null)
  expect(refusals.map(({ error }) => error)).toEqual([
    { code: -32700, message: 'This JSON cannot be read' },
    { code: -32600, message: 'A JSON-RPC 2.0 message was expected' },
    { code: -32600, message: 'A JSON-RPC 2.0 message was expected' },
    { code: -32602, message: 'This is larger than the limit' },
  ])
  expect(code).toBe(0)
})

test('[W1] a person sees the history of the conversation that a process was started for, before its agent speaks', async () => {
  const env = { PARLEY_DATA: await folderWithHub(), PARLEY_SESSION: 'work' }
  const before = await agentOverStdio({ env })
  const person = await connect(await before.url)
  const reply = before.ask('Deploy now?')
  person.say({ type: 'ack', id: (await person.next('agentMessage')).ack_id, message: 'Yes' })
  expect(await reply).toBe('Yes')
  await before.client.close()
  const after = startParley(['stdio'], env)
  const later = await connect(await after.url)
  expect(await later.next('connected')).toMatchObject({ history: [{ text: 'Deploy now?', reply: 'Yes' }] })
})

test('[M6] stdout carries MCP and nothing else, and the address stands alone on a line of stderr', async () => {
  const parley = startParley([], { PARLEY_DATA: await temporaryFolder() })
  await parley.line(initialize)
  const url = await parley.url
  parley.child.stdin?.write('this is no JSON-RPC\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  await parley.line({ id: 3, method: 'tools/list' })
  parley.child.stdin?.end()
  const { stdout, stderr } = await parley.ended
  for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  expect(stderr.split('\n')).toContain(url)
})

test('[M11] a wrong call gets one sentence and asks nobody anything', async () => {
  const agent = await agentOverStdio({ env: { PARLEY_DATA: await folderWithHub(), PARLEY_SESSION: 'work' } })
  const bad: [Record<string, unknown>, string][] = [
    [{}, '"text" must be text'],
    [{ text: '' }, '"text" must not be empty'],
    [{ text: 7 }, '"text" must be text'],
    [{ text: 'x'.repeat(1024 * 1024 + 1) }, '"text" is larger than the limit of 1 MiB'],
    [{ text: 'x', quick_replies: 'Yes' }, '"quick_replies" must be a list of texts'],
    [{ text: 'x', quick_replies: [''] }, '"quick_replies.0" must not be empty'],
    [{ text: 'x', question_id: 'x' }, '"question_id" must be an entry id'],
    [{ text: 'x', question_id: '0000000000000001' }, 'Unknown question "0000000000000001"'],
  ]
  for (const [input, sentence] of bad) await expect(agent.call(input)).rejects.toThrow(sentence)
  await expect(agent.client.callTool({ name: 'dance', arguments: {} })).rejects.toThrow('Unknown tool "dance"')
  expect(await (await connect(await agent.url)).next('connected')).toEqual({ type: 'connected', history: [] })
})

test('[M12] a start alone leaves no conversation behind', async () => {
  const data = await temporaryFolder()
  const parley = startParley(['stdio'], { PARLEY_DATA: data })
  await parley.line(initialize)
  const page = await connectPage(await parley.url)
  expect(page.welcome.conversations).toEqual([])
  expect(existsSync(join(data, 'parley.db'))).toBe(true)
})
