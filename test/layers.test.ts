import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path/posix'
import ts from 'typescript'
import { expect, test } from 'vitest'

/** A folder of `src`, `src/hub.ts` or `web`, and what of ours it may import besides itself. */
const MAY_IMPORT: Record<string, string[]> = {
  protocol: ['package.json'],
  log: [],
  policy: ['protocol'],
  files: ['protocol'],
  chat: ['protocol', 'log', 'files'],
  ops: ['protocol'],
  export: ['protocol', 'chat', 'files'],
  gateway: ['protocol', 'policy', 'chat'],
  orchestrator: ['protocol'],
  mcp: ['protocol', 'chat', 'gateway', 'files'],
  ws: ['protocol', 'chat'],
  http: ['protocol', 'chat', 'files'],
  attach: ['protocol', 'chat'],
  hub: [
    'protocol',
    'log',
    'files',
    'policy',
    'chat',
    'gateway',
    'orchestrator',
    'mcp',
    'ws',
    'http',
    'attach',
    'ops',
    'export',
  ],
  // See docs/adr/0001-an-agent-process-answers-first.md
  'agent-process': ['protocol', 'mcp', 'hub', 'agent-seat'],
  'agent-seat': ['protocol', 'files', 'chat', 'mcp', 'attach', 'ops', 'hub'],
  cli: ['protocol', 'attach', 'hub', 'agent-process', 'export'],
  client: ['protocol'],
  web: ['protocol'],
}
const RUN_IN_BROWSERS = ['protocol', 'client', 'web']
const LONGEST_FILE = 300

const sources = globSync(['src/**/*.ts', 'web/**/*.{ts,svelte}']).filter((file) => !isTest(file))
const everything = globSync(['{src,web,test,bench,scripts,bin}/**/*.{ts,svelte,js,mjs,css}', '*.{ts,js}'])

test('[R1] imports flow one way', () => {
  expect(sources.flatMap(forbiddenImports)).toEqual([])
})

test(`[R2] no file is longer than ${LONGEST_FILE} lines`, () => {
  const lengths = everything.map((file) => ({ file, lines: readFileSync(file, 'utf8').trimEnd().split('\n').length }))
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
  const imports = files.flatMap((file) => importsOf(file).map((path) => `${file} imports ${path}`))
  expect(imports.filter((line) => line.includes(' imports node:'))).toEqual([])
})

function forbiddenImports(file: string): string[] {
  const layer = layerOf(file)
  const allowed = MAY_IMPORT[layer]
  if (!allowed) return [`${file} belongs to no layer`]
  const relative = importsOf(file).filter((path) => path.startsWith('.'))
  const forbidden = relative.filter((path) => ![layer, ...allowed].includes(layerOf(join(dirname(file), path))))
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
