import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attempt } from '../../../io/attempt.ts'
import { ifRefused } from '../../../protocol/refusal.ts'
import { valueAt } from './text-format.ts'
import { tomlText } from './toml-text.ts'

const RUNS = process.env.PARLEY_SOAK ? { numRuns: 5000 } : { numRuns: 300, seed: 7 }
const PATH = ['mcp_servers', 'parley']
const ENTRY = {
  command: '/usr/bin/node',
  args: ['/opt/parley.js', 'stdio'],
  env: { A: 'b "c"' },
  tool_timeout_sec: 86400,
}
const ENTRY_TEXT = `[mcp_servers.parley]
command = "/usr/bin/node"
args = ["/opt/parley.js", "stdio"]
env = { A = "b \\"c\\"" }
tool_timeout_sec = 86400
`

const VALUES = [
  '1',
  '"[mcp_servers.parley]"',
  "'#'",
  '"""\n[mcp_servers.parley]\n"""',
  "'''\n[x]\n'''",
  '[\n  [1],\n  # said\n  [2]\n]',
  '{ a = [1] }',
  '1979-05-27',
]
const HEADS = [
  '[other]',
  '[mcp_servers.files]',
  '[mcp_servers.files.env]',
  '[profiles."a.b"]',
  '[[hooks]]',
  '[mcp_servers.parley]',
  '[mcp_servers.parley.env]',
]
const filler = fc.constantFrom('', '# said', '   ', '# [mcp_servers.parley]')
const lines = fc.array(fc.tuple(filler, fc.constantFrom(...VALUES)), { maxLength: 3 })
const text = fc
  .tuple(
    lines,
    fc.uniqueArray(fc.constantFrom(...HEADS), { maxLength: 5 }),
    fc.array(lines, { minLength: 5, maxLength: 5 }),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
  )
  .map(([first, heads, bodies, eol, ends]) => {
    const body = (all: [string, string][]) => all.flatMap(([said, value], n) => [said, `key${n} = ${value}`])
    const all = [...body(first), ...heads.flatMap((head, n) => ['# about it', head, ...body(bodies[n] ?? [])])]
    return (all.join('\n') + (ends ? '\n' : '')).replaceAll('\n', eol)
  })

test('[C202] whatever TOML a file holds, only the entry is set, and taken out again', () => {
  fc.assert(
    fc.property(text, (whole) => {
      const given = attempt(
        () => tomlText.read(whole),
        ifRefused(() => undefined),
      )
      if (!given) return
      const set = tomlText.set(whole, PATH, ENTRY)
      expect(valueAt(tomlText.read(set), PATH)).toEqual(ENTRY)
      expect(tomlText.set(set, PATH, ENTRY)).toBe(set)
      if (valueAt(given, PATH) !== undefined) return
      expect(set.startsWith(whole)).toBe(true)
      const end = whole.includes('\r\n') ? '\r\n' : '\n'
      expect(tomlText.remove(set, PATH).trimEnd() + end).toBe(whole.trimEnd() + end)
    }),
    RUNS,
  )
})

test('[C202] the entry stays where it is, with what others wrote around it', () => {
  const before =
    '# mine\na = 1\n\n[mcp_servers.parley]\ncommand = "old"\n\n[mcp_servers.parley.env]\nA = "1"\n\n# about x\n[x]\nb = 2\n'
  expect(tomlText.set(before, PATH, ENTRY)).toBe(`# mine\na = 1\n\n${ENTRY_TEXT}\n# about x\n[x]\nb = 2\n`)
  expect(tomlText.remove(before, PATH)).toBe('# mine\na = 1\n\n# about x\n[x]\nb = 2\n')
})

test.each([
  ['', ENTRY_TEXT],
  ['a = 1', `a = 1\n\n${ENTRY_TEXT}`],
  ['a = 1\r\n', `a = 1\r\n\r\n${ENTRY_TEXT.replaceAll('\n', '\r\n')}`],
])('[C202] it is appended to what is there: %j', (before, after) => {
  expect(tomlText.set(before, PATH, ENTRY)).toBe(after)
})

test.each([
  ['a = ', 'is not valid (line 1)'],
  ['a = 1\na = 2\n', 'is not valid (line 2)'],
  ['mcp_servers = { files = {} }\n', 'is written in a way that Parley does not change'],
  ['mcp_servers.parley.command = "x"\n', 'has mcp_servers.parley in another way than as a table'],
])('[C201] what a client could not read is left as it is: %j', (before, problem) => {
  expect(() => tomlText.set(before, PATH, ENTRY)).toThrow(`The file ${problem}`)
})

test('[C202] the largest numbers that TOML has are kept', () => {
  const text = 'a = 9223372036854775807\n'
  expect(tomlText.set(text, ['mcp_servers', 'parley'], { command: 'a' })).toContain(text)
})

test('[C202] each line of a file is looked at once, whatever its length and however many are empty', () => {
  const text = `[a]\n${'\n# x\n'.repeat(200_000)}b = 1\n`
  const set = tomlText.set(text, ['mcp_servers', 'parley'], { command: 'a' })
  expect(set).toBe(`${text}\n[mcp_servers.parley]\ncommand = "a"\n`)
})
