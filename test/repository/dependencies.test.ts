import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Locked {
  version: string
  license: string
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> }
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> }
const text = readFileSync('CONTRIBUTING.md', 'utf8').replace(/\s+/g, ' ')
const PLACE = 'node_modules/'

test('[S83] what runs of others is listed with its version and its licence, and nothing that does not', () => {
  const direct = [...new Set([...Object.keys(dependencies), ...inPage()])]
  const rows = direct.map((name) => `| \`${name}\` | ${locked(name).version} | ${locked(name).license} |`)
  const listed = [...text.matchAll(/\| `[^`]+` \| [^|]+ \| [^|]+ \|/g)].map(([row]) => row)
  expect(listed.sort()).toEqual(rows.sort())
})

test('[S83] so is what it brings along', () => {
  const brought = Object.entries(packages)
    .filter(([path, { dev, devOptional, optional }]) => path.startsWith(PLACE) && !dev && !devOptional && !optional)
    .map(([path]) => path.slice(PLACE.length))
    .filter((name) => !(name in dependencies))
    .map((name) => `\`${name}\` ${locked(name).version} (${locked(name).license.replace(/[()]/g, '')})`)
  const [, sentence = ''] = /They bring along: (.*?\))\. /.exec(text) ?? []
  expect(sentence.split(', ').sort()).toEqual(brought.sort())
})

test('[S83] versions are exact, so that what was looked at is what runs', () => {
  expect(Object.entries(dependencies).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
})

/** Types are gone when it is built. */
function inPage(): string[] {
  const files = globSync('web/src/**/*.{ts,svelte}').filter((file) => !file.endsWith('.test.ts'))
  const imported = /^(?:import|export) (?!type )[^;]*?from '([^.'][^']*)'|import\('([^.'][^']*)'\)/gm
  return files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(imported)].map(([, first, later]) => packageOf(first ?? later ?? '')),
  )
}

function packageOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/')
}

function locked(name: string): Locked {
  const found = packages[PLACE + name]
  if (!found) throw new Error(`${name} is not in package-lock.json`)
  return found
}
