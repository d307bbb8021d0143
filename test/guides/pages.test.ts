import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { CLIENTS } from '../../src/cli/connect/clients.ts'
import { GUIDES, pageOf } from '../support/guide.ts'

const MOST_LINES = 60

const pages = globSync(`${GUIDES}/*.md`).map((file) => basename(file, '.md'))
const guides = pages.filter((name) => name !== 'README')

test(`[R42] a guide begins with what to paste, and is no longer than ${MOST_LINES} lines`, () => {
  for (const name of guides) {
    const lines = pageOf(name).trimEnd().split('\n')
    expect(lines.length, name).toBeLessThanOrEqual(MOST_LINES)
    const [title, first] = lines.filter((line) => line !== '' && !line.startsWith('<!--'))
    expect([title, first], name).toEqual([expect.stringMatching(/^# /), expect.stringMatching(/^```\w+$/)])
  }
})

test('[R42] each client has its guide, and every guide is in the list, which the README names', () => {
  expect(CLIENTS.map(({ name }) => name).filter((name) => !guides.includes(name))).toEqual([])
  const listed = [...pageOf('README').matchAll(/^- \[.+\]\((.+)\.md\)/gm)].map(([, name = '']) => name)
  expect(listed.toSorted()).toEqual(guides.toSorted())
  expect(readFileSync('README.md', 'utf8')).toContain(`(${GUIDES}/README.md)`)
})
