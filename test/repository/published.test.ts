import { globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkPackage, Package } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { expect, test } from 'vitest'
import { removePacked, stagePackage } from '../../scripts/stage.ts'
import { PACKAGE, VERSION } from '../../src/protocol/version.ts'
import { temporaryFolder } from '../support/hub.ts'

/** The library is of modules alone, and its package says what it exports: what knows neither cannot use it. */
const TOO_OLD = ['node10', 'node16-cjs']

async function staged(): Promise<string> {
  const folder = join(await temporaryFolder(), 'package')
  stagePackage(folder)
  return folder
}

test('[R34] publint has nothing to say about the package', async () => {
  const pkgDir = await staged()
  const { messages, pkg } = await publint({ pkgDir, pack: false, strict: true })
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
})

test('[R34] arethetypeswrong finds its types right, for Node and for bundlers', async () => {
  const folder = await staged()
  const files = globSync('**', { cwd: folder }).filter((file) => statSync(join(folder, file)).isFile())
  const contents = files.map((file) => [`/node_modules/${PACKAGE}/${file}`, readFileSync(join(folder, file))] as const)
  const checked = await checkPackage(new Package(Object.fromEntries(contents), PACKAGE, VERSION))
  if (!checked.types) throw new Error('There are no types')
  expect(Object.keys(checked.entrypoints)).toEqual(['./client', './catch-up'])
  const wrong = checked.problems.filter(
    (problem) => !('resolutionKind' in problem && TOO_OLD.includes(problem.resolutionKind)),
  )
  expect(wrong).toEqual([])
})

test('[R36] it holds the licences of those whose code it holds', async () => {
  const folder = await staged()
  const files = globSync('dist/builds/*/*notices.txt', { cwd: folder }).sort()
  const [hub = '', page = ''] = files.map((file) => readFileSync(join(folder, file), 'utf8'))
  const listed = readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^\| `([^`]+)` \| (\d\S+) \| (\S+) \|/gm)
  const missing = [...listed].filter(
    ([, name, version, licence]) => !`${page}${hub}`.includes(`${name} ${version}, ${licence}\n`),
  )
  expect(missing).toEqual([])
  expect(hub).toContain('Copyright (c) 2025 Colin McDonnell')
  expect(page).toContain('Copyright (c) 2006, Ivan Sagalaev')
})

test('[R35] what was packed before is gone, so that an image holds the newest', async () => {
  const folder = await temporaryFolder()
  for (const file of [`${PACKAGE}-0.0.9.tgz`, `${PACKAGE}-0.1.0.tgz`, 'other-1.0.0.tgz'])
    writeFileSync(join(folder, file), '')
  removePacked(folder)
  expect(readdirSync(folder)).toEqual(['other-1.0.0.tgz'])
  expect(readFileSync('scripts/pack.ts', 'utf8')).toContain("removePacked('dist')\n")
})

test('[R35] it is published with where it comes from, after its packages and tests were looked at', () => {
  const job = readFileSync('.github/workflows/release.yml', 'utf8')
  const runs = [...job.matchAll(/^ +- run: (.+)$/gm)].map(([, command]) => command)
  expect(runs).toEqual([
    'npm ci --ignore-scripts',
    'npm audit signatures',
    'npm test',
    'npm run pack',
    'npm publish ./dist/package --provenance --access public',
  ])
  expect(job).toMatch(/^permissions:\n {2}contents: read\n.*\n {2}id-token: write$/m)
})
