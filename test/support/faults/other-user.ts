import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { onTestFinished } from 'vitest'
import { environment, executable } from '../agent.ts'
import { temporaryFolder } from '../hub.ts'

/** Only root can be somebody else. */
export const canBeOthers = process.platform === 'linux' && process.getuid?.() === 0

export const OWNER = 1234
export const STRANGER = 65_534

/** A program of this user: what it prints, and a way to tell it something. */
export function runAs(uid: number, args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, args, { uid, gid: uid, cwd: tmpdir(), env: { ...environment(), ...env } })
  child.stdin.on('error', () => {})
  let told = ''
  child.stdout.on('data', (chunk) => {
    told += chunk
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = once(child, 'close').then(() => ({ told, stderr }))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { ended, said, go: () => child.stdin.write('go\n'), kill: () => child.kill('SIGKILL') }

  /** Resolves once it has printed this, on either. */
  async function said(words: RegExp): Promise<string> {
    for (;;) {
      const found = words.exec(told + stderr)
      if (found) return found[0]
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')])
    }
  }
}

/** The folder of a run of tests is its own user's alone. */
export async function letOthersPass() {
  await chmod(tmpdir(), (await stat(tmpdir())).mode | 0o011)
}

/** A hub of a user that is neither root nor the stranger. */
export async function hubOfOwner() {
  const data = await temporaryFolder()
  await chown(data, OWNER, OWNER)
  await letOthersPass()
  const hub = runAs(OWNER, [executable, 'serve', '--port', '0', '--data', data])
  const url = await hub.said(/^http:\/\/localhost:\d+$/m)
  const parley = async (...args: string[]) => {
    const { told } = await runAs(OWNER, [executable, ...args, '--data', data]).ended
    return told.trim()
  }
  return { data, url, parley }
}
