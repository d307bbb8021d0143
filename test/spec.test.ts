import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const SPEC = 'docs/SPEC.md'
const TESTS = ['src/**/*.test.ts', 'test/**/contract/*.ts', 'web/**/*.test.ts', 'test/**/*.{test,spec}.ts']

const text = existsSync(SPEC) ? readFileSync(SPEC, 'utf8') : ''
const rules = [...text.matchAll(/^- \*\*([A-Z]\d+)\*\*(.*)/gm)].map(([, id = '', rule = '']) => ({ id, rule }))
const titles = globSync(TESTS).flatMap(titlesOf)
const namedIds = titles.flatMap(({ file, title }) => idsIn(title).map((id) => ({ id, file, title })))
const named = namedIds.map(({ id, file, title }) => ({ id, where: `${file}: ${title}` }))
const sections = sectionsIn(text)

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
  const unknown = named.filter(({ id }) => !rules.some((rule) => rule.id === id))
  expect(unknown.map(({ id, where }) => `${id} in ${where}`)).toEqual([])
})

test('[R14] rules and the sections of the documents name each other, and each document has its tests', () => {
  const named = rules.flatMap(({ id, rule }) => referencesIn(rule).map((section) => `${section} ${id}`))
  expect(named.sort()).toEqual(sections.flatMap(({ section, ids }) => ids.map((id) => `${section} ${id}`)).sort())
  expect(sections.filter(({ ids }) => ids.length === 0)).toEqual([])
  const documents = new Set(sections.map(({ document }) => document))
  const tested = globSync('test/documents/*.test.ts').map((file) => basename(file, '.test.ts'))
  expect(tested.sort()).toEqual([...documents].map((document) => document.replace(' ', '-')).sort())
})

test('[R14] what the tests of a document name comes from that document', () => {
  const foreign = namedIds.filter(({ id, file }) => {
    if (dirname(file) !== join('test', 'documents')) return false
    const document = basename(file, '.test.ts').replace('-', ' ')
    return !sections.some((section) => section.document === document && section.ids.includes(id))
  })
  expect(foreign).toEqual([])
})

test('[R15] SECURITY.md maps each rule of safety, in order, to a file that tests it, and no other', () => {
  const map = [...readFileSync('SECURITY.md', 'utf8').matchAll(/^\| (S\d+) \| `(.+)` \|$/gm)]
  const safety = rules.map(({ id }) => id).filter((id) => id.startsWith('S'))
  const inOrder = safety.toSorted((one, other) => Number(one.slice(1)) - Number(other.slice(1)))
  expect(map.map(([, id]) => id)).toEqual(inOrder)
  const untested = map.filter(([, id, file]) => !namedIds.some((named) => named.id === id && named.file === file))
  expect(untested.map(([row]) => row)).toEqual([])
})

/** The sections that a rule names, as `inbox: chat_read_since`. */
function referencesIn(rule: string): string[] {
  return [...rule.matchAll(/\*\(\[([^\]]+)\]\(#[a-z-]+\)\)\*/g)].map(([, section = '']) => section)
}

/** The sections of the documents, each with the rules that come from it. */
function sectionsIn(text: string) {
  return text
    .split(/^### /m)
    .slice(1)
    .flatMap((part) => {
      const [document = ''] = part.split('\n', 1)
      const rows = [...part.matchAll(/^\| (.+) \| (.*) \|$/gm)].slice(2)
      return rows.map(([, name, ids = '']) => ({
        document,
        section: `${document}: ${name}`,
        ids: ids.split(', ').filter(Boolean),
      }))
    })
}

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
