import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import about from '../package.json' with { type: 'json' }
import { USERS } from './builds.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** What a build holds that no other machine needs; the library is in `dist/client`, where programs look for it. */
const LEFT_OUT = ['cache', USERS, 'client', 'built']

/** The package as it is published: the command, one build, the library for other programs, and nothing to install. */
export function stagePackage(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'dist/builds'), { recursive: true })
  const current = readFileSync(join(ROOT, 'dist/current'), 'utf8')
  const build = join('dist/builds', current)
  for (const part of ['bin', 'dist/current', 'dist/client', 'LICENSE', 'README.md'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  cpSync(join(ROOT, build), join(folder, build), {
    recursive: true,
    filter: (path) => !LEFT_OUT.some((name) => path === join(ROOT, build, name)),
  })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published(), undefined, 2)}\n`)
}

/** The image is made of all that was packed: an older package would be installed in the place of the newest. */
export function removePacked(folder: string): void {
  for (const file of globSync(`${about.name}-*.tgz`, { cwd: folder })) rmSync(join(folder, file))
}

/** Everything that runs is in the build: whoever installs it gets this one package. */
function published() {
  const { name, version, description, license, type, engines, bin, exports } = about
  return { name, version, description, license, type, engines, bin, exports }
}
