import { describe, expect, test } from 'vitest'
import type { Era } from '../../support/agent.ts'
import { ask, until } from '../../support/chat.ts'
import { bodies, call, openAgent, openSurfaces, person, ROBOT } from '../../support/mcp/surfaces.ts'

const TOOLS = ['send_message', 'ask_user', 'send_progress', 'check_messages', 'set_title', 'approve']

describe.each<Era>(['legacy', 'modern'])('the agent surface (%s)', (era) => {
  test('[M19] lists the tools of an agent, each within the limits of the clients that pass it on', async () => {
    const { agent } = await openAgent(era)
    const { tools } = await agent.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS)
    for (const { name, description = '', inputSchema } of tools) {
      // Claude prefixes the name with the server's; models take 64 characters and 1,024 of description.
      expect(`mcp__parley__${name}`).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      expect(description.length).toBeGreaterThan(200)
      expect(description.length).toBeLessThanOrEqual(1024)
      // Some models refuse a schema that is a union at its top, or that refers to itself.
      expect(inputSchema.type).toBe('object')
      expect(JSON.stringify(inputSchema)).not.toMatch(/"(anyOf|oneOf|allOf|not|\$ref|\$defs|patternProperties)":/)
    }
  })

  test('[M20] ask_user brings what was typed, or the option that was chosen', async () => {
    const { view, agent } = await openAgent(era)
    person(view, ({ id, body }) => (body.options ? view.choose(id, ['Blue']) : view.answer(id, `re: ${body.text}`)))
    expect(await call(agent, 'ask_user', { question: 'Name?' })).toEqual({ answer: 're: Name?' })
    const options = [{ label: 'Red' }, { label: 'Blue', description: 'Calm' }]
    expect(await call(agent, 'ask_user', { question: 'Colour?', options })).toEqual({
      answer: 'Blue',
      choices: ['Blue'],
    })
    expect(await call(agent, 'ask_user', { question: 'Again?', options: ['Red', 'Blue'] })).toMatchObject({
      answer: 'Blue',
    })
    const questions = [{ question: 'And now?', options: ['Blue'] }]
    expect(await call(agent, 'ask_user', { questions })).toMatchObject({ answers: [{ choices: ['Blue'] }] })
  })
})

test('[M20] several questions of one call come back in their order, some with several choices', async () => {
  const { view, agent } = await openAgent()
  person(view, ({ id, body }) =>
    body.multi_select ? view.choose(id, ['Unit', 'Browser']) : view.answer(id, 'Tomorrow'),
  )
  const options = [{ label: 'Unit' }, { label: 'Contract' }, { label: 'Browser' }]
  const questions = [{ question: 'Which tests?', options, multi_select: true }, { question: 'When?' }]
  expect(await call(agent, 'ask_user', { questions })).toEqual({
    answers: [
      { question: 'Which tests?', answer: 'Unit, Browser', choices: ['Unit', 'Browser'] },
      { question: 'When?', answer: 'Tomorrow' },
    ],
  })
})

test('[M21] after its timeout a question stays open and can be waited for again', async () => {
  const { view, agent } = await openAgent()
  const refusal = await call(agent, 'ask_user', { question: 'Deploy?', timeout_seconds: 1 }).catch(
    ({ message }) => message,
  )
  const [open] = (await view.conversation('work')).open
  expect(refusal).toBe(`Nobody answered within 1 s. The question stays open: wait again with question_id "${open?.id}"`)
  await view.answer(open?.id ?? '', 'Yes')
  expect(await call(agent, 'ask_user', { question_id: open?.id })).toEqual({ answer: 'Yes' })
})

test('[M21] after its timeout a question is withdrawn where the caller wants that', async () => {
  const { view, agent } = await openAgent()
  const asking = call(agent, 'ask_user', { question: 'Deploy?', timeout_seconds: 1, on_timeout: 'withdraw' })
  await expect(asking).rejects.toThrow('Nobody answered within 1 s, and the question was withdrawn')
  expect((await view.conversation('work')).open).toEqual([])
})

test('[M21] a question that is over without a reply says so to who waits for it again', async () => {
  const { view, agent } = await openAgent()
  const asking = call(agent, 'ask_user', { question: 'Deploy?', timeout_seconds: 1, on_timeout: 'withdraw' })
  await expect(asking).rejects.toThrow('the question was withdrawn')
  const { entries } = await view.page('work', { limit: 9 })
  const question_id = entries.find(({ body }) => body.kind === 'question')?.id
  const again = call(agent, 'send_message', { text: 'Deploy?', question_id })
  await expect(again).rejects.toThrow('The question was expired without a reply')
})

test('[M21] an answer to one of several questions is not lost when the others time out', async () => {
  const { view, agent } = await openAgent()
  person(view, ({ id, body }) => (body.text === 'One?' ? view.answer(id, 'Eins') : undefined))
  const questions = [{ question: 'One?' }, { question: 'Two?' }]
  await expect(call(agent, 'ask_user', { questions, timeout_seconds: 1 })).rejects.toThrow('stays open')
  expect((await call(agent, 'check_messages', {})).messages).toMatchObject([{ text: 'Eins', in_reply_to: 'One?' }])
  expect((await call(agent, 'check_messages', {})).messages).toEqual([])
})

test('[M22] progress and title are shown at once, and bring along what the person wrote', async () => {
  const { view, agent } = await openAgent()
  await call(agent, 'set_title', { title: 'Fix the login' })
  await view.say('work', { text: 'Faster, please' })
  const told = await call(agent, 'send_progress', { text: 'Half way' })
  expect(told.earlier_messages).toMatchObject([{ text: 'Faster, please' }])
  expect(await call(agent, 'send_progress', { text: 'Done' })).toEqual({})
  expect((await view.conversation('work')).title).toBe('Fix the login')
  expect((await bodies(view)).flatMap((body) => (body.kind === 'progress' ? [body.text] : []))).toEqual([
    'Half way',
    'Done',
  ])
})

test('[M22] check_messages brings what the person wrote, once, and the next call proves it read', async () => {
  const { view, agent } = await openAgent()
  const { id } = await view.say('work', { text: 'Hello' })
  expect((await call(agent, 'check_messages', {})).messages).toMatchObject([{ text: 'Hello' }])
  expect((await call(agent, 'check_messages', {})).messages).toEqual([])
  await until(async () => (await view.conversation('work')).messages.read === id)
})

test('[M23] a wrong call of the agent surface gets one sentence and asks nobody anything', async () => {
  const { view, agent } = await openAgent()
  const wrong: [string, Record<string, unknown>, string][] = [
    ['ask_user', {}, 'exactly one of "question", "questions" and "question_id"'],
    ['ask_user', { question: 'a', questions: [{ question: 'b' }] }, 'exactly one of'],
    ['ask_user', { question: ' ' }, '"question" must not be empty'],
    ['ask_user', { questions: [] }, '"questions" has no question'],
    ['ask_user', { question: 'a', options: [] }, '"options" has no option'],
    ['ask_user', { question: 'a', options: [1] }, '"options.0" must be an object'],
    ['ask_user', { questions: ['a'] }, '"questions.0" must be an object'],
    ['ask_user', { question: 'a', options: [{ label: 'x' }, { label: 'x' }] }, '"options" has an option twice'],
    ['ask_user', { question: 'a', timeout_seconds: 0 }, '"timeout_seconds" must be from 1 to 604800'],
    ['ask_user', { question: 'a', on_timeout: 'later' }, '"on_timeout" must be keep_open or withdraw'],
    ['ask_user', { question_id: '0000000000000009' }, 'Unknown question'],
    ['send_progress', { text: '' }, '"text" must not be empty'],
    ['set_title', { title: 'x'.repeat(201) }, '"title" is longer than 200 characters'],
    ['approve', { tool_name: 'Bash', input: 'ls' }, '"input" must be an object'],
    ['approve', { input: {} }, '"tool_name" must be text'],
  ]
  for (const [name, input, sentence] of wrong) await expect(call(agent, name, input)).rejects.toThrow(sentence)
  expect(await bodies(view)).toEqual([])
})

test('[M24] an agent bound to one conversation cannot wait for a question of another', async () => {
  const { view, agent } = await openAgent()
  const id = await ask(view, { by: 'someone', text: 'Secret?' }, 'other')
  await view.answer(id, 'The secret')
  await expect(call(agent, 'ask_user', { question_id: id })).rejects.toThrow(`Unknown question "${id}"`)
  await expect(call(agent, 'send_message', { text: 'x', question_id: id })).rejects.toThrow('Unknown question')
})

test('[M25] [A24] a call that waits when the hub closes is told to come back, and how; one for a verdict is withdrawn', async () => {
  const { chat, view, agent } = await openAgent()
  const asked = Promise.withResolvers<string>()
  const calls = [
    call(agent, 'send_message', { text: 'Deploy?' }),
    agent.callTool({ name: 'approve', arguments: { tool_name: 'Bash', input: {} } }),
  ] as const
  person(view, ({ id, body }) => body.approval ?? asked.resolve(id))
  const question = await asked.promise
  await until(async () => (await view.conversation('work')).open.length >= 2)
  const told = calls[0].catch(({ message }) => message)
  chat.stopWaiting()
  expect(await told).toBe(
    `Parley is shutting down. The question stays open: come back in a moment with question_id "${question}"`,
  )
  const { content } = (await calls[1]) as { content: { text: string }[] }
  expect(JSON.parse(content[0]?.text ?? '')).toEqual({
    behavior: 'deny',
    message: 'Parley is shutting down; come back in a moment',
  })
  expect((await view.conversation('work')).open.map(({ id }) => id)).toEqual([question])
})

test('[M26] a call that waited long enough says that it is pending, and how to go on; nothing is lost', async () => {
  const { view, connect } = openSurfaces({ maxWaitSeconds: 1 })
  const agent = await connect('/mcp', { ...ROBOT, conversation: 'work' })
  await view.say('work', { text: 'By the way' })
  const pending = await call(agent, 'send_message', { text: 'Deploy?' })
  const [open] = (await view.conversation('work')).open
  expect(pending).toMatchObject({
    status: 'pending',
    question_id: open?.id,
    next: expect.stringContaining('Call send_message again with this question_id'),
    earlier_messages: [{ text: 'By the way' }],
  })
  const again = call(agent, 'send_message', { text: 'Deploy?', question_id: open?.id })
  await view.answer(open?.id ?? '', 'Yes')
  expect(await again).toEqual({ reply: 'Yes' })
})

test('[M27] the same call of Claude Code, made again, is the same question', async () => {
  const { view, agent } = await openAgent()
  const params = { name: 'send_message', arguments: { text: 'Deploy?' }, _meta: { 'claudecode/toolUseId': 'toolu_1' } }
  const stop = new AbortController()
  const first = agent.callTool(params, { signal: stop.signal }).catch(() => 'cancelled')
  await until(async () => (await view.conversation('work')).open.length > 0)
  stop.abort()
  expect(await first).toBe('cancelled')
  const [open] = (await view.conversation('work')).open
  await view.answer(open?.id ?? '', 'Yes')
  const again = await agent.callTool(params)
  expect(again.structuredContent).toEqual({ reply: 'Yes' })
  expect((await bodies(view)).filter(({ kind }) => kind === 'question')).toHaveLength(1)
})

test('[M28] a person who presses Stop is heard by whatever tool the agent calls next', async () => {
  const { view, agent } = await openAgent()
  await call(agent, 'set_title', { title: 'Work' })
  const stopped = { status: 'interrupted', message: 'Not like this', next: expect.stringContaining('stop') }
  for (const [name, input] of [
    ['send_progress', { text: 'Half way' }],
    ['check_messages', {}],
    ['ask_user', { question: 'Next?' }],
    ['send_message', { text: 'Next?' }],
  ] as const) {
    await view.interrupt('work', 'Not like this')
    expect(await call(agent, name, input)).toMatchObject(stopped)
  }
})
