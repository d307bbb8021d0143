import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { OutputChunk } from 'rolldown'
import { asciiOnly } from './ascii-only.ts'
import { lightBuiltins } from './light-builtins.ts'

const STAMP = 'dist/.built'
const INPUTS = ['src/**', 'web/**', 'package.json', 'package-lock.json', 'vite.config.ts', 'scripts/*.ts']
const SDK_SHIMS = fileURLToPath(new URL('../src/mcp/sdk-shims.ts', import.meta.url))
/** `ws` tries these and does without. */
const OPTIONAL = ['bufferutil', 'utf-8-validate']

/** What `parley stdio` loads before its first answer, and the hub after it too. */
const FIRST = new RegExp(
  [
    'light:(os|path|util|fs|module|timers.promises)$',
    'zod',
    '@modelcontextprotocol.core',
    'server.dist.(mcp|src|chunk|dialects)',
    'src.protocol.(errors|text|parse|attachment|entry|principal|version|surface-name|limits|log-level|nearest).ts',
    'src.mcp.(surface|bridge-surface|enclosures|heartbeat|meanwhile|patience).ts',
    'src.cli.(signals|usage).ts',
  ].join('|'),
)

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const inputs = hashInputs()
if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === inputs) {
  console.log('build: nothing changed')
} else {
  await buildServer()
  await buildLibrary()
  buildPage()
  writeFileSync(STAMP, inputs)
}

function hashInputs(): string {
  const hash = createHash('sha256')
  for (const path of globSync(INPUTS).sort()) {
    if (path.endsWith('.test.ts') || !statSync(path).isFile()) continue
    hash.update(`${path}\0`).update(readFileSync(path)).update('\0')
  }
  return hash.digest('hex')
}

async function buildServer(): Promise<void> {
  const started = performance.now()
  const { build } = await import('rolldown')
  const { output } = await build({
    input: {
      cli: 'src/cli/main.ts',
      'sqlite-worker': 'src/log/sqlite-worker.ts',
      'search-text': 'src/chat/search-text.ts',
    },
    platform: 'node',
    resolve: { alias: { '@modelcontextprotocol/server/_shims': SDK_SHIMS } },
    plugins: [lightBuiltins(), asciiOnly()],
    treeshake: { propertyReadSideEffects: false },
    logLevel: 'warn',
    output: {
      dir: 'dist',
      cleanDir: true,
      format: 'esm',
      // One flat folder, because the log looks for its worker, and the worker for what it loads, beside themselves. No hashes in the names:
      // every build would leave its own entries in the compile cache.
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      minify: true,
      // Left alone, what the first answer shares with the hub becomes many small files, each its own price at the start.
      codeSplitting: { groups: [{ name: 'first', test: FIRST }] },
    },
  })
  const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk')
  refuseUnbundled(chunks)
  const size = chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk.code), 0)
  console.log(`build: server, ${chunks.length} files of ${Math.round(size / 1024)} KB in ${since(started)}`)
}

/** What is not bundled would be missing where Parley is installed without its node_modules. */
function refuseUnbundled(chunks: OutputChunk[]): void {
  const present = new Set([...chunks.map((chunk) => chunk.fileName), ...builtinModules, ...OPTIONAL])
  const imported = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports])
  const missing = imported.filter((name) => !name.startsWith('node:') && !present.has(name))
  if (missing.length > 0) throw new Error(`Not bundled: ${[...new Set(missing)].join(', ')}`)
}

/** What other programs import, for browsers and Node alike. In a folder of its own: chunks of the server have any name. */
async function buildLibrary(): Promise<void> {
  const started = performance.now()
  const { build } = await import('rolldown')
  await build({
    input: ['src/client/subscriptions.ts', 'src/client/catch-up.ts'],
    platform: 'browser',
    logLevel: 'warn',
    output: { dir: 'dist/client', format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
  })
  run('@typescript/native', 'bin/tsc', ['-p', 'src/client'])
  console.log(`build: library in ${since(started)}`)
}

function buildPage(): void {
  if (!existsSync('vite.config.ts')) {
    console.log('build: no page, because there is no vite.config.ts')
    return
  }
  const started = performance.now()
  run('vite', 'bin/vite.js', ['build', '--logLevel', 'warn'])
  console.log(`build: page in ${since(started)}`)
}

function run(name: string, script: string, args: string[]): void {
  const path = fileURLToPath(import.meta.resolve(`${name}/package.json`).replace('package.json', script))
  const { status } = spawnSync(process.execPath, [path, ...args], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

function since(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`
}
