import { execFile } from 'node:child_process'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from './hub.ts'

const OPENER = process.platform === 'darwin' ? 'open' : 'xdg-open'

/** Stands in for the program that opens pages, and tells what it was started with. */
export async function openerCalled() {
  const folder = await temporaryFolder()
  const told = join(folder, 'told')
  await promisify(execFile)('mkfifo', [told])
  await writeFile(join(folder, OPENER), `#!/bin/sh\necho "$@" > '${told}'\n`)
  await chmod(join(folder, OPENER), 0o700)
  return { path: `${folder}:${process.env.PATH}`, started: () => readFile(told, 'utf8') }
}
