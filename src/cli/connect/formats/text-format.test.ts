import { expect, test } from 'vitest'
import { jsonText } from './json-text.ts'
import { tomlText } from './toml-text.ts'
import { yamlText } from './yaml-text.ts'

const DEEP = 100_000
const nested = '['.repeat(DEEP) + ']'.repeat(DEEP)
const grown = Array.from({ length: 9 }, (_, n) => {
  const items = Array(10).fill(n === 0 ? 'x' : `*a${n - 1}`)
  return `a${n}: &a${n} [${items.join(',')}]`
}).join('\n')

test.each([
  ['JSON', () => jsonText({ comments: false }).read(`{"a":${nested}}`)],
  ['JSON with comments', () => jsonText({ comments: true }).read(`{"a":${nested}}`)],
  ['TOML', () => tomlText.read(`a = ${nested}`)],
  ['YAML that grows', () => yamlText.read(grown)],
])('[C216] %s that is nested without end is refused like every file that cannot be read', (_, read) => {
  expect(read).toThrow(/The file is (?:nested too deeply|not valid)/)
})
