import { readdirSync, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { attempt } from '../../io/attempt.ts'
import { ignoring, isSystemError } from '../../io/system-error.ts'
import { targetOf } from './file-text.ts'
import { ifUnclear } from './formats/text-format.ts'
import { alone, isLockLeft } from './taking-turns.ts'

const ENDING = 'parley-new'
/** What the half of a file ends with while it is written: of each process its own, as two may be at it at once. */
export const HALF = `.${process.pid}.${ENDING}`

/** Removes what a process that was killed has left beside a file. */
export async function sweep(path: string): Promise<void> {
  const target = attempt(() => targetOf(path), ifUnclear)
  if (target === undefined) return
  if (isLockLeft(target)) await alone(target, async () => {}).catch(ifUnclear)
  const folder = dirname(target)
  for (const name of attempt(() => readdirSync(folder), ignoring()) ?? [])
    if (isLeft(name, basename(target))) attempt(() => unlinkSync(join(folder, name)), ignoring())
}

/** Halves of the file, of its copy and of the note. */
function isLeft(name: string, file: string): boolean {
  if (!name.startsWith(`${file}.`)) return false
  const [ending, pid = '', ...rest] = name
    .slice(file.length + 1)
    .split('.')
    .reverse()
  return ending === ENDING && /^\d+$/.test(pid) && rest.length <= 1 && !isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  return attempt(
    () => process.kill(pid, 0),
    (error) => !isSystemError(error, 'ESRCH'),
  )
}
