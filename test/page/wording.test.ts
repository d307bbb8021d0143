import { globSync, readFileSync } from 'node:fs'
import { type AST, parse } from 'svelte/compiler'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { ERRORS } from '../../src/protocol/errors.ts'

const SOURCES = ['web/src/**/*.svelte', 'web/src/**/*.ts']
const WHAT_IS_NOT = /^(?:No|Not|None|Nobody|Nothing|There (?:is|are) no|It is not|This is not)\b/
/** A sentence, and no label or name. */
const SENTENCE = /[a-z].*\.$|[,;:] /
const OTHER_OFFLINES = /hub (?:is )?(?:offline|not available)|[Cc]onnection (?:was )?lost|not reachable/
/** What people say: the answer of a search and what is empty. */
const IDIOMS = /^No matches\b/

interface Text {
  file: string
  text: string
}

const texts = globSync(SOURCES)
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap((file) => textsOf(file).map((text) => ({ file, text })))

test('[U430] no sentence of the page begins with what is not', () => {
  expect(texts.length).toBeGreaterThan(500)
  const isWrong = ({ text }: Text) => WHAT_IS_NOT.test(text) && SENTENCE.test(text) && !IDIOMS.test(text)
  expect(texts.filter(isWrong)).toEqual([])
})

test('[U430] that the hub cannot be reached is one word everywhere', () => {
  expect(texts.filter(({ text }) => OTHER_OFFLINES.test(text))).toEqual([])
})

test('[U430] nor does a refusal, but where time ran out', () => {
  const late = ['no_answer_yet', 'withdrawn_unanswered', 'unknown_request', 'call_undecided']
  const begins = Object.entries(ERRORS).filter(([code, { text }]) => WHAT_IS_NOT.test(text) && !late.includes(code))
  expect(begins).toEqual([])
})

function textsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  if (file.endsWith('.ts')) return literalsIn(source)
  const { fragment, instance } = parse(source, { modern: true })
  const found = instance ? literalsIn(source.slice(...span(instance.content))) : []
  visit(fragment)
  return found

  function visit(node: unknown) {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const { type, start, end } = node as AST.Text
    if (type === 'Text') found.push(source.slice(start, end).replace(/\s+/g, ' ').trim())
    for (const [name, part] of Object.entries(node)) {
      if (name !== 'expression' || typeof part !== 'object' || part === null || !('start' in part)) visit(part)
      else found.push(...literalsIn(source.slice(...span(part))))
    }
  }
}

function span(node: object): [number, number] {
  const { start, end } = node as { start: number; end: number }
  return [start, end]
}

function literalsIn(source: string): string[] {
  const found: string[] = []
  visit(ts.createSourceFile('it.ts', source, ts.ScriptTarget.Latest, true))
  return found

  function visit(node: ts.Node) {
    if (ts.isStringLiteralLike(node)) found.push(node.text)
    if (ts.isTemplateExpression(node)) found.push(node.getText().slice(1, -1))
    ts.forEachChild(node, visit)
  }
}
