import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { giveOrder } from '../../doors/socket/order.ts'
import { attempt } from '../../io/attempt.ts'
import { makeFolder } from '../../io/disk/made-folder.ts'
import { replaceFile } from '../../io/replaced-file.ts'
import { ifSystemError, isSystemError } from '../../io/system-error.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { unwritable } from '../../protocol/refusal.ts'
import { noMemory } from '../config.ts'
import { naming, readConfigFile, targetOf } from '../connect/file-text.ts'
import { lastingNode, lastingProgram } from '../lasting-program.ts'
import type { Typed } from '../program.ts'
import { launchd } from './launchd.ts'
import { type Command, MARK, type Service, type Supervisor } from './supervisor.ts'
import { systemd } from './systemd.ts'

export async function installService(line: Typed) {
  const supervisor = supervisorHere()
  const { file } = supervisor
  const text = supervisor.text(serviceFor(line))
  const before = fileOf(supervisor)
  const runs = before !== undefined && (await isRunning(supervisor))
  if (before === text && runs) return console.log(`The service runs already, as ${file} says`)
  if (before !== text) write(file, text)
  // The hub that an agent started would keep it from starting.
  await giveOrder(line.config.data, 'stop')
  await all(supervisor.start).catch((error) => {
    // Otherwise it would count as installed, and be started by the next login.
    if (before === undefined) rmSync(file, { force: true })
    else write(file, before)
    throw error
  })
  const said = before === undefined ? 'was written' : before === text ? 'is as it was' : 'was written anew'
  console.log(`${file} ${said}, and the hub of ${line.config.data} runs by it from now on`)
  if (process.platform === 'linux')
    console.log('Run loginctl enable-linger to have it run while you are logged out, too')
}

export async function removeService() {
  const supervisor = supervisorHere()
  const { file } = supervisor
  if (fileOf(supervisor) === undefined) return console.log('No service is installed')
  await all(supervisor.end)
  attempt(() => rmSync(file), ifSystemError(unwritable(file), 'EACCES', 'EPERM', 'EROFS'))
  await all(supervisor.forget)
  console.log(`${file} is removed, and the service ended; all that was said stays`)
}

export async function showService() {
  const supervisor = supervisorHere()
  const isInstalled = fileOf(supervisor) !== undefined
  const runs = isInstalled && (await isRunning(supervisor))
  if (!runs) process.exitCode = 1
  if (!isInstalled) return console.log('No service is installed; parley service install installs one')
  console.log(runs ? `The service runs, as ${supervisor.file} says` : `The service does not run; see ${supervisor.log}`)
}

function supervisorHere(): Supervisor {
  const home = homedir()
  if (process.platform === 'darwin') return launchd(home, process.getuid?.() ?? 0)
  const { XDG_CONFIG_HOME: config = '' } = process.env
  // By its specification it does not count where it is relative.
  if (process.platform === 'linux') return systemd(isAbsolute(config) ? config : join(home, '.config'))
  throw new ParleyError('no_services')
}

function serviceFor({ config: { data, given } }: Typed): Service {
  noMemory(data)
  const program = lastingProgram()
  const more = (['host', 'port'] as const).flatMap((name) =>
    given[name] === undefined ? [] : [`--${name}`, given[name]],
  )
  return { words: [lastingNode(), program, 'serve', '--data', data, ...more], path: process.env.PATH ?? '' }
}

/** What it says now; nothing where there is none. */
function fileOf({ file }: Supervisor): string | undefined {
  const text = naming(file, () => readConfigFile(file))
  if (text === undefined) return undefined
  if (!text.includes(MARK)) throw new ParleyError('foreign_service', { file })
  return text
}

function write(file: string, text: string) {
  const refuse = ifSystemError(unwritable(file))
  attempt(() => makeFolder(dirname(file), 0o755), refuse)
  // One that is kept elsewhere, with a link to it, is written there.
  attempt(() => replaceFile(targetOf(file), text, { mode: 0o644 }), refuse)
}

async function isRunning({ isRunning }: Supervisor): Promise<boolean> {
  return (await failureOf(isRunning)) === undefined
}

async function all(commands: Command[]) {
  for (const { words, mayFail } of commands) {
    const reason = await failureOf(words)
    if (reason !== undefined && !mayFail) throw new ParleyError('service_failed', { command: words.join(' '), reason })
  }
}

/** Why it failed, in the first words that it said of it. */
async function failureOf([program = '', ...words]: string[]): Promise<string | undefined> {
  try {
    await promisify(execFile)(program, words)
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) throw new ParleyError('no_services', {}, error)
    const { stderr, code } = error as { stderr?: string; code?: number }
    if (stderr === undefined) throw error
    return stderr.trim().split('\n', 1)[0] || `status ${code}`
  }
}
