import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FILES, variablesNamed } from '../../scripts/docs/configuration-page.ts'
import { reference } from '../../scripts/docs/reference.ts'

const sources = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))

test('[R50] the reference says what the code says; npm run docs writes it anew', async () => {
  const pages = await reference()
  const written = globSync('docs/reference/*').map((path) => [path, readFileSync(path, 'utf8')] as const)
  const stale = [...pages].filter(([path, text]) => new Map(written).get(path) !== text).map(([path]) => path)
  const foreign = written.map(([path]) => path).filter((path) => !pages.has(path))
  expect({ stale, foreign }, 'run npm run docs').toEqual({ stale: [], foreign: [] })
})

test('[R51] the reference names every environment variable of ours and every file of the data folder', () => {
  const variables = sources.flatMap((file) => readFileSync(file, 'utf8').match(/\bPARLEY_[A-Z_]+\b/g) ?? [])
  expect([...new Set(variables)].toSorted()).toEqual(
    variablesNamed()
      .filter((name) => name.startsWith('PARLEY_'))
      .toSorted(),
  )
  expect([...new Set(sources.flatMap(filesJoinedIn))].toSorted()).toEqual(Object.keys(FILES).toSorted())
})

/** The names that a file puts behind the path of the data folder. */
function filesJoinedIn(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const joined = [...text.matchAll(/join\((?:options\.)?data, (?:'([\w.-]+)'|FILE)/g)]
  return joined.map(([, name]) => name ?? /^const FILE = '(.+)'$/m.exec(text)?.[1] ?? '')
}
