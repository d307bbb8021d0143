import { existsSync, globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'

const SPEC = 'docs/SPEC.md'
const TESTS = ['src/**/*.test.ts', 'src/**/contract/*.ts', 'web/**/*.test.ts', 'test/**/*.{test,spec}.ts']
/** Rules of the repository itself, which the tests in this folder state. */
const REPOSITORY_RULE = /^R\d+$/

const text = existsSync(SPEC) ? readFileSync(SPEC, 'utf8') : ''
const rules = [...text.matchAll(/^- \*\*([A-Z]\d+)\*\*(.*)/gm)].map(([, id = '', rule = '']) => ({ id, rule }))
const titles = globSync(TESTS).flatMap(titlesOf)
const named = titles.flatMap(({ file, title }) => idsIn(title).map((id) => ({ id, where: `${file}: ${title}` })))

test(`[R6] ${SPEC} states rules, each with an id of its own`, () => {
  const ids = rules.map((rule) => rule.id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(ids.length, `${SPEC} is missing or states no rule`).toBeGreaterThan(0)
})

test(`[R7] every rule of ${SPEC} has a test that names it`, () => {
  const missing = rules.filter(({ id }) => !named.some((name) => name.id === id))
  expect(missing.map(({ id, rule }) => `${id}${rule}`)).toEqual([])
})

test(`[R8] every id in a test title is a rule of ${SPEC}`, () => {
  const unknown = named.filter(({ id }) => !REPOSITORY_RULE.test(id) && !rules.some((rule) => rule.id === id))
  expect(unknown.map(({ id, where }) => `${id} in ${where}`)).toEqual([])
})

/** The ids of `[L1] …`, `[L1] [L2] …` and `[L1, L2] …`. */
function idsIn(title: string): string[] {
  const brackets = [...title.matchAll(/\[([A-Z]\d+(?:,\s*[A-Z]\d+)*)\]/g)].map((match) => match[1] ?? '')
  return brackets.flatMap((ids) => ids.split(/,\s*/))
}

/** The titles of the tests in a file that run; one that is always skipped proves nothing. */
function titlesOf(file: string): { file: string; title: string }[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  const found: { file: string; title: string }[] = []
  visit(source)
  return found

  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node) && isRunningTest(node.expression.getText(source))) {
      const [title] = node.arguments
      if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) {
        found.push({ file, title: title.getText(source).slice(1, -1) })
      }
    }
    ts.forEachChild(node, visit)
  }
}

/** `test`, `it.each(…)`, `test.skipIf(…)`, but neither `test.skip` nor `test.todo`. */
function isRunningTest(callee: string): boolean {
  return /^(test|it)\b/.test(callee) && !/\.(skip|todo|fixme)\b/.test(callee)
}
