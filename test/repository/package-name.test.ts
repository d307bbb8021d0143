import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import about from '../../package.json' with { type: 'json' }
import { PACKAGE } from '../../src/protocol/version.ts'

/** Whoever follows it gets somebody else's package. */
const WRONG = new RegExp(
  `\\bnp(?:x|m (?:exec|i|install)(?: -\\S+)*) (?:-\\S+ )*parley(?!${PACKAGE.slice('parley'.length)})\\b`,
)

test('[R31] what is installed is parley-hub, and its one command is parley', () => {
  expect([PACKAGE, Object.keys(about.bin)]).toEqual(['parley-hub', ['parley']])
})

test('[R31] no text fetches the package that only has the name of the command', () => {
  const texts = globSync([
    '*.md',
    '*.json',
    'Dockerfile',
    '.github/**/*.yml',
    '{bin,src,web,test,scripts,bench,docs}/**/*.*',
  ])
  const wrong = texts
    .filter(
      (file) =>
        /\.(ts|js|mjs|cjs|svelte|html|md|json|yml)$|Dockerfile$/.test(file) && !file.endsWith('package-name.test.ts'),
    )
    .filter((file) => WRONG.test(readFileSync(file, 'utf8')))
  expect(wrong).toEqual([])
  for (const text of ['npx parley open', 'npx -y parley', 'npm i -g parley', 'npm exec parley'])
    expect(text).toMatch(WRONG)
  for (const text of ['npx parley-hub open', 'npm install --global parley-hub']) expect(text).not.toMatch(WRONG)
})
