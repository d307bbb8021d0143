import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { PACKAGE, VERSION } from '../protocol/version.ts'

const INSTALL = ['install', '--global', `${PACKAGE}@${VERSION}`]
/** There npm is a script of the shell. */
const shell = process.platform === 'win32'

/**
 * Offers to install this Parley for good, and has the installed one do what was asked for here. The status to exit with;
 * nothing where nobody can answer.
 */
export async function leaveNpx(reason: string): Promise<number | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  console.error(reason)
  if (!(await isWanted())) return 1
  const failed = await statusOf('npm', INSTALL, shell)
  if (failed !== 0) return failed
  const modules = execFileSync('npm', ['root', '--global'], { encoding: 'utf8', shell }).trim()
  return statusOf(process.execPath, [join(modules, PACKAGE, 'bin/parley.js'), ...process.argv.slice(2)])
}

async function isWanted(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`Run npm ${INSTALL.join(' ')}, and go on with that one? [Y/n] `)
  terminal.close()
  return /^(y(es)?)?$/i.test(answer.trim())
}

async function statusOf(command: string, words: string[], shell = false): Promise<number> {
  const [code] = await once(spawn(command, words, { stdio: 'inherit', shell }), 'close')
  return code ?? 1
}
