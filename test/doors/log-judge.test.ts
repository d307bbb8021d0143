import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { View } from '../../src/chat/view.ts'
import { openSqliteLog } from '../../src/log/sqlite/sqlite-log.ts'
import { ask } from '../support/chat.ts'
import { judgeLog } from '../support/doors/log-judge.ts'
import { recordIn } from '../support/log.ts'
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

test('[S82] what is allowed along stands before its grant, and nothing is allowed along without one', async () => {
  const hub = await hubWithPolicy({ decision: 'ask' })
  const root = hub.chat.as({ id: 'root', name: 'root', role: 'admin' })
  const [first] = [await want(hub.view, 'Bash'), await want(hub.view, 'Bash')]
  await root.allowAlways(first, undefined)
  await opened(hub.view, 0)
  await hub.close()
  const known = { named: new Set([first]), hasForgotten: () => false }
  expect(await judgeLog(hub.data, known)).toMatchObject({ approved: 2 })
  const question = { kind: 'question', by: 'agent', text: 'Allow?', approval: { tool_name: 'Write', input: '{}' } }
  const [[asked = ''] = []] = await recordIn(hub.data, { other: [question] })
  const used = { kind: 'settlement', question: asked, outcome: 'approved', by: 'root', always: 'used' }
  await appendTo(hub.data, 'other', asked, [used, { kind: 'title', title: 'Later', by: 'agent' }])
  await expect(judgeLog(hub.data, known)).rejects.toThrow('"always":"used"')
})

async function appendTo(data: string, conversation: string, last: string, all: unknown[]) {
  const log = await openSqliteLog(join(data, 'parley.db'))
  await log.append(
    conversation,
    last,
    all.map((body) => ({ body })),
  )
  await log.close()
}
