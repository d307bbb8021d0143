import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path/posix'
import ts from 'typescript'
import { expect, test } from 'vitest'

/** A folder or file of `src`, or `web`, and what of ours it may import besides itself. */
const MAY_IMPORT: Record<string, string[]> = {
  protocol: ['package.json'],
  io: [],
  log: ['io'],
  files: ['protocol', 'io'],
  chat: ['protocol', 'io', 'log', 'files'],
  ops: ['protocol', 'io'],
  launcher: ['protocol', 'io'],
  'governance/policy': ['protocol', 'io'],
  // Knows neither chat nor policy.
  'governance/gateway': ['protocol', 'io'],
  'governance/calls': ['protocol', 'io', 'governance/policy', 'chat', 'files'],
  'governance/audit': ['protocol', 'io', 'log', 'chat', 'files'],
  'doors/mcp': ['protocol', 'io', 'chat', 'files', 'governance/gateway'],
  'doors/ws': ['protocol', 'io', 'chat'],
  'doors/http': ['protocol', 'io', 'chat', 'files'],
  'doors/socket': ['protocol', 'io'],
  export: ['protocol', 'log', 'chat', 'files', 'governance/audit'],
  'hub/hub-config': ['protocol', 'log', 'doors/mcp', 'doors/http', 'ops'],
  'hub/hub': [
    'protocol',
    'files',
    'chat',
    'doors/mcp',
    'doors/ws',
    'doors/http',
    'ops',
    'export',
    'governance/gateway',
    'governance/policy',
    'governance/calls',
    'governance/audit',
    'hub/hub-config',
    'hub/launching',
  ],
  'hub/launching': ['protocol', 'io', 'chat', 'launcher', 'hub/hub-config'],
  // See docs/adr/0001-the-hub-answers-first.md
  'hub/startup-lock': ['protocol', 'log', 'files', 'chat', 'doors/http', 'doors/mcp', 'doors/socket'],
  'hub/front': ['protocol', 'io', 'doors/mcp', 'doors/http', 'doors/socket', 'hub/startup-lock'],
  'hub/hub-process': ['protocol', 'io', 'doors/http', 'doors/mcp', 'hub/startup-lock', 'hub/front', 'hub/hub'],
  'hub/background': ['protocol', 'io', 'doors/socket', 'ops', 'hub/startup-lock', 'hub/hub-process'],
  line: ['protocol', 'io', 'doors/socket'],
  cli: [
    'protocol',
    'io',
    'doors/socket',
    'line',
    'agents',
    'doors/http',
    'ops',
    'hub/startup-lock',
    'hub/hub-process',
    'export',
    'governance/audit',
    'governance/policy',
    'governance/gateway',
    'files',
    'launcher',
  ],
  client: ['protocol', 'io'],
  // The hub only over MCP.
  agents: ['protocol', 'io', 'client', 'launcher'],
  web: ['protocol'],
}
/** Neighbours that may be imported for their types alone, where the wall would force a copy. */
const MAY_IMPORT_TYPES: Record<string, string[]> = { 'doors/mcp': ['doors/http', 'ops'] }
/** Folders of `src` whose parts are layers of their own. */
const OF_SEVERAL = ['governance', 'doors', 'hub']
const RUN_IN_BROWSERS = ['protocol', 'client', 'web']
const LONGEST_FILE = 300
const MOST_FILES = 25
const LONGEST_README = 15
/** A table is one idea, however long. */
const TABLES = ['src/protocol/errors.ts']

const sources = globSync(['src/**/*.ts', 'web/**/*.{ts,svelte}']).filter((file) => !isTest(file))
const imports = new Map(sources.map((file) => [file, ownImportsOf(file)]))
const everything = globSync(['{src,web,test,bench,scripts,bin}/**/*.{ts,svelte,js,mjs,css}', '*.{ts,js}'])

test('[R1] imports flow one way', () => {
  expect(sources.flatMap(forbiddenImports)).toEqual([])
})

test(`[R2] no file but the table of errors is longer than ${LONGEST_FILE} lines`, () => {
  const files = everything.filter((file) => !TABLES.includes(file))
  const lengths = files.map((file) => ({ file, lines: readFileSync(file, 'utf8').trimEnd().split('\n').length }))
  expect(lengths.filter(({ lines }) => lines > LONGEST_FILE)).toEqual([])
})

test('[R3] no index.ts gathers what other files export', () => {
  expect(everything.filter((file) => /^index\.[jt]s$/.test(basename(file)))).toEqual([])
})

test('[R4] no file or folder is named after nothing: utils, helpers, managers', () => {
  expect(everything.filter((file) => /(^|[-./])(utils?|helpers?|managers?)[./]/i.test(file))).toEqual([])
})

test('[R5] what runs in browsers imports nothing of Node', () => {
  const files = reachedFrom(sources.filter((file) => RUN_IN_BROWSERS.includes(layerOf(file))))
  const named = files.flatMap((file) => importsOf(file).map((path) => `${file} imports ${path}`))
  expect(named.filter((line) => line.includes(' imports node:'))).toEqual([])
})

test('[R9] no circle of imports leads from a file back to itself, not even for types', () => {
  const circles = sources.map(circleThrough).filter((circle) => circle !== undefined)
  expect([...new Set(circles)]).toEqual([])
})

test('[R10] the tables of layers, here and in ARCHITECTURE.md, list what exists and no more', () => {
  const folders = readdirSync('src').map((name) => `src/${name}`)
  const existing = ['web', ...folders.flatMap(layersIn)].toSorted()
  const rows = readFileSync('ARCHITECTURE.md', 'utf8').match(/^\| `.*?\|/gm) ?? []
  const listed = rows.flatMap((row) => Array.from(row.matchAll(/`(.*?)`/g), ([, name = '']) => name))
  expect(listed.toSorted()).toEqual(existing)
  expect(Object.keys(MAY_IMPORT).toSorted()).toEqual(existing.map(layerOf).toSorted())
})

test(`[R16] no folder of src, web/src and test has more than ${MOST_FILES} files of its own`, () => {
  const counts = ['src', 'web/src', 'test'].flatMap(foldersOf).map((folder) => ({ folder, files: filesIn(folder) }))
  expect(counts.length).toBeGreaterThan(0)
  expect(counts.filter(({ files }) => files > MOST_FILES)).toEqual([])
})

test(`[R16] each folder under src begins with a README.md of at most ${LONGEST_README} lines`, () => {
  const lengths = foldersOf('src')
    .filter((folder) => folder !== 'src')
    .map((folder) => ({ folder, lines: readmeLines(folder) }))
  expect(lengths.length).toBeGreaterThan(0)
  expect(lengths.filter(({ lines }) => lines === 0 || lines > LONGEST_README)).toEqual([])
})

/** The folder itself and all below it. */
function foldersOf(folder: string): string[] {
  const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return [folder, ...below.flatMap(({ name }) => foldersOf(join(folder, name)))]
}

function filesIn(folder: string): number {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  return files.filter(({ name }) => name !== 'README.md').length
}

/** None where there is no README. */
function readmeLines(folder: string): number {
  const file = join(folder, 'README.md')
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').length : 0
}

function layersIn(folder: string): string[] {
  if (!OF_SEVERAL.includes(basename(folder))) return [folder]
  const names = readdirSync(folder).filter((name) => name !== 'README.md')
  return names.map((name) => join(folder, name))
}

/** The shortest way from a file back to itself, told from its first file in the alphabet on. */
function circleThrough(start: string): string | undefined {
  const ways = [[start]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const next of imports.get(way.at(-1) ?? start) ?? []) {
      if (next === start) return fromFirst(way)
      if (!seen.has(next)) ways.push([...way, next])
      seen.add(next)
    }
  }
  return undefined
}

function fromFirst(circle: string[]): string {
  const [first = ''] = circle.toSorted()
  const place = circle.indexOf(first)
  return [...circle.slice(place), ...circle.slice(0, place), first].join(' → ')
}

/** The files, and all of ours that they import, also by others. */
function reachedFrom(files: string[]): string[] {
  const reached = new Set(files)
  for (const file of reached) for (const other of imports.get(file) ?? []) if (imports.has(other)) reached.add(other)
  return [...reached]
}

function forbiddenImports(file: string): string[] {
  const layer = layerOf(file)
  const allowed = MAY_IMPORT[layer]
  if (!allowed) return [`${file} belongs to no layer`]
  const loaded = new Set(ownImportsOf(file, withoutTypes))
  const forTypes = (path: string) => !loaded.has(path) && MAY_IMPORT_TYPES[layer]?.includes(layerOf(path))
  const forbidden = ownImportsOf(file).filter((path) => ![layer, ...allowed].includes(layerOf(path)) && !forTypes(path))
  return forbidden.map(
    (path) => `${file} imports ${path}, and ${layer} may import only ${allowed.join(', ') || 'itself'}`,
  )
}

function layerOf(file: string): string {
  if (isTest(file)) return 'tests'
  const path = file.replace(/^src\//, '').replace(/\.ts$/, '')
  return Object.keys(MAY_IMPORT).find((layer) => path === layer || path.startsWith(`${layer}/`)) ?? file
}

function isTest(file: string): boolean {
  return /\.(test|spec)\.ts$/.test(file)
}

/** Those that are files of ours. */
function ownImportsOf(file: string, partOf?: (text: string) => string): string[] {
  return importsOf(file, partOf)
    .filter((path) => path.startsWith('.'))
    .map((path) => join(dirname(file), path))
}

/** Every module a file names: imported, re-exported, imported later, or only for its types. */
function importsOf(file: string, partOf = (text: string) => text): string[] {
  const text = partOf(readFileSync(file, 'utf8'))
  const scripts = file.endsWith('.svelte') ? svelteScripts(text) : text
  return ts.preProcessFile(scripts, true, true).importedFiles.map((imported) => imported.fileName)
}

function withoutTypes(text: string): string {
  return text.replace(/^import type [^'"]*from '[^']*'$/gm, '')
}

function svelteScripts(text: string): string {
  const scripts = [...text.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map((match) => match[1])
  const inMarkup = [...text.matchAll(/\bimport\(\s*['"][^'"]+['"]\s*\)/g)].map((match) => match[0])
  return [...scripts, ...inMarkup].join('\n')
}
