import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeWorld } from '../../../../test/support/policy/random-policies.ts'
import type { ToolCallSubject } from '../../../protocol/tools/gateway.ts'
import { callOf } from '../call.ts'
import { readPolicy } from '../file/read-policy.ts'
import { compilePolicy } from '../policy.ts'
import { createRuleIndex } from './rule-index.ts'

const world = makeWorld()
afterAll(() => rmSync(world, { recursive: true }))

const TEXTS = ['a', 'b', 'b*', 'aba', 'ab', 'ba', 'aab', 'abab', 'a.b', '🎉', '🎉a', 'a🎉b', '*', '']
const GLOBS = [
  ...[
    'a',
    'b\\*',
    '\\*',
    '*',
    'a*',
    'ab*',
    '*b',
    '*ab',
    '*a*',
    '*ab*',
    'a*b',
    'ab*ab',
    'a*ba*b',
    '?',
    'a?',
    '?b',
    '??b',
  ],
  ...['a?b', '*?b', '?a*', '*?*', '🎉*', '*🎉', '*🎉*', '?🎉?', '*ab?'],
]
const PATHS = [
  '',
  'a',
  'a/b',
  'a/b/new',
  'a/link',
  'a/link/a',
  'link',
  'link/x',
  'a/a/up/b',
  'b/gone',
  'b/new/thing',
  'ab',
]
const PATTERNS = [
  '',
  '/**',
  '/a/**',
  '/link/**',
  '/a/link',
  '/a/link/*',
  '/*/b',
  '/**/b',
  '/**/a/*',
  '/b/**/thing',
  '/a*/**',
]

const read = (rules: unknown[]) => readPolicy(JSON.stringify({ rules })).rules
const calling = (more: Partial<ToolCallSubject>): ToolCallSubject => {
  return { server: 's', tool: 't', arguments: {}, principal: 'p', at: 0, ...more }
}

/** Whether a rule is found in time wherever it matches, which trying it shows. */
function compared(rule: object, calls: ToolCallSubject[], caseless?: boolean) {
  const { decide, explain } = compilePolicy(read([rule]), caseless)
  const found = calls.map((call) => decide(call).rule !== undefined)
  expect({ rule, found }).toEqual({ rule, found: calls.map((call) => explain(call).passed.length === 0) })
  return found
}

test.each(GLOBS)('[G96] rules are found by what a text has that fits %j, in every place', (glob) => {
  const inArguments = TEXTS.map((text) => calling({ arguments: { x: { y: text } } }))
  for (const place of ['server', 'tool', 'principal', 'conversation'])
    compared(
      { [place]: glob, decision: 'ask' },
      TEXTS.map((text) => calling({ [place]: text })),
    )
  const found = compared({ arguments: { 'x.y': glob }, decision: 'allow' }, inArguments)
  expect(compared({ arguments: { 'x.*': [glob, 7] }, decision: 'ask' }, inArguments)).toEqual(found)
  expect(found).toContain(true)
})

test.each(PATTERNS)('[G96] and by where paths lead that fit %j', (pattern) => {
  for (const [start, caseless] of [
    ['', false],
    [world, false],
    ['.', false],
    ['', true],
    [world, true],
  ] as const) {
    const path = { path: `${start}${pattern}` || '/' }
    const calls = PATHS.flatMap((path) => [
      calling({ arguments: { path: join(world, path) }, cwd: join(world, 'a') }),
      calling({ arguments: { path: join('..', path) }, cwd: join(world, 'link'), bases: [join(world, 'link'), world] }),
      calling({ arguments: { paths: [{ path: join('..', path) }] }, cwd: world, bases: [join(world, 'link')] }),
      calling({ arguments: { path } }),
    ])
    for (const decision of ['allow', 'ask']) compared({ arguments: { path }, decision }, calls, caseless)
  }
})

test('[G96] of many rules only those are tried that have something in common with the call', () => {
  const kinds = [
    (n: number) => ({ tool: `tool-${n}` }),
    (n: number) => ({ tool: 'bash', arguments: { command: `git *x${n}-*` } }),
    (n: number) => ({ tool: 'bash', arguments: { command: [`npm x${n}*`, `npm *x${n}`] } }),
    (n: number) => ({ tool: 'bash', arguments: { path: { path: `${world}/x${n}/**` } } }),
    (n: number) => ({ tool: 'bash', arguments: { path: { path: `/**/x${n}` } } }),
    (n: number) => ({ tool: 'bash', arguments: { path: { path: `./x${n}/*.ts` } } }),
    (n: number) => ({ tool: 'bash', conversation: `x${n}*`, principal: 'codex' }),
  ]
  for (const kind of kinds) {
    const rules = read(Array.from({ length: 1000 }, (_, n) => ({ ...kind(n), decision: 'allow' })))
    const args = { command: 'git push x7-x', path: join(world, 'x7', 'a.ts') }
    expect(tried(rules, calling({ tool: 'bash', arguments: args, principal: 'codex', cwd: world }))).toBeLessThan(10)
  }
})

function tried(rules: ReturnType<typeof read>, call: ToolCallSubject): number {
  let count = 0
  const index = createRuleIndex(rules, false)
  index.visit(callOf(call), (numbers) => (count += numbers.length))
  index.visitByPath(
    callOf(call),
    () => rules.length,
    (numbers) => (count += numbers.length),
  )
  return count
}
