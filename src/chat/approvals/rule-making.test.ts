import { expect, test } from 'vitest'
import { nextQuestion, openTestChat, reached } from '../../../test/support/chat.ts'
import { NO_POLICY } from './policing.ts'

test('[A48] a call that is given up while its rule is being written is allowed, as the rule says', async () => {
  const written = Promise.withResolvers<string>()
  const { view } = openTestChat({ policy: { ...NO_POLICY, remember: () => written.promise } })
  const session = reached(view.agentSession({ conversation: 'work', title: 'Work' }))
  const cancelled = new AbortController()
  const approval = { tool_name: 'Bash', input: '{"command":"ls"}' }
  const call = session.ask([{ by: 'agent', text: 'Use Bash?', approval, key: 'a' }], {
    signal: cancelled.signal,
    alone: true,
  })
  const question = await nextQuestion(view)
  const allowed = view.allowByRule(question, undefined, 'agent')
  cancelled.abort(new Error('cancelled'))
  const ended = expect(call).rejects.toThrow('cancelled')
  for (let turn = 0; turn < 60; turn++) await new Promise(setImmediate)
  expect((await view.conversation('work')).open).toMatchObject([{ id: question }])
  written.resolve('rule')
  await ended
  expect((await allowed).body).toMatchObject({ question, outcome: 'approved', rule: 'rule' })
})
