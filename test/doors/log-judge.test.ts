import { expect, test } from 'vitest'
import type { View } from '../../src/chat/view.ts'
import { ask } from '../support/chat.ts'
import { judgeLog } from '../support/doors/log-judge.ts'
import { hubWithPolicy, opened } from '../support/policy/policy.ts'

function want(view: View, tool_name: string, conversation = 'work') {
  return ask(view, { by: 'agent', text: 'Allow?', approval: { tool_name, input: '{}' } }, conversation)
}

/** A card in `other` that a rule settled, which was made of one in `work`. */
async function ruledHub() {
  const hub = await hubWithPolicy({ decision: 'ask' })
  const root = hub.chat.as({ id: 'root', name: 'root', role: 'admin' })
  const first = await want(hub.view, 'Bash')
  await want(hub.view, 'Bash', 'other')
  await root.allowByRule(first, undefined, 'everyone')
  await opened(hub.view, 0, 'other')
  return { ...hub, root, named: new Set([first]) }
}

test('[S82] the judge takes what a rule allowed for what it is, and wants a person who made the rule', async () => {
  const { data, close, named } = await ruledHub()
  await close()
  expect(await judgeLog(data, { named, hasForgotten: () => false })).toMatchObject({ approved: 2, byRules: 1 })
  await expect(judgeLog(data, { named: new Set(), hasForgotten: () => false })).rejects.toThrow('"always":"granted"')
})

test('[S82] a rule outlives the card that it was made of, which the judge is told', async () => {
  const { data, close, root, named } = await ruledHub()
  await root.forget('work')
  await close()
  expect(await judgeLog(data, { named, hasForgotten: () => true })).toMatchObject({ approved: 1, byRules: 1 })
  await expect(judgeLog(data, { named, hasForgotten: () => false })).rejects.toThrow('"by":"policy"')
})
