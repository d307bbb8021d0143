import { expect, test } from 'vitest'
import { followed, startGoverned } from '../support/policy/governed.ts'
import { said, startGateway, upstream } from '../support/upstream/gateway.ts'

const call = (text: string) => ({ name: 'diary_write', arguments: { text } })

test('[G60] a call that a rule allows runs, and its entries tell which rule and how long', async () => {
  const policy = { rules: [{ id: 'pen', tool: 'write', decision: 'allow', note: 'It is only a diary' }] }
  const { connect, person, written } = await startGoverned({ policy })
  const { until } = followed(person)
  expect(await said(await connect(), 'diary_write', { text: 'one' })).toBe('Wrote one')
  const [{ body: begun }, { body: ended }] = [await until('tool_call'), await until('tool_result')]
  const decided = { decision: 'allow', rule: { id: 'pen', note: 'It is only a diary' } }
  expect(begun).toMatchObject({
    tool_name: 'diary_write',
    server: 'diary',
    tool: 'write',
    tool_args: '{"text":"one"}',
    decided,
  })
  expect(ended).toMatchObject({ call_id: begun.call_id, success: true, result: 'Wrote one', decided })
  expect(ended.duration_ms).toBeGreaterThanOrEqual(0)
  expect(written()).toEqual(['{"text":"one"}'])
})

test.each([
  ['deny_continue', -32951],
  ['deny_abort', -32950],
] as const)('[G61] a call that a rule denies (%s) never runs, and its caller gets %i', async (decision, code) => {
  const policy = { rules: [{ id: 'no', tool: 'write', decision, reason: 'not on Mondays' }] }
  const { connect, person, written } = await startGoverned({ policy })
  const { until } = followed(person)
  const denied = (await connect()).callTool(call('one'))
  await expect(denied).rejects.toMatchObject({ code, message: expect.stringContaining('not on Mondays') })
  const decided = { decision, rule: { id: 'no' } }
  expect((await until('tool_call')).body).toMatchObject({ decided })
  expect((await until('tool_result')).body).toMatchObject({ decided, success: false })
  expect(written()).toEqual([])
})

test('[G62] what no rule is about waits for a person, who may change it; what only reads does not', async () => {
  const { connect, person, written } = await startGoverned()
  const { until } = followed(person)
  const client = await connect()
  expect(await said(client, 'diary_read')).toBe('')
  const answer = client.callTool(call('one'))
  const { id, body } = await until('question')
  expect(body.approval).toMatchObject({
    tool_name: 'diary_write',
    server: 'diary',
    tool: 'write',
    input: '{"text":"one"}',
  })
  expect(body.approval?.reason).toBeUndefined()
  expect(written()).toEqual([])
  await person.allow(id, '{"text":"two"}')
  expect(await answer).toMatchObject({ content: [{ text: 'Wrote two' }] })
  expect(written()).toEqual(['{"text":"two"}'])
  expect((await until('tool_result', 2)).body.decided).toEqual({ decision: 'allow', by: 'person' })
})

test('[G62] a person who says no gives a reason', async () => {
  const { connect, person, written } = await startGoverned()
  const { until } = followed(person)
  const denied = (await connect()).callTool(call('one'))
  await person.deny((await until('question')).id, 'Use a pencil')
  await expect(denied).rejects.toMatchObject({ code: -32951, message: expect.stringContaining('Use a pencil') })
  expect((await until('tool_result')).body).toMatchObject({
    success: false,
    decided: { by: 'person', reason: 'Use a pencil' },
  })
  expect(written()).toEqual([])
})

test('[G73] a call that nobody decides about in time is denied, and says so', async () => {
  const policy = { rules: [{ tool: 'write', decision: 'ask', deadline: '1s', reason: 'It costs ink' }] }
  const { connect, person, written } = await startGoverned({ policy })
  const { until } = followed(person)
  const denied = (await connect()).callTool(call('one'))
  expect((await until('question')).body.approval?.reason).toBe('It costs ink')
  await expect(denied).rejects.toMatchObject({
    code: -32951,
    message: expect.stringContaining('nobody decided in time'),
  })
  expect((await until('tool_result')).body.decided).toMatchObject({ decision: 'deny_continue', by: 'deadline' })
  expect(written()).toEqual([])
})

test('[G34] a call of a server that is being started waits for it', async () => {
  const { connect } = await startGateway({ servers: { demo: upstream() }, patience: { firstTryMs: 1 } })
  expect(await said(await connect(), 'demo_echo', { text: 'here' })).toBe('here')
})

test('[G60] a call with an id that was used before is written down all the same', async () => {
  const { connect, person, written } = await startGoverned({ policy: { rules: [{ decision: 'allow' }] } })
  const { until } = followed(person)
  const client = await connect()
  for (const text of ['one', 'two']) await client.callTool({ ...call(text), _meta: { 'claudecode/toolUseId': 'same' } })
  expect((await until('tool_call')).body.tool_args).toBe('{"text":"one"}')
  expect((await until('tool_call', 2)).body.tool_args).toBe('{"text":"two"}')
  expect(written()).toHaveLength(2)
})
