import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attempt } from '../../../io/attempt.ts'
import { ifRefused } from '../../../protocol/refusal.ts'
import { valueAt } from './text-format.ts'
import { yamlMap } from './yaml-map.ts'

const RUNS = process.env.PARLEY_SOAK ? { numRuns: 5000 } : { numRuns: 300, seed: 7 }
const PATH = ['extensions', 'parley']
const ENTRY = { enabled: true, cmd: '/usr/bin/node', args: ['/opt/parley.js', 'stdio'], envs: {} }
const LINES = [
  'parley:',
  '  enabled: true',
  '  cmd: "/usr/bin/node"',
  '  args: ["/opt/parley.js","stdio"]',
  '  envs: {}',
]
const entry = (indent: string) => LINES.map((line) => `${indent}${line}\n`).join('')

const PARTS = [
  'GOOSE_MODE: auto',
  '# said',
  '',
  'slash_commands:\n  - command: "run-tests"\n    recipe_path: x # said\n',
  'prompt: |\n  extensions:\n    parley:\n',
  'extensions:\n  developer:\n    type: builtin # said\n    envs:\n      A: "1"\n  # more\n  far:\n    uri: http://x',
  'extensions:\n    a: {type: builtin}\n    b: |\n      text\n',
  'extensions: # mine',
  'extensions: {} # mine',
  'extensions:\n  parley:\n    cmd: old\n\n  files:\n    cmd: node',
]
const text = fc
  .tuple(fc.uniqueArray(fc.constantFrom(...PARTS), { maxLength: 6 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([parts, eol, ends]) => (parts.join('\n') + (ends ? '\n' : '')).replaceAll('\n', eol))

test('[C203] whatever YAML with names a file holds, only the entry is set, and taken out again', () => {
  fc.assert(
    fc.property(text, (whole) => {
      const given = attempt(
        () => yamlMap.read(whole),
        ifRefused(() => undefined),
      )
      if (!given) return
      const set = yamlMap.set(whole, PATH, ENTRY)
      expect(valueAt(yamlMap.read(set), PATH)).toEqual(ENTRY)
      expect(yamlMap.set(set, PATH, ENTRY)).toBe(set)
      if (valueAt(given, PATH) !== undefined) return
      const eol = whole.includes('\r\n') ? '\r\n' : '\n'
      const ended = whole === '' || whole.endsWith('\n') ? whole : whole + eol
      const removed = yamlMap.remove(set, PATH)
      const [outer = ''] = PATH
      const isNew = given[outer] === undefined
      const back = given[outer] === null ? removed.replace(' {}', '') : removed
      expect([whole, ended]).toContain(isNew ? yamlMap.remove(removed, [outer]) : back)
    }),
    RUNS,
  )
})

test.each([
  ['', `extensions:\n${entry('  ')}`],
  ['extensions: {}\nname: mine\n', `extensions:\n${entry('  ')}name: mine\n`],
  ['name: mine', `name: mine\nextensions:\n${entry('  ')}`],
  ['extensions:\n   a: # said\n     b: x\n# end\n', `extensions:\n   a: # said\n     b: x\n${entry('   ')}# end\n`],
])('[C203] names are written as the rest of the file is: %j', (before, after) => {
  expect(yamlMap.set(before, PATH, ENTRY)).toBe(after)
})

test.each([
  ['a: [', 'is not valid (line 1)'],
  ['- a\n', 'holds no names and values'],
  ['extensions: {a: {}}\n', 'has extensions in another way than as names on lines of their own'],
  ['extensions:\n- name: parley\n', 'has extensions in another way than as names on lines of their own'],
  ['extensions:\n  parley: {}\n  parley: {}\n', 'is not valid (line 3)'],
])('[C201] YAML that a client could not read, or has no names, is left as it is: %j', (before, problem) => {
  expect(() => yamlMap.set(before, PATH, ENTRY)).toThrow(`The file ${problem}`)
})
