import { DiskTrouble } from '../../log/journal.ts'
import { changeNote } from '../../log/notes.ts'
import type { Log } from '../../log/views.ts'
import { ParleyError } from '../../protocol/errors.ts'

/** The log, whose writers are told in words what is wrong with the disk, and so is whoever else has to know. */
export function explainingTrouble(log: Log, troubled: (error: ParleyError) => void): Log {
  const { snapshots, notes } = log
  return {
    ...log,
    append: (...args) => log.append(...args).catch(explain),
    forget: (...args) => log.forget(...args).catch(explain),
    snapshots: { ...snapshots, put: (...args) => snapshots.put(...args).catch(explain) },
    notes: {
      ...notes,
      put: (...args) => notes.put(...args).catch(explain),
      forget: (...args) => notes.forget(...args).catch(explain),
    },
  }

  function explain(error: unknown): never {
    if (!(error instanceof DiskTrouble)) throw error
    const { kind, message: reason } = error
    const trouble = new ParleyError(`disk_${kind}`, { reason }, error)
    troubled(trouble)
    throw trouble
  }
}

const PROBE = 'x'.repeat(16 * 1024)

/** Resolves when something small is durable. */
export async function probe({ notes }: Pick<Log, 'notes'>): Promise<void> {
  await changeNote(notes, 'probe', () => PROBE)
}
