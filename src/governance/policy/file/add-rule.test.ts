import { expect, test } from 'vitest'
import { drawnRule, type NewRule, withRule } from './add-rule.ts'
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

/** A text with the rule and its comment in place of the `@`, on lines of their own and with its indent. */
const withDrawn = (text: string) =>
  text.replace(/^([ \t]*)@/m, (_, indent: string) => `${indent}// ada, 2026-11-16\n${indent}${DRAWN}`)

test.each([
  ['{"rules":[]}', undefined, '{"rules":[\n  @\n]}'],
  ['  {"rules":[]}', undefined, '  {"rules":[\n    @\n  ]}'],
  ['{"rules":[\n]}', undefined, '{"rules":[\n  @\n]}'],
  ['{ "rules": [ // none\n] }', undefined, '{ "rules": [ // none\n  @\n] }'],
  ['{"rules":[{"decision":"ask"}]}', undefined, '{"rules":[{"decision":"ask"},\n  @\n]}'],
  ['{"rules":[{"decision":"ask"},]}', undefined, '{"rules":[{"decision":"ask"},\n  @,\n]}'],
  ['{"rules":[\n {"decision":"ask"},\n]}', undefined, '{"rules":[\n {"decision":"ask"},\n @,\n]}'],
  ['{"rules":[{"decision":"ask"}]}', '#1', '{"rules":[\n@,\n{"decision":"ask"}]}'],
  [
    '{"rules":[{"tool":"a","decision":"ask"}, {"id":"b","decision":"ask"}]}',
    'b',
    '{"rules":[{"tool":"a","decision":"ask"}, \n@,\n{"id":"b","decision":"ask"}]}',
  ],
  [
    '{"rules":[{"decision":"ask"},\n{"id":"b","decision":"ask"}]}',
    'b',
    '{"rules":[{"decision":"ask"},\n@,\n{"id":"b","decision":"ask"}]}',
  ],
  [
    '{"rules":[{"decision":"ask"}, /* over\nlines */ {"id":"b","decision":"ask"}]}',
    'b',
    '{"rules":[{"decision":"ask"}, /* over\nlines */ \n@,\n{"id":"b","decision":"ask"}]}',
  ],
  [
    '{"rules":[ /* over\nlines */\n{"decision":"ask"}]}',
    '#1',
    '{"rules":[ /* over\nlines */\n\n@,\n{"decision":"ask"}]}',
  ],
  [
    '{\r\n  "rules": [\r\n    { "decision": "ask" }\r\n  ]\r\n}\r\n',
    undefined,
    '{\r\n  "rules": [\r\n    { "decision": "ask" },\n    @\r\n  ]\r\n}\r\n',
  ],
  ['{"rules":[{"decision":"ask"} // ]\n]}', undefined, '{"rules":[{"decision":"ask"}, // ]\n  @\n]}'],
])('[G18] whatever the layout: %j, before %j', (text, before, expected) => {
  expect(added(text, { before })).toBe(withDrawn(expected))
  expect(readPolicy(added(text, { before })).problems).toEqual([])
})

test('[G18] a rule is written as it is, in one line, without what it does not say', () => {
  const rule = { tool: 'a', arguments: { n: null, on: true, of: {}, all: [] }, note: undefined, decision: 'ask' }
  expect(drawnRule(rule, 'one\n \n two', '\t')).toBe(
    '\t// one\n\t//  two\n\t{ "tool": "a", "arguments": { "n": null, "on": true, "of": {}, "all": [] }, "decision": "ask" }',
  )
})

test('[G18] a comment stays a comment', () => {
  const { rules, problems } = readPolicy(added('{"rules":[]}', { comment: 'a\n{ "decision": "allow" },\r\u2028b' }))
  expect([problems, rules.length]).toEqual([[], 1])
})

test('[G18] what is no rule, or comes before none, is refused', () => {
  expect(() => added(LAID_OUT, { rule: { decision: 'yes' } })).toThrow('This rule cannot be added: Unknown "yes"')
  expect(() => added(LAID_OUT, { rule: { ...RULE, id: 'never' } })).toThrow('There is another rule "never"')
  expect(() => added(LAID_OUT, { before: 'none' })).toThrow('Unknown rule "none"')
  expect(() => added('{"rules": [5]}')).toThrow('policy.jsonc:1:12: A rule is an object; correct it first')
})
