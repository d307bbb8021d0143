import { writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type OutputChunk } from 'rolldown'
import { asciiOnly } from './ascii-only.ts'
import { leanSdk } from './lean-sdk.ts'
import { lightBuiltins } from './light-builtins.ts'
import { starter } from './starter.ts'

const SDK_SHIMS = fileURLToPath(new URL('../src/doors/mcp/sdk-shims.ts', import.meta.url))
/** Its other form loads its parts by a `require` that no bundler sees. */
const JSONC_PARSER = fileURLToPath(new URL('../node_modules/jsonc-parser/lib/esm/main.js', import.meta.url))
/** `ws` tries these and does without. */
const OPTIONAL = ['bufferutil', 'utf-8-validate']

const FOR_NODE = {
  platform: 'node',
  resolve: { alias: { '@modelcontextprotocol/server/_shims': SDK_SHIMS, 'jsonc-parser': JSONC_PARSER } },
  plugins: [leanSdk(), lightBuiltins(), asciiOnly()],
  treeshake: { propertyReadSideEffects: false },
  logLevel: 'warn',
} satisfies BuildOptions

/**
 * `parley stdio`: one file for any Node from 20 on, with nothing in it that is not ours. CommonJS, because with modules
 * the first byte comes 2 ms later, and 8 ms later in Node 20.
 */
export async function bundleLine(folder: string): Promise<OutputChunk[]> {
  const chunks = await bundle({
    input: { line: 'src/line/main.ts' },
    platform: 'node',
    plugins: [asciiOnly()],
    treeshake: FOR_NODE.treeshake,
    logLevel: 'warn',
    transform: { target: 'node20' },
    output: { dir: folder, format: 'cjs', entryFileNames: '[name].cjs', minify: true, codeSplitting: false },
  })
  const foreign = chunks.flatMap(({ moduleIds }) => moduleIds.filter((id) => id.includes('node_modules')))
  if (foreign.length > 0) throw new Error(`The line may load nothing but our own files: ${foreign.join(', ')}`)
  return chunks
}

/** The commands and the hub, which share most of their files. */
export async function bundleServer(folder: string, name: string): Promise<OutputChunk[]> {
  const chunks = await bundle({
    ...FOR_NODE,
    input: {
      'cli-main': 'src/cli/main.ts',
      'background-main': 'src/hub/background.ts',
      'export-thread': 'src/export/thread.ts',
      'schema-thread': 'src/governance/gateway/upstream/schema-thread.ts',
      'demo-agent': 'src/cli/demo/demo-agent.ts',
      'launched-main': 'src/cli/run/launched.ts',
    },
    output: {
      dir: folder,
      format: 'esm',
      // One flat folder, because the log looks for its worker, and the worker for what it loads, beside themselves.
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      minify: true,
      codeSplitting: { groups: await groups() },
    },
  })
  for (const entry of ['cli', 'background', 'launched'])
    writeFileSync(join(folder, `${entry}.js`), starter(name, `${entry}-main.js`))
  return [...chunks, ...(await bundleLogThread(folder))]
}

/** What the thread of the log loads, by itself: of the files that it would share with the hub it needs next to nothing. */
async function bundleLogThread(folder: string): Promise<OutputChunk[]> {
  return bundle({
    ...FOR_NODE,
    input: { 'sqlite-worker': 'src/log/sqlite/sqlite-worker.ts', 'search-text': 'src/chat/reading/search-text.ts' },
    output: { dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'log-[name].js', minify: true },
  })
}

/** What other programs import, for browsers and Node alike. */
export async function bundleLibrary(folder: string): Promise<void> {
  await bundle({
    input: ['src/client/subscriptions.ts', 'src/client/catch-up.ts'],
    platform: 'browser',
    logLevel: 'warn',
    // An entry of one build never finds a part of another.
    output: { dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'part-[hash].js' },
  })
}

/** Commands that do without a hub of their own. */
const SMALL = [
  'connect/connect',
  'hub/token',
  'hub/status',
  'hub/open',
  'governance/mount',
  'governance/policy',
  'governance/audit',
]

/**
 * Left alone, what the entries share becomes many small files, each its own price at the start. So there is one file for
 * each step of a hub's start, and one for what the commands need too: what it needs to listen, to show the page, the
 * SDK, to answer agents, and the rest. A file takes along whatever its modules need, so that what commands share with a step is in a
 * file of its own: they would have to load the whole step.
 */
async function groups() {
  const steps = ['hub/background', 'doors/http/early-page', 'doors/mcp/surface', 'hub/front', 'hub/hub']
  const [commands, listens, page, sdk, answers, hub] = await Promise.all(['cli/main', ...steps].map(loadedFirst))
  const small = new Set((await Promise.all(SMALL.map((name) => loadedFirst(`cli/${name}`)))).flatMap((ids) => [...ids]))
  const files: [name: string, test: (id: string) => boolean | undefined][] = [
    ['shared', (id) => listens?.has(id) && commands?.has(id)],
    ['commands', (id) => commands?.has(id)],
    ['listens', (id) => listens?.has(id)],
    ['records', (id) => answers?.has(id) && small.has(id)],
    ['folder', (id) => hub?.has(id) && small.has(id)],
    ['page', (id) => page?.has(id)],
    ['sdk', (id) => sdk?.has(id) || id === resolve('src/doors/mcp/surface.ts')],
    ['answers', (id) => answers?.has(id)],
    ['hub', (id) => hub?.has(id)],
  ]
  return [
    // The runtime makes a `require` as soon as it is loaded, so that what it needs for it must not be behind the hub.
    { name: 'runtime', test: /rolldown:runtime|rolldown\/runtime|light:module$/, priority: files.length + 1 },
    ...files.map(([name, test], n) => ({ name, test, priority: files.length - n })),
  ]
}

/** Every other module that this one needs before it runs. */
async function loadedFirst(name: string): Promise<Set<string>> {
  const input = `src/${name}.ts`
  const chunks = await bundle({ ...FOR_NODE, input, write: false, output: { format: 'esm' } })
  const reached = new Set(chunks.filter((chunk) => chunk.isEntry))
  for (const chunk of reached)
    for (const name of chunk.imports) {
      const next = chunks.find(({ fileName }) => fileName === name)
      if (next) reached.add(next)
    }
  const modules = [...reached].flatMap(({ moduleIds }) => moduleIds)
  // The module that is started is left out: in a file with others, it would run whenever they are loaded.
  return new Set(modules.filter((id) => id !== resolve(input)))
}

async function bundle(options: BuildOptions): Promise<OutputChunk[]> {
  const { output } = await build(options)
  const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk')
  refuseUnbundled(chunks)
  return chunks
}

/** What is not bundled would be missing where Parley is installed without its node_modules. */
function refuseUnbundled(chunks: OutputChunk[]): void {
  const present = new Set([...chunks.map((chunk) => chunk.fileName), ...builtinModules, ...OPTIONAL])
  const imported = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports])
  const missing = imported.filter((name) => !name.startsWith('node:') && !present.has(name))
  if (missing.length > 0) throw new Error(`Not bundled: ${[...new Set(missing)].join(', ')}`)
}
