import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDERS = ['src', 'web/src', 'test', 'scripts', 'bench', 'bin']
const TYPES = /^export (?:interface|type) (\w+)/gm
const EXPORTED = /^export (?:async )?(?:const|let|function\*?|class) (\w+)/gm
/** The library has its users elsewhere, and so has what the build puts in the place of a module of the SDK. */
const FOR_OTHERS = /^src\/(?:client\/(?:subscriptions|catch-up)|doors\/mcp\/sdk-shims)\.ts$/

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
)
  .filter((file) => /\.(?:ts|mjs|js|svelte)$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))

const namedIn = new Map<string, Set<string>>()
for (const { file, text } of files)
  for (const word of text.match(/\w+/g) ?? []) namedIn.set(word, (namedIn.get(word) ?? new Set()).add(file))

test('[R18] no value is exported that no other file names', () => {
  expect(unnamed(EXPORTED)).toEqual([])
})

test('[R26] no type is exported that no other file names', () => {
  expect(unnamed(TYPES)).toEqual([])
})

function unnamed(pattern: RegExp): string[] {
  const exported = files
    .filter(({ file }) => /^(?:src|web)\//.test(file) && !FOR_OTHERS.test(file))
    .flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([, name = '']) => ({ file, name })))
  expect(exported.length).toBeGreaterThan(500)
  return exported.filter(({ name }) => (namedIn.get(name)?.size ?? 0) < 2).map(({ file, name }) => `${file} ${name}`)
}
