import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attempt } from '../../../io/attempt.ts'
import { ifRefused } from '../../../protocol/refusal.ts'
import { valueAt } from './text-format.ts'
import { yamlText } from './yaml-text.ts'

const RUNS = process.env.PARLEY_SOAK ? { numRuns: 5000 } : { numRuns: 300, seed: 7 }
const PATH = ['mcpServers', 'parley']
const ENTRY = { command: '/usr/bin/node', args: ['/opt/parley.js', 'stdio'], env: {} }
const LINES = ['- name: parley', '  command: "/usr/bin/node"', '  args: ["/opt/parley.js","stdio"]', '  env: {}']
const entry = (indent: string) => LINES.map((line) => `${indent}${line}\n`).join('')

const PARTS = [
  'name: mine',
  '# said',
  '',
  'models:\n  - name: big\n    roles: [chat, "edit"] # said\n',
  'prompt: |\n  mcpServers:\n    - name: parley\n',
  'rules:\n- one\n-   two',
  'mcpServers:\n  - name: files\n    command: node # said\n    env:\n      A: "1"\n  # more\n  - name: far\n    url: http://x',
  'mcpServers:\n- {name: files, command: node}',
  'mcpServers:\n  - name: parley\n    command: old\n\n  - name: files\n    command: node',
]
const text = fc
  .tuple(fc.uniqueArray(fc.constantFrom(...PARTS), { maxLength: 6 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([parts, eol, ends]) => (parts.join('\n') + (ends ? '\n' : '')).replaceAll('\n', eol))

test('[C203] whatever YAML a file holds, only the item is set, and taken out again', () => {
  fc.assert(
    fc.property(text, (whole) => {
      const given = attempt(
        () => yamlText.read(whole),
        ifRefused(() => undefined),
      )
      if (!given) return
      const set = yamlText.set(whole, PATH, ENTRY)
      expect(valueAt(yamlText.read(set), PATH)).toEqual(ENTRY)
      expect(yamlText.set(set, PATH, ENTRY)).toBe(set)
      if (valueAt(given, PATH) !== undefined) return
      const eol = whole.includes('\r\n') ? '\r\n' : '\n'
      const ended = whole === '' || whole.endsWith('\n') ? whole : whole + eol
      const removed = yamlText.remove(set, PATH)
      const [list = ''] = PATH
      expect([whole, ended]).toContain(given[list] === undefined ? yamlText.remove(removed, [list]) : removed)
    }),
    RUNS,
  )
})

test.each([
  ['', `mcpServers:\n${entry('  ')}`],
  ['mcpServers: []\nname: mine\n', `mcpServers:\n${entry('  ')}name: mine\n`],
  ['mcpServers:\n# none\nname: mine\n', `mcpServers:\n${entry('  ')}# none\nname: mine\n`],
  ['name: mine', `name: mine\nmcpServers:\n${entry('  ')}`],
  ['mcpServers:\n- name: a # said\n  url: x\n# end\n', `mcpServers:\n- name: a # said\n  url: x\n${entry('')}# end\n`],
])('[C203] it is written as the rest of the file is: %j', (before, after) => {
  expect(yamlText.set(before, PATH, ENTRY)).toBe(after)
})

test.each([
  ['a: [', 'is not valid (line 1)'],
  ['- a\n', 'holds no names and values'],
  ['mcpServers: [{name: a}]\n', 'has mcpServers in another way than as a list of lines'],
  ['mcpServers:\n- name: parley\n- name: parley\n', 'has "parley" twice in mcpServers'],
])('[C201] what a client could not read, or is no list, is left as it is: %j', (before, problem) => {
  expect(() => yamlText.set(before, PATH, ENTRY)).toThrow(`The file ${problem}`)
})

test.each(['mcpServers: [] # mine\n', 'mcpServers: # mine\nx: 1\n'])(
  '[C203] what is said about an empty list stays: %j',
  (text) => {
    expect(yamlText.set(text, ['mcpServers', 'parley'], { command: 'a' })).toContain(
      'mcpServers: # mine\n  - name: parley\n',
    )
  },
)
