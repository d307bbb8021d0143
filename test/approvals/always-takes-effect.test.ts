import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { View } from '../../src/chat/view.ts'
import { policyPath } from '../../src/governance/policy/file/policy-file.ts'
import { ask } from '../support/chat.ts'
import { followed, startGoverned } from '../support/policy/governed.ts'
import { bodiesIn, hubWithPolicy } from '../support/policy/policy.ts'

const rulesIn = (text: string) => JSON.parse(text.replace(/^\s*\/\/.*$/gm, '')).rules
const ALLOW = {
  server: 'agent',
  tool: 'Bash',
  arguments: { command: 'ls' },
  agent: 'agent',
  folder: '',
  decision: 'allow',
}

function want(view: View, input: object, tool_name = 'Bash') {
  return ask(view, { by: 'agent', text: 'Allow?', approval: { tool_name, input: JSON.stringify(input) } })
}

/** A time that is not now, and will not be soon. */
function otherTime() {
  const hour = (new Date().getHours() + 12) % 24
  return `${String(hour).padStart(2, '0')}:00-${String((hour + 1) % 24 || 24).padStart(2, '0')}:00`
}

test('[G156] what is always allowed comes before a rule that asks at another time', async () => {
  const later = { id: 'later', tool: 'Bash', time: otherTime(), decision: 'ask' }
  const other = { id: 'other', tool: 'Read', time: otherTime(), decision: 'ask' }
  const { view, text } = await hubWithPolicy(other, later)
  await view.allowByRule(await want(view, { command: 'ls' }), undefined, 'agent')
  expect(rulesIn(text())).toEqual([other, ALLOW, later])
})

test('[G156] and before one about what is masked, of all that ask the first, but not before one about other calls', async () => {
  const root = { id: 'root', tool: 'Login', arguments: { name: 'root*' }, decision: 'ask' }
  const key = { id: 'key', tool: 'Login', arguments: { password: 'hunter*' }, decision: 'ask' }
  const all = { id: 'all', decision: 'ask' }
  const { view, text } = await hubWithPolicy(root, key, all)
  const call = { name: 'ada', password: 'hunter2' }
  await view.allowByRule(await want(view, call, 'Login'), undefined, 'agent')
  const { arguments: _, ...whole } = ALLOW
  const allow = { ...whole, command: false }
  expect(rulesIn(text())).toEqual([root, { ...allow, tool: 'Login' }, key, all])
  await want(view, call, 'Login')
  expect((await bodiesIn(view)).at(-1)).toMatchObject({ kind: 'permitted_call', granted_by: 'policy' })
  await want(view, { name: 'root' }, 'Login')
  expect((await bodiesIn(view)).at(-1)).toMatchObject({ kind: 'question' })
})

test('[G156] for everyone also before a rule that asks about another agent', async () => {
  const bob = { id: 'bob', principal: 'bob', decision: 'ask' }
  const { view, text } = await hubWithPolicy(bob)
  await view.allowByRule(await want(view, {}), undefined, 'everyone')
  expect(rulesIn(text())).toEqual([{ server: 'agent', tool: 'Bash', command: false, decision: 'allow' }, bob])
})

test('[G156] where a denial would be behind it the card says which, and nothing is written', async () => {
  const later = { id: 'later', time: otherTime(), decision: 'ask' }
  const never = { id: 'never', tool: 'Bash', arguments: { command: 'rm*' }, decision: 'deny_continue' }
  const { view, text } = await hubWithPolicy(later, never)
  const before = text()
  const id = await want(view, { command: 'ls' })
  await expect(view.allowByRule(id, undefined, 'agent')).rejects.toThrow('Rule "never" of the policy denies calls')
  expect(text()).toBe(before)
  expect((await view.conversation('work')).open).toMatchObject([{ id }])
})

test('[G156] a mounted tool that was asked about for what its server says of it is not asked about again', async () => {
  const reads = { id: 'reads', annotations: { readOnlyHint: true }, decision: 'ask' }
  const { connect, person, data } = await startGoverned({ policy: { rules: [reads] } })
  const client = await connect()
  const first = client.callTool({ name: 'diary_read', arguments: {} })
  await person.allowByRule((await followed(person).until('question')).id, undefined, 'everyone')
  await first
  expect(rulesIn(readFileSync(policyPath(data), 'utf8'))).toEqual([
    { server: 'diary', tool: 'read', command: false, decision: 'allow' },
    reads,
  ])
  expect(await client.callTool({ name: 'diary_read', arguments: {} })).toMatchObject({ content: [{ text: '' }] })
})
