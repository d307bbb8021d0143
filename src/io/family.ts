import { randomUUID } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { attempt } from './attempt.ts'
import { areGone, descendantsOf, killAll, type Marked, type Proc, processesMarked, processWith } from './descendants.ts'
import { MARK } from './mark.ts'
import { ignoring } from './system-error.ts'

/** The pid of no process; 0 would be the parent of everything. */
const NOBODY = -1

/**
 * Everything that one process starts, also in a session of its own or without a parent, except what has `spared` in its
 * command line: Parley itself.
 */
export function createFamily(spared?: string) {
  const mark = newMark()
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
 * Ends what was left behind by a process that was killed: it would go on with what another one does now. What has
 * `spared` in its command line stays: Parley itself.
 */
export function endOrphans(spared?: string): void {
  killAll(
    processesMarked(MARK)
      .filter((one) => isOrphan(one, spared))
      .map(({ proc }) => proc),
  )
}

/** Whether who started it is gone. */
export function isOrphan({ proc, value }: Marked, spared?: string): boolean {
  const [pid, began, itsNamespace] = value.split('.')
  if (itsNamespace !== namespace() || (spared && proc.command.includes(spared))) return false
  return processWith(Number(pid))?.began !== began
}

/** Numbers of processes mean something only within it: a container has its own. */
export function namespace(): string {
  return attempt(() => readlinkSync('/proc/self/ns/pid'), ignoring()) ?? ''
}

/** Says whose a process is: this one's, and of which start. */
function newMark(): string {
  return [process.pid, processWith(process.pid)?.began ?? '', namespace(), randomUUID()].join('.')
}
