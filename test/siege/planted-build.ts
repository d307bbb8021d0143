import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support/hub.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = ['src', 'scripts', 'bin', 'package.json', 'tsconfig.json']
const BUNDLE = `const { bundleLine, bundleServer } = await import('./scripts/bundle.ts')
await bundleLine('dist/builds/planted')
await bundleServer('dist/builds/planted', 'planted')`

/** One small change of a source file. */
export interface Edit {
  file: string
  from: string
  to: string
}

/** A Parley like this one but for the edits, built in a folder of its own: what starts it. */
export async function plantedBuild(edits: Edit[]): Promise<string> {
  const folder = await temporaryFolder()
  for (const source of SOURCES) cpSync(join(ROOT, source), join(folder, source), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const { file, from, to } of edits) {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    if (text.split(from).length !== 2)
      throw new Error(`"${from}" is not there once in ${file}: the fault must be planted anew`)
    writeFileSync(
      path,
      text.replace(from, () => to),
    )
  }
  const build = join(folder, 'dist/builds/planted')
  mkdirSync(build, { recursive: true })
  const args = ['--input-type=module', '--eval', BUNDLE]
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`What is planted cannot be built: ${stderr}`)
  const current = readFileSync(join(ROOT, 'dist/current'), 'utf8').trim()
  cpSync(join(ROOT, 'dist/builds', current, 'web'), join(build, 'web'), { recursive: true })
  writeFileSync(join(folder, 'dist/current'), 'planted')
  return join(folder, 'bin/parley.js')
}
