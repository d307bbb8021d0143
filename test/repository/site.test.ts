import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { expect, test } from 'vitest'
import { anchorsIn, linksIn } from '../../scripts/docs/links.ts'
import { sitePages } from '../../scripts/docs/site-pages.ts'

const { pages, images } = sitePages()
const staged = new Map(pages.map(({ path, text }) => [path, text]))
const pictures = [...images].map((image) => image.replace(/^docs\//, ''))

test('[R53] the site has a page for every Markdown file that people read', () => {
  const sources = globSync(['*.md', 'docs/**/*.md'])
  expect(pages.map(({ source }) => source)).toEqual(expect.arrayContaining(sources))
  expect(pages.filter(({ title }) => title === '')).toEqual([])
  expect(staged.get('index.md')).toContain('# Parley')
})

test('[R53] links between its pages lead to pages and headings that it has, and pictures are its own', () => {
  const broken = pages.flatMap(({ path, text }) =>
    linksIn(text).filter((link) => {
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? path : join(dirname(path), file)
      if (anchor !== undefined) return !anchorsIn(staged.get(target) ?? '').has(anchor)
      return !staged.has(target) && !pictures.includes(target)
    }),
  )
  expect(broken).toEqual([])
  expect(pages.filter(({ text }) => /\]\(https?:[^)]*\.(png|svg)|src(set)?="https?:/.test(text))).toEqual([])
})

test('[R53] its generator is a package of its own, with one version and no place to load it from', () => {
  const { devDependencies } = JSON.parse(readFileSync('site/package.json', 'utf8'))
  expect(Object.values(devDependencies)).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+(-[\w.]+)?$/)])
  expect(readFileSync('site/package-lock.json', 'utf8')).not.toContain('"resolved"')
  expect(readFileSync('package-lock.json', 'utf8')).not.toContain('"node_modules/vitepress"')
})
