import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { expect, test } from 'vitest'
import { anchorsIn, linksIn } from '../../scripts/docs/links.ts'

const NOT_OURS = ['node_modules', 'dist', '.cache', 'screenshots', 'test-results']
/** Staged by `npm run site` from the others. */
const STAGED = join('site', 'pages')

const pages = globSync('**/*.md', {
  exclude: (path) => path === STAGED || path.split(sep).some((name) => NOT_OURS.includes(name)),
})

test('[R52] every relative link in a Markdown file leads to a file, and every anchor to a heading', () => {
  expect(pages).toContain('README.md')
  expect(pages.flatMap(brokenIn)).toEqual([])
})

test('[R52] a link to a file, to a folder and to a heading that is not there is noticed', () => {
  const text =
    '# One\n\n## One\n\n<a id="two"></a>\n\n```md\n# Three\n[no link](nowhere.md)\n```\n\n[a](#one-1), ![b](b.png "B")\n'
  expect(anchorsIn(text)).toEqual(new Set(['one', 'one-1', 'two']))
  expect(linksIn(text)).toEqual(['#one-1', 'b.png'])
  expect(linksIn('[`code`](a.md#x), `[none](b.md)`, <img src="c.png">, [far](https://example.org)')).toEqual([
    'a.md#x',
    'c.png',
  ])
  expect(broken('README.md', 'docs/nowhere.md')).toBe('docs/nowhere.md is not there')
  expect(broken('docs/SPEC.md', '../README.md#nowhere')).toBe('README.md has no heading "nowhere"')
  expect(broken('docs/SPEC.md', '../README.md#try-it')).toBeUndefined()
})

function brokenIn(page: string): string[] {
  return linksIn(readFileSync(page, 'utf8')).flatMap((link) => {
    const problem = broken(page, link)
    return problem ? [`${page}: ${problem}`] : []
  })
}

/** What is wrong with a link of a page, if anything. */
function broken(page: string, link: string): string | undefined {
  const [path = '', anchor] = decodeURIComponent(link).split('#')
  const target = path === '' ? page : relative('.', join(dirname(page), path))
  if (!existsSync(target || '.')) return `${target} is not there`
  if (anchor === undefined) return undefined
  if (!target.endsWith('.md') || statSync(target).isDirectory()) return `${target} has no headings`
  return anchorsIn(readFileSync(target, 'utf8')).has(anchor) ? undefined : `${target} has no heading "${anchor}"`
}
