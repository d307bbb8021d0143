import * as z from 'zod/mini'
import { createQueue } from '../io/queue.ts'
import { ParleyError } from '../protocol/errors.ts'
import { Changes } from '../protocol/frames/asked/changes.ts'
import type { Folders } from './folders.ts'
import type { LaunchedRunnerNote } from './lifecycle.ts'
import { lookAtFolder } from './runner-process.ts'

/** The changes in the folder of a runner since a conversation began there; none where nothing was kept to compare with. */
export type LookAsleep = (runner: string, conversation: string, path?: string) => Promise<{ changes?: Changes }>

interface SleepingParts {
  data: string
  folders: Pick<Folders, 'mustBeAllowed'>
  runners(): readonly LaunchedRunnerNote[]
}

const Answer = z.nullable(Changes)

/** Looks at the folders of runners that have no process, and starts none of them for that. */
export function createSleepingFolders({ data, folders, runners }: SleepingParts) {
  const looking = createQueue()
  /** The same question twice at a time is asked once. */
  const asked = new Map<string, Promise<{ changes?: Changes }>>()
  const look: LookAsleep = (...wanted) => {
    const key = JSON.stringify(wanted)
    const known = asked.get(key)
    if (known) return known
    const fresh = looking.add(() => lookNow(...wanted)).finally(() => asked.delete(key))
    asked.set(key, fresh)
    return fresh
  }
  return { look }

  async function lookNow(...[name, conversation, path]: Parameters<LookAsleep>) {
    const { folder = '' } = runners().find((one) => one.name === name) ?? {}
    // It may be a link by now.
    if ((await folders.mustBeAllowed(folder)) !== folder) throw new ParleyError('folder_gone', { folder })
    const wanted = { runner: name, folder, conversation, ...(path !== undefined && { path }) }
    return { changes: Answer.parse(await lookAtFolder(wanted, data)) ?? undefined }
  }
}
