import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { linksIn } from '../../scripts/docs/links.ts'

const text = readFileSync('ARCHITECTURE.md', 'utf8')

test('[R54] ARCHITECTURE.md tells the life of a message in ten lines, each with a link to a file', () => {
  const [, life = ''] = text.split('## The life of a message\n')
  const [told = ''] = life.split('\n## ')
  const lines = told.match(/^\d+\. .*$/gm) ?? []
  expect(lines.map((line) => Number.parseInt(line, 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(lines.filter((line) => !linksIn(line).some((link) => /^src\/.*\.ts$/.test(link)))).toEqual([])
})

test('[R54] its one picture has colours for light and for dark, and words for who cannot see it', () => {
  const pictures = [...text.matchAll(/!\[(.+)\]\((.+\.svg)\)/g)]
  expect(pictures).toHaveLength(1)
  const [, , file = ''] = pictures[0] ?? []
  const picture = readFileSync(file, 'utf8')
  const [light = '', dark = ''] = picture.split('@media (prefers-color-scheme: dark)')
  const coloured = (style: string) => new Set(style.match(/\.[a-z]+(?= \{)/g))
  expect([...coloured(light)].filter((name) => name !== '.name' && !coloured(dark).has(name))).toEqual([])
  expect(picture).toMatch(/<title .*<desc /s)
})
