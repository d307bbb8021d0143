import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type PlainRule, plainlyDecided } from '../../../test/support/policy/plain-policy.ts'
import { makeWorld } from '../../../test/support/policy/random-policies.ts'
import type { ToolCallSubject } from '../../protocol/tools/gateway.ts'
import { readPolicy } from './file/read-policy.ts'
import { compilePolicy } from './policy.ts'

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

const calling = (more: Partial<ToolCallSubject>): ToolCallSubject => {
  return { server: 's', tool: 't', arguments: {}, principal: 'p', at: 0, ...more }
}

/** The calls that the rule decides, as a plain evaluator says too. */
function compared(rule: PlainRule, calls: ToolCallSubject[], caseless?: boolean) {
  const { decide } = compilePolicy(readPolicy(JSON.stringify({ rules: [rule] })).rules, caseless)
  const found = calls.map((call) => decide(call).rule !== undefined)
  expect({ rule, found }).toEqual({ rule, found: calls.map((call) => plainlyDecided([rule], call).rule === 0) })
  return found
}

test.each(GLOBS)('[G96] texts fit %j in every place as a plain evaluator says', (glob) => {
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

test.each(PATTERNS)('[G96] and paths lead to %j as it says', (pattern) => {
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
