import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openRunFolder } from '../run-folder.ts'
import { openFitting } from './fitting.ts'
import { journalOf, readEvents } from './journal.ts'
import { PARTS, partOf, testsOf } from './parts.ts'
import { type Mutant, mutantsIn } from './planting.ts'
import { sample } from './sample.ts'
import { judge, namedSurvivors } from './survivors.ts'
import { tryMutants } from './tries.ts'

const COPIED = [
  'src',
  'web',
  'test',
  'scripts',
  'bench',
  'bin',
  'docs',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
]
const BUNDLE = `const { bundleLine, bundleServer } = await import('./scripts/bundle.ts')
await bundleLine('dist/builds/mutants')
await bundleServer('dist/builds/mutants', 'mutants')`

const { values: options, positionals: places } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean' },
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
})
process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
const { folder, close, endOnSignals } = openRunFolder()
endOnSignals()
const copy = join(folder, 'copy')
const mutants = plant()
build()
const parts = Object.keys(PARTS).filter((part) => mutants.some(({ file }) => partOf(file) === part))
await tryMutants(copy, folder, testsOf(parts))
const { said, well } = judge(mutants, readEvents(journalOf(folder)), namedSurvivors())
console.log(said.join('\n'))
if (!well) process.exitCode = 1
await close()

/** The chosen mutants, all of them in one copy of the sources. */
function plant(): Mutant[] {
  for (const name of COPIED) cpSync(name, join(copy, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  const sources = Object.values(PARTS)
    .flatMap((part) => globSync(`${part.sources}/**/*.ts`))
    .filter(
      (file) => !file.endsWith('.test.ts') && (places.length === 0 || places.some((place) => file.startsWith(place))),
    )
    .sort()
    .map((file) => mutantsIn(file, readFileSync(file, 'utf8')))
  const all = sources.flatMap(({ mutants }) => mutants)
  const chosen = sample(
    all,
    options.all ? Number.POSITIVE_INFINITY : Number(options.count),
    options.seed,
    openFitting(),
  ).map((mutant, n) => ({
    ...mutant,
    id: n + 1,
  }))
  console.log(`${chosen.length} of ${all.length} mutants`)
  for (const { file, planted } of sources) {
    const active = relative(join(file, '..'), 'scripts/mutants/active.ts')
    const here = chosen.filter((mutant) => mutant.file === file)
    if (here.length > 0) writeFileSync(join(copy, file), planted(here, `import { mutant } from '${active}'`))
  }
  return chosen
}

/** What tests start as processes. */
function build(): void {
  const folder = join(copy, 'dist/builds/mutants')
  mkdirSync(folder, { recursive: true })
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', BUNDLE], {
    cwd: copy,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('What is mutated cannot be built')
  const current = readFileSync('dist/current', 'utf8').trim()
  cpSync(join('dist/builds', current, 'web'), join(folder, 'web'), { recursive: true })
  writeFileSync(join(copy, 'dist/current'), 'mutants')
}
