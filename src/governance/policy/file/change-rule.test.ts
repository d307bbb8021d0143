import { expect, test } from 'vitest'
import { compilePolicy } from '../policy.ts'
import { withRule } from './add-rule.ts'
import { type RuleChange, withChange, writtenIn } from './change-rule.ts'
import { readPolicy } from './read-policy.ts'
import { identitiesOf } from './rule-identity.ts'

const POLICY = `// Mine.
{
  "rules": [
    // Never mail.
    { "server": "mail", "decision": "deny_abort" }, // really
    // Allowed by ada on 2026-11-17 in work
    { "server": "git", "tool": "push", "decision": "allow" },
    {
      "server": "git",
      "decision": "ask"
    },
    /* Allowed by nobody on 2026-11-17 */
    { "decision": "ask" } // the rest
  ]
}
`
const identities = (text: string) => identitiesOf(readPolicy(text).rules)
const changed = (text: string, place: number, change: RuleChange) =>
  withChange(text, identities(text)[place] ?? '', change, 'policy.jsonc')
const decided = (text: string, server: string, tool = 'push') =>
  compilePolicy(readPolicy(text).rules).decide({ server, tool, arguments: {}, principal: 'local:agent', at: 0 })

test('[G271] who wrote a rule by always allowing is told, and of every other rule nothing', () => {
  expect(writtenIn(POLICY)).toEqual([
    undefined,
    { by: 'ada', on: '2026-11-17', conversation: 'work' },
    undefined,
    undefined,
  ])
  const name = 'ada on 2026-01-01 in x'
  const rule = { server: 'git', decision: 'allow' }
  const text = withRule('{ "rules": [] }', { rule, comment: `Allowed by bob on 2026-11-18 in ${name}` }, 'policy.jsonc')
  expect(writtenIn(text)).toEqual([{ by: 'bob', on: '2026-11-18', conversation: name }])
})

test('[G272] a rule is switched off and on again with everything else as it was', () => {
  for (const place of [0, 1, 2, 3]) {
    const off = changed(POLICY, place, 'off')
    expect(off).not.toBe(POLICY)
    expect(off.replace(' "off": true,', '')).toBe(POLICY)
    expect(changed(off, place, 'off')).toBe(off)
    expect(identities(off)).toEqual(identities(POLICY))
    expect(changed(off, place, 'on')).toBe(POLICY)
  }
  expect(decided(POLICY, 'mail').decision).toBe('deny_abort')
  expect(decided(changed(POLICY, 0, 'off'), 'mail')).toMatchObject({ decision: 'ask', rule: { id: '#4' } })
  expect(decided(changed(POLICY, 1, 'off'), 'git')).toMatchObject({ decision: 'ask', rule: { id: '#3' } })
})

test('[G272] whoever wrote that a rule is off, however', () => {
  const text = '{ "rules": [ { "decision": "allow", "off" : /* for now */ true } ] }'
  expect(decided(text, 'git').rule).toBeUndefined()
  const on = changed(text, 0, 'on')
  expect(on).toBe('{ "rules": [ { "decision": "allow", "off" : /* for now */ false } ] }')
  expect(changed(on, 0, 'off')).toBe(text)
  expect(readPolicy('{ "rules": [{ "decision": "allow", "off": "yes" }] }').problems).toMatchObject([
    { text: 'This must be true or false' },
  ])
})

test('[G273] what Parley wrote is taken out with its comment, what a person wrote is not', () => {
  const [before, after] = POLICY.split(/ {4}\/\/ Allowed by ada.*\n.*\n/)
  expect(changed(POLICY, 1, 'taken_back')).toBe(`${before}${after}`)
  for (const place of [0, 2, 3])
    expect(() => changed(POLICY, place, 'taken_back')).toThrow(
      'This rule was written by hand: switch it off, or take it out of policy.jsonc yourself',
    )
})

test.each([
  ['{ "rules": [\n  // Allowed by a on 2026-11-17\n  { "decision": "allow" }\n] }', '{ "rules": [\n] }'],
  [
    '{ "rules": [\n{ "decision": "ask", "tool": "a" },\n// Allowed by a on 2026-11-17\n{ "decision": "allow" }] }',
    '{ "rules": [\n{ "decision": "ask", "tool": "a" },\n] }',
  ],
])('[G273] also where it is the only one or the last', (text, without) => {
  const place = readPolicy(text).rules.length - 1
  expect(changed(text, place, 'taken_back')).toBe(without)
})

test('[G274] a rule is known wherever it stands by now, and one that is another now is not', () => {
  const [, push = ''] = identities(POLICY)
  const moved = POLICY.replace('"rules": [', '"rules": [ { "tool": "x", "decision": "ask" },')
  expect(decided(withChange(moved, push, 'off', 'policy.jsonc'), 'git').rule?.id).toBe('#4')
  const other = POLICY.replace('"push"', '"pull"')
  expect(() => withChange(other, push, 'off', 'policy.jsonc')).toThrow('This rule is no longer in the policy')
  expect(() => withChange('{', push, 'off', 'policy.jsonc')).toThrow('correct it first')
  const twice = '{ "rules": [{ "decision": "ask" }, { "decision": "ask" }] }'
  expect(readPolicy(changed(twice, 1, 'off')).rules.map(({ off }) => off)).toEqual([undefined, true])
})
