import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { removePacked, stagePackage } from './stage.ts'

/** `npm run pack`: stages the package in `dist/package` and packs it beside, as `npm publish dist/package` would. */
process.chdir(fileURLToPath(new URL('..', import.meta.url)))
stagePackage('dist/package')
removePacked('dist')
const told = execFileSync('npm', ['pack', './dist/package', '--pack-destination', 'dist', '--json'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
})
const [packed] = JSON.parse(told)
console.log(
  `dist/${packed.filename}: ${megabytes(packed.size)}, ${megabytes(packed.unpackedSize)} in ${packed.entryCount} files`,
)

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(2)} MB`
}
