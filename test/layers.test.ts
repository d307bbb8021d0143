import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path/posix'
import ts from 'typescript'
import { expect, test } from 'vitest'

/** A folder or file of `src`, or `web`, and what of ours it may import besides itself. */
const MAY_IMPORT: Record<string, string[]> = {
  protocol: ['package.json'],
  log: [],
  files: ['protocol'],
  chat: ['protocol', 'log', 'files'],
  ops: ['protocol'],
  audit: ['protocol', 'log', 'chat', 'files'],
  export: ['protocol', 'log', 'chat', 'files', 'audit'],
  // Knows neither chat nor policy.
  gateway: ['protocol', 'files'],
  mcp: ['protocol', 'chat', 'files', 'gateway'],
  ws: ['protocol', 'chat'],
  http: ['protocol', 'chat', 'files'],
  socket: ['protocol'],
  policy: ['protocol', 'files'],
  govern: ['protocol', 'policy', 'chat', 'files'],
  'hub-config': ['protocol', 'log', 'mcp', 'http', 'ops'],
  hub: [
    'protocol',
    'log',
    'files',
    'chat',
    'mcp',
    'ws',
    'http',
    'ops',
    'export',
    'gateway',
    'policy',
    'govern',
    'audit',
    'hub-config',
  ],
  // See docs/adr/0001-the-hub-answers-first.md
  claim: ['protocol', 'log', 'files', 'chat', 'http', 'socket'],
  front: ['protocol', 'mcp', 'http', 'socket', 'claim'],
  'hub-process': ['protocol', 'http', 'claim', 'front', 'hub'],
  background: ['protocol', 'socket', 'ops', 'claim', 'hub-process'],
  line: ['protocol', 'socket'],
  cli: [
    'protocol',
    'socket',
    'line',
    'orchestrator',
    'http',
    'ops',
    'claim',
    'hub-process',
    'export',
    'audit',
    'policy',
    'gateway',
  ],
  client: ['protocol'],
  // The hub only over MCP.
  orchestrator: ['protocol', 'client'],
  web: ['protocol'],
}
const RUN_IN_BROWSERS = ['protocol', 'client', 'web']
const LONGEST_FILE = 300
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
  const files = sources.filter((file) => RUN_IN_BROWSERS.includes(layerOf(file)))
  const named = files.flatMap((file) => importsOf(file).map((path) => `${file} imports ${path}`))
  expect(named.filter((line) => line.includes(' imports node:'))).toEqual([])
})

test('[R9] no circle of imports leads from a file back to itself, not even for types', () => {
  const circles = sources.map(circleThrough).filter((circle) => circle !== undefined)
  expect([...new Set(circles)]).toEqual([])
})

test('[R10] the tables of layers, here and in ARCHITECTURE.md, list what exists and no more', () => {
  const existing = ['web', ...readdirSync('src').map((name) => `src/${name}`)].toSorted()
  const rows = readFileSync('ARCHITECTURE.md', 'utf8').match(/^\| `.*?\|/gm) ?? []
  const listed = rows.flatMap((row) => Array.from(row.matchAll(/`(.*?)`/g), ([, name = '']) => name))
  expect(listed.toSorted()).toEqual(existing)
  expect(Object.keys(MAY_IMPORT).toSorted()).toEqual(existing.map(layerOf).toSorted())
})

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

function forbiddenImports(file: string): string[] {
  const layer = layerOf(file)
  const allowed = MAY_IMPORT[layer]
  if (!allowed) return [`${file} belongs to no layer`]
  const forbidden = ownImportsOf(file).filter((path) => ![layer, ...allowed].includes(layerOf(path)))
  return forbidden.map(
    (path) => `${file} imports ${path}, and ${layer} may import only ${allowed.join(', ') || 'itself'}`,
  )
}

function layerOf(file: string): string {
  if (isTest(file)) return 'tests'
  const [top, name = ''] = file.split('/')
  if (top === 'src') return name.replace(/\.ts$/, '')
  return top ?? file
}

function isTest(file: string): boolean {
  return /(\.test|\.spec|-contract)\.ts$/.test(file)
}

/** Those that are files of ours. */
function ownImportsOf(file: string): string[] {
  return importsOf(file)
    .filter((path) => path.startsWith('.'))
    .map((path) => join(dirname(file), path))
}

/** Every module a file names: imported, re-exported, imported later, or only for its types. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const scripts = file.endsWith('.svelte') ? svelteScripts(text) : text
  return ts.preProcessFile(scripts, true, true).importedFiles.map((imported) => imported.fileName)
}

function svelteScripts(text: string): string {
  const scripts = [...text.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map((match) => match[1])
  const inMarkup = [...text.matchAll(/\bimport\(\s*['"][^'"]+['"]\s*\)/g)].map((match) => match[0])
  return [...scripts, ...inMarkup].join('\n')
}
