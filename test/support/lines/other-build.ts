import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { USERS } from '../../../scripts/builds.ts'
import { endProcessesOf } from '../../../scripts/processes.ts'
import { VERSION } from '../../../src/protocol/version.ts'
import { temporaryFolder } from '../hub.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const LINE = 'line.cjs'

/** The current build as one of another version, and what a line of it is started with. */
export async function otherBuild(version: string, changes: [from: string, to: string][] = []): Promise<string> {
  const folder = await temporaryFolder()
  // Their hubs have the folder of somebody else, and may outlive this one.
  onTestFinished(() => endProcessesOf(folder))
  const build = join(folder, 'dist/builds/other')
  const current = join(ROOT, 'dist/builds', readFileSync(join(ROOT, 'dist/current'), 'utf8').trim())
  // Who uses the current build comes and goes while it is copied.
  cpSync(current, build, { recursive: true, filter: (file) => basename(file) !== USERS })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const files = readdirSync(build).filter((name) => /\.c?js$/.test(name))
  const changed = files.filter((name) => change(join(build, name), `\`${VERSION}\``, `\`${version}\``))
  // The version is in the line, and somewhere in the hub.
  if (!changed.includes(LINE) || changed.length < 2) throw new Error(`The version is not where it was: ${changed}`)
  for (const [from, to] of changes)
    if (!change(join(build, LINE), from, to)) throw new Error(`There is no ${from} in ${LINE}`)
  return join(build, LINE)
}

function change(file: string, from: string, to: string): boolean {
  const text = readFileSync(file, 'utf8')
  if (!text.includes(from)) return false
  writeFileSync(
    file,
    text.replaceAll(from, () => to),
  )
  return true
}
