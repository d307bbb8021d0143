import { DiskTrouble } from '../../log/journal.ts'
import type { Log } from '../../log/views.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { systemName } from './system-name.ts'

/** The log, whose writers are told in words what is wrong with the disk, and so is whoever else has to know. */
export function explainingTrouble(log: Log, troubled: (error: ParleyError) => void): Log {
  const { get, put } = log.snapshots
  return {
    ...log,
    append: (...args) => log.append(...args).catch(explain),
    forget: (...args) => log.forget(...args).catch(explain),
    snapshots: { get, put: (...args) => put(...args).catch(explain) },
  }

  function explain(error: unknown): never {
    if (!(error instanceof DiskTrouble)) throw error
    const { kind, message: reason } = error
    const trouble = new ParleyError(`disk_${kind}`, { reason }, error)
    troubled(trouble)
    throw trouble
  }
}

const PROBE = { format: 1, at: '0', state: 'x'.repeat(16 * 1024) }

/** Resolves when something small is durable. */
export function probe({ snapshots }: Pick<Log, 'snapshots'>): Promise<void> {
  return snapshots.put(systemName('probe'), PROBE)
}
