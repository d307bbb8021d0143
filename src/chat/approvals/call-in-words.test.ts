import { expect, test, vi } from 'vitest'
import { prettyJson } from '../../protocol/text/pretty-json.ts'
import { callInWords } from './call-in-words.ts'

const LONG = 100_000
const HOSTILE = {
  'lists in lists': `{"a":${'['.repeat(LONG)}${']'.repeat(LONG)}}`,
  'signs that nobody sees': JSON.stringify({ a: '\u202e'.repeat(LONG) }),
  'no JSON': '\u202e'.repeat(LONG),
}

test.each(Object.entries(HOSTILE))('[S164] of a long call in words no more is drawn than is shown: %s', (_, input) => {
  let drawn = 0
  const replace = String.prototype.replace
  const spied = vi.spyOn(String.prototype, 'replace').mockImplementation(function (this: string, ...args) {
    drawn += this.length
    return Reflect.apply(replace, this, args)
  } as typeof replace)
  const words = callInWords({ tool_name: 'Bash', input })
  spied.mockRestore()
  expect(drawn).toBeLessThan(20_000)
  expect(words).toContain('\n…')
  expect(words).toContain('This is not all of it')
})

test('[S164] JSON that is made pretty up to a length is the beginning of all of it', () => {
  const json = JSON.stringify({ a: [1, { b: 'two' }], c: { d: [[], {}] } })
  const all = prettyJson(json) ?? ''
  for (let most = 0; most <= all.length; most++) {
    const begun = prettyJson(json, most) ?? ''
    expect(all.startsWith(begun)).toBe(true)
    expect(begun.length).toBeGreaterThanOrEqual(Math.min(most, all.length))
  }
  expect(prettyJson(HOSTILE['lists in lists'], 1000)?.length).toBeLessThan(1200)
  expect(prettyJson('{"a":', 10)).toBeUndefined()
})
