import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OutputChunk } from 'rolldown'
import { openBuilds } from './builds.ts'
import { moveLibraryTypes } from './library-types.ts'
import { noticesOf } from './notices.ts'

const INPUTS = ['src/**', 'web/**', 'package.json', 'package-lock.json', 'vite.config.ts', 'scripts/*.ts']

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const builds = openBuilds(resolve('dist'))
const name = hashInputs().slice(0, 16)
if (builds.isCurrent(name)) {
  console.log('build: nothing changed')
} else {
  if (!builds.has(name)) await buildAll(name)
  builds.publish(name, 'client')
  builds.switchTo(name)
  console.log(`build: ${name} is the current one`)
}

function hashInputs(): string {
  const hash = createHash('sha256')
  for (const path of globSync(INPUTS).sort()) {
    if (path.endsWith('.test.ts') || !statSync(path).isFile()) continue
    hash.update(`${path}\0`).update(readFileSync(path)).update('\0')
  }
  return hash.digest('hex')
}

async function buildAll(name: string): Promise<void> {
  const folder = builds.begin(name)
  const { bundleLine, bundleLibrary, bundleServer } = await import('./bundle.ts')
  await timed('line', async () => sizeOf(await bundleLine(folder)))
  await timed('server', async () => {
    const chunks = await bundleServer(folder, name)
    writeFileSync(join(folder, 'notices.txt'), noticesOf(chunks.flatMap(({ moduleIds }) => moduleIds)))
    return sizeOf(chunks)
  })
  await timed('library', async () => {
    await bundleLibrary(join(folder, 'client'))
    const declared = join(folder, 'declared')
    run('@typescript/native', 'bin/tsc', ['-p', 'src/client', '--outDir', declared])
    moveLibraryTypes(join(declared, 'client'), join(folder, 'client'))
    rmSync(declared, { recursive: true })
    return undefined
  })
  await timed('page', async () => {
    run('vite', 'bin/vite.js', ['build', '--outDir', join(folder, 'web'), '--emptyOutDir', '--logLevel', 'warn'])
    return undefined
  })
  builds.finish(name, folder)
}

function sizeOf(chunks: OutputChunk[]): string {
  const size = chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk.code), 0)
  return `, ${chunks.length} files of ${Math.round(size / 1024)} KB`
}

async function timed(what: string, work: () => Promise<string | undefined>): Promise<void> {
  const started = performance.now()
  const more = await work()
  console.log(`build: ${what}${more ?? ''} in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

function run(name: string, script: string, args: string[]): void {
  const path = fileURLToPath(import.meta.resolve(`${name}/package.json`).replace('package.json', script))
  const { status } = spawnSync(process.execPath, [path, ...args], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
