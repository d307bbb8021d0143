import { expect, test } from 'vitest'
import type { View } from '../../src/chat/view.ts'
import { ask } from '../support/chat.ts'
import { hubWithPolicy } from '../support/policy/policy.ts'

const ASK_PRODUCTION = { tool: 'Deploy', arguments: { api_key: 'prod-*' }, decision: 'ask' }
const SECRET = '{"api_key":"prod-9f8e7d6c5b4a3f2e1d0c"}'

function want(view: View, input: string, conversation: string) {
  return ask(view, { by: 'agent', text: 'Allow Deploy?', approval: { tool_name: 'Deploy', input } }, conversation)
}

for (const conversation of ['work', 'other'])
  test(`[G285] a rule that asks about what is masked keeps a card open, also when another is always allowed (${conversation})`, async () => {
    const { view } = await hubWithPolicy(ASK_PRODUCTION)
    const masked = await want(view, SECRET, conversation)
    const plain = await want(view, '{"target":"staging"}', 'work')
    expect((await view.conversation(conversation)).open.find(({ id }) => id === masked)?.approval?.masked).toBe(1)
    await view.allowByRule(plain, undefined, 'everyone')
    expect((await view.conversation(conversation)).open.map(({ id }) => id)).toEqual([masked])
  })
