import { expect, test } from 'vitest'
import { openTestChat, reached } from '../../../test/support/chat.ts'
import { visitOfDriven } from '../../protocol/entries/agent.ts'

/** A conversation in which the person spoke before the result of a call was told. */
async function withResult(visit: string) {
  const { chat, view } = openTestChat()
  const { mountedCalls: calls } = chat
  const whose = { by: 'agent', asker: view.principal.id, folder: '', visit }
  const call = { tool_name: 'git_push', server: 'git', tool: 'push', call_id: 'call' }
  const approval = { ...call, input: '{}' }
  await view.allow(await calls.ask('work', { kind: 'question', ...whose, text: 'May I?', approval }), undefined)
  await calls.begin('work', { ...call, ...whose, tool_args: '{}' }, {})
  await calls.end('work', { ...call, by: 'agent', result: 'ok', success: true })
  const before = await view.say('work', { text: 'Before' })
  await calls.tell('call', 'It was pushed')
  const result = calls.stateOf('call')?.message ?? ''
  return { receivedAfter, ids: [before.id, result] }

  /** Reads all there is for it, and goes; the rest is for a driver. */
  async function receivedAfter(name: string) {
    const session = reached(view.agentSession({ conversation: 'work', title: 'Work', visit: 'line' }))
    session.speaksAs(name)
    const { earlier } = await session.messages()
    await session.messages()
    session.close()
    const driver = chat.as({ id: 'runner', name: 'runner', role: 'orchestrator' }).driver()
    await driver.acquire('work', 'me', 300)
    const { received } = await driver.receive('work', 'me', 'key', [before.id, result])
    return { read: earlier.map(({ text }) => text), received }
  }
}

test('[O5] what an agent read together with the result of its call is not received again', async () => {
  const { receivedAfter } = await withResult('line')
  const read = ['Before', 'It was pushed']
  expect(await receivedAfter('agent')).toEqual({ read, received: [] })
})

test('[G124] the result of a call of the driven agent is received, also when another agent has read past it', async () => {
  const { receivedAfter, ids } = await withResult(visitOfDriven('line'))
  expect(await receivedAfter('other')).toEqual({ read: ['Before'], received: [ids[1]] })
})
