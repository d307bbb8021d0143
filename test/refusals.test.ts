import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { ERRORS, type ErrorCode } from '../src/protocol/errors.ts'

/** Tests of the page make up what the hub says, and so are no proof that it says it. */
const OWN = basename(import.meta.filename)
const TESTS = ['src/**/*.test.ts', 'src/**/contract/*.ts', 'test/**/*.{test,spec}.ts']
/** A sentence with less of its own could be any. */
const FEWEST_LETTERS = 15
/** Stands for what a test puts into a text. */
const VALUE = ' … '

interface Expected {
  /** What a `code` is expected to be. */
  codes: string[]
  texts: string[]
}

const sentences = (Object.keys(ERRORS) as ErrorCode[]).map((code) => ({ code, parts: partsOf(ERRORS[code].text) }))

test('[R17] every refusal is expected by a test: its code, or all that its sentence says of its own', () => {
  const seen = new Set<string | undefined>()
  const unseen = () => sentences.filter(({ code }) => !seen.has(code))
  for (const file of globSync(TESTS).filter((file) => basename(file) !== OWN)) {
    const text = readFileSync(file, 'utf8')
    // Few files have to be looked at closely.
    if (unseen().some((sentence) => mentions(text, sentence))) for (const code of refusalsIn(text)) seen.add(code)
  }
  expect(unseen().map(({ code }) => code)).toEqual([])
})

test('[R17] what is not expected, or what another refusal says too, counts for none', () => {
  const text = 'Something went wrong inside Parley: Boom'
  expect(codeIn(text)).toBe('fault')
  expect(codeIn('Something went wrong inside Parley')).toBe('internal')
  expect(codeIn('It is gone: for ever')).toBeUndefined()
  expect(expectedIn(`throw new ParleyError('internal'); log('${text}')`)).toEqual([])
  expect(expectedIn(`expect(words).not.toBe('${text}'); expect(kind).toBe('internal')`)).toMatchObject([{ codes: [] }])
  expect(expectedIn(`const told = '${text}'; expect(words).toBe(told)`)).toEqual([{ codes: [], texts: [text] }])
  expect(expectedIn(`expect(it).toMatchObject({ code: 'internal' })`)).toMatchObject([{ codes: ['internal'] }])
})

/** What a sentence says between the values in it. */
function partsOf(text: string): string[] {
  const parts = text.split(/\{\w+\}/).map((part) => part.replace(/^[\s"]+|[\s"]+$/g, ''))
  return parts.filter((part) => part !== '')
}

/** The refusal whose sentence this is; that which says most, where it could be several. */
function codeIn(text: string): ErrorCode | undefined {
  const fitting = sentences.filter(
    ({ parts }) => lettersIn(parts) >= FEWEST_LETTERS && parts.every((part) => text.includes(part)),
  )
  return fitting.toSorted((one, other) => lettersIn(other.parts) - lettersIn(one.parts))[0]?.code
}

function lettersIn(parts: string[]): number {
  return parts.join('').length
}

function mentions(text: string, { code, parts }: (typeof sentences)[number]): boolean {
  const plain = text.replaceAll('\\', '')
  return plain.includes(code) || parts.some((part) => part.length >= FEWEST_LETTERS && plain.includes(part))
}

function refusalsIn(text: string): (string | undefined)[] {
  const expected = expectedIn(text)
  const texts = new Set(expected.flatMap(({ texts }) => texts.filter(({ length }) => length >= FEWEST_LETTERS)))
  return [...expected.flatMap(({ codes }) => codes), ...[...texts].map(codeIn)]
}

/** What each `expect` of a file wants; not what it wants not to be. */
function expectedIn(text: string): Expected[] {
  if (!text.includes('expect')) return []
  const source = ts.createSourceFile('test.ts', text, ts.ScriptTarget.Latest, true)
  const values = valuesIn(source)
  const found: Expected[] = []
  visit(source)
  return found

  function visit(node: ts.Node): void {
    const words = ts.isCallExpression(node) ? wordsOfExpect(node) : undefined
    if (!words) ts.forEachChild(node, visit)
    else if (!words.includes('not')) found.push(wanted(node))
  }

  function wanted(node: ts.Node): Expected {
    const expected: Expected = { codes: [], texts: [] }
    const followed = new Set<string>()
    matchedIn(node).forEach(gather)
    return expected

    function gather(part: ts.Node): void {
      const literal = literalOf(part)
      if (literal !== undefined) expected.texts.push(literal)
      if (literal !== undefined && isCode(part, node)) expected.codes.push(literal)
      if (ts.isPropertyAccessExpression(part) && part.expression.getText() === 'ERRORS')
        expected.codes.push(part.name.text)
      if (ts.isIdentifier(part) && !followed.has(part.text)) {
        followed.add(part.text)
        values.get(part.text)?.forEach(gather)
      }
      ts.forEachChild(part, gather)
    }
  }
}

/** What the names in a file stand for; of those in a loop or a table of tests, all of it. */
function valuesIn(source: ts.SourceFile): Map<string, ts.Node[]> {
  const values = new Map<string, ts.Node[]>()
  visit(source)
  return values

  function visit(node: ts.Node): void {
    if (ts.isVariableDeclaration(node) && node.initializer && !isFound(node.initializer))
      bind(node.name, node.initializer)
    if (ts.isFunctionDeclaration(node) && node.name) bind(node.name, node.body)
    if (ts.isForOfStatement(node) && ts.isVariableDeclarationList(node.initializer))
      for (const { name } of node.initializer.declarations) bind(name, node.expression)
    if (ts.isCallExpression(node) && ts.isCallExpression(node.expression)) {
      const each = node.expression.arguments[0]
      for (const test of node.arguments.filter(ts.isArrowFunction))
        for (const { name } of test.parameters) bind(name, each)
    }
    ts.forEachChild(node, visit)
  }

  function bind(name: ts.BindingName, value: ts.Node | undefined): void {
    if (!value) return
    if (ts.isIdentifier(name)) values.set(name.text, [...(values.get(name.text) ?? []), value])
    else for (const element of name.elements) if (ts.isBindingElement(element)) bind(element.name, value)
  }
}

/** What came of a call is what was found, and not what a test wants. */
function isFound(value: ts.Expression): boolean {
  if (ts.isAwaitExpression(value)) return isFound(value.expression)
  return ts.isCallExpression(value) && !wordsOfExpect(value)
}

/** What stands behind an `expect(…)` and not in it. */
function matchedIn(node: ts.Node): ts.Node[] {
  if (ts.isPropertyAccessExpression(node)) return matchedIn(node.expression)
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return []
  return [...matchedIn(node.expression), ...node.arguments]
}

/** `toBe`, `not` and so on, where this is an `expect` with what follows it. */
function wordsOfExpect(call: ts.CallExpression): string[] | undefined {
  const words: string[] = []
  let node: ts.Expression = call
  while (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) {
    if (ts.isPropertyAccessExpression(node)) words.push(node.name.text)
    node = node.expression
  }
  return ts.isIdentifier(node) && node.text === 'expect' ? words : undefined
}

function literalOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isRegularExpressionLiteral(node)) return node.text.replace(/\\(.)/g, '$1')
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(textOf).join(VALUE)
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined
  return `${literalOf(node.left) ?? VALUE}${literalOf(node.right) ?? VALUE}`
}

function textOf({ text }: { text: string }): string {
  return text
}

/** `code: 'x'`, `new ParleyError('x')`, or whatever is compared in an `expect(error.code)`. */
function isCode(literal: ts.Node, whole: ts.Node): boolean {
  const { parent } = literal
  if (ts.isPropertyAssignment(parent)) return parent.name.getText() === 'code'
  if (ts.isNewExpression(parent)) return parent.expression.getText() === 'ParleyError'
  return /^expect\([^'"`]*\bcode\b/.test(whole.getText())
}
