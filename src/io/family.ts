import { hash, randomUUID } from 'node:crypto'
import { readlinkSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { attempt } from './attempt.ts'
import { areGone, descendantsOf, killAll, type Marked, type Proc, processesMarked, processWith } from './descendants.ts'
import { MARK } from './mark.ts'
import { ignoring } from './system-error.ts'

/** The pid of no process; 0 would be the parent of everything. */
const NOBODY = -1

interface FamilyOptions {
  /** The data folder that it works for; the orphans of another one are nobody else's business. */
  data: string | undefined
  /** What has this in its command line does not belong to it: Parley itself. */
  spared?: string
}

/** Everything that one process starts, also in a session of its own or without a parent. */
export function createFamily({ data, spared }: FamilyOptions) {
  const mark = newMark(data)
  let pid = NOBODY
  /** Those that were seen before their parents ended, which may have parted them from the family. */
  let known: Proc[] = []
  return { environment: { [MARK]: mark }, headedBy, look, kill, areGone: () => areGone(known), watchStarted }

  /** The process that was started with the environment. */
  function headedBy(head: number | null | undefined) {
    pid = head ?? NOBODY
  }

  /** The family is found everywhere while its head is there, later only where its mark is seen. */
  function look() {
    const before = new Set(known.map((proc) => proc.pid))
    known = [...known, ...members().filter((proc) => !before.has(proc.pid))]
  }

  /** Kills all but the head. */
  function kill() {
    look()
    killAll(known)
  }

  /** Returns a function that ends everything that was started since. */
  function watchStarted() {
    const before = new Set(members().map((proc) => proc.pid))
    return () => killAll(members().filter((proc) => !before.has(proc.pid)))
  }

  function members(): Proc[] {
    return descendantsOf({ pid, mark: `${MARK}=${mark}`, spared })
  }
}

/**
 * Ends what was left behind by a process that was killed and worked for the same data folder: it would go on with what
 * another one does now.
 */
export function endOrphans(options: FamilyOptions): void {
  killAll(
    processesMarked(MARK)
      .filter((one) => isOrphan(one, options))
      .map(({ proc }) => proc),
  )
}

/** Whether who started it is gone. */
export function isOrphan({ proc, value }: Marked, { data, spared }: FamilyOptions): boolean {
  const [pid, began, itsNamespace, folder] = value.split('.')
  if (itsNamespace !== namespace() || folder !== digestOf(data) || (spared && proc.command.includes(spared)))
    return false
  return processWith(Number(pid))?.began !== began
}

/** Numbers of processes mean something only within it: a container has its own. */
export function namespace(): string {
  return attempt(() => readlinkSync('/proc/self/ns/pid'), ignoring()) ?? ''
}

/** Says whose a process is: this one's, and of which start. */
function newMark(data: string | undefined): string {
  return [process.pid, processWith(process.pid)?.began ?? '', namespace(), digestOf(data), randomUUID()].join('.')
}

/** The same for every path to the folder. */
export function digestOf(data: string | undefined): string {
  if (data === undefined) return ''
  const path = attempt(() => realpathSync(data), ignoring()) ?? resolve(data)
  return hash('sha256', path).slice(0, 16)
}
