import { expect, test } from 'vitest'
import { type NewRule, withRule } from './add-rule.ts'
import { readPolicy } from './read-policy.ts'

const RULE = { server: 'git', tool: 'push', arguments: { branch: ['a', 'b'] }, decision: 'allow' }
const DRAWN = '{ "server": "git", "tool": "push", "arguments": { "branch": ["a", "b"] }, "decision": "allow" }'
const added = (text: string, more: Partial<NewRule> = {}) =>
  withRule(text, { rule: RULE, comment: 'ada, 2026-11-16', ...more }, 'policy.jsonc')

const LAID_OUT = `// Ours
{
    "rules": [
        // Never
        { "id": "never", "decision": "deny_abort",
          "tool": "rm" }, // really

        /* and
           ask */
        { "id": "rest", "decision": "ask" } // the rest
        // the end
    ]
}
`

test('[G18] a rule is added at the end with its comment, and nothing else is touched', () => {
  expect(added(LAID_OUT)).toBe(
    LAID_OUT.replace('"ask" }', '"ask" },').replace(
      '// the end\n',
      `// the end\n        // ada, 2026-11-16\n        ${DRAWN}\n`,
    ),
  )
})

test('[G18] or before the rule that would decide otherwise, above what is said about that', () => {
  const block = `        // ada, 2026-11-16\n        ${DRAWN},\n`
  expect(added(LAID_OUT, { before: 'rest' })).toBe(LAID_OUT.replace('// really\n', `// really\n${block}`))
  expect(added(LAID_OUT, { before: 'never' })).toBe(LAID_OUT.replace('[\n', `[\n${block}`))
})

test.each([
  ['{"rules":[]}', undefined],
  ['{"rules":[\n]}', undefined],
  ['{ "rules": [ // none\n] }', undefined],
  ['{"rules":[{"id":"a","decision":"ask"}]}', undefined],
  ['{"rules":[{"id":"a","decision":"ask"},]}', undefined],
  ['{"rules":[{"id":"a","decision":"ask"}]}', 'a'],
  ['{"rules":[{"id":"a","decision":"ask"}, {"id":"b","decision":"ask"}]}', 'b'],
  ['{"rules":[{"id":"a","decision":"ask"}, /* over\nlines */ {"id":"b","decision":"ask"}]}', 'b'],
  ['{"rules":[ /* over\nlines */\n{"decision":"ask"}]}', '#1'],
  ['{\r\n  "rules": [\r\n    { "id": "a", "decision": "ask" }\r\n  ]\r\n}\r\n', undefined],
  ['{"rules":[{"decision":"ask"} // ]\n]}', undefined],
])('[G18] whatever the layout: %j, before %j', (text, before) => {
  const old = readPolicy(text)
  const { rules, problems } = readPolicy(added(text, { before }))
  expect(problems).toEqual([])
  const place = before === undefined ? old.rules.length : before === 'b' ? 1 : 0
  expect(rules[place]).toMatchObject({ server: ['git'], decision: 'allow' })
  expect(rules.toSpliced(place, 1).map(({ decision }) => decision)).toEqual(old.rules.map(({ decision }) => decision))
  const kept = added(text, { before }).replace(DRAWN, '').replace('// ada, 2026-11-16', '')
  expect(kept.replace(/[\s,]/g, '')).toBe(text.replace(/[\s,]/g, ''))
})

test('[G18] a comment stays a comment', () => {
  const { rules, problems } = readPolicy(added('{"rules":[]}', { comment: 'a\n{ "decision": "allow" },\r\u2028b' }))
  expect([problems, rules.length]).toEqual([[], 1])
})

test('[G18] what is no rule, or comes before none, is refused', () => {
  expect(() => added(LAID_OUT, { rule: { decision: 'yes' } })).toThrow('This rule cannot be added: There is no "yes"')
  expect(() => added(LAID_OUT, { rule: { ...RULE, id: 'never' } })).toThrow('There is another rule "never"')
  expect(() => added(LAID_OUT, { before: 'none' })).toThrow('There is no rule "none"')
  expect(() => added('{"rules": [5]}')).toThrow('policy.jsonc:1:12: A rule is an object; correct it first')
})
