import { type FSWatcher, watch } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

interface WatchedFileParts {
  path: string
  changed(): void
  /** Changes can be missed from now on. */
  failed(error: Error): void
}

/** Tells of changes of a file, also when it is replaced, comes or goes: its folder is watched, and the one it is linked to. */
export function watchFile({ path, changed, failed }: WatchedFileParts) {
  const own = watcherOf(dirname(path), (name) => name === null || name === basename(path))
  let linked: { folder: string; watcher?: FSWatcher } | undefined
  let closed = false
  return { follow, close }

  /** Before the file is read: it may be a link to elsewhere by now. */
  async function follow() {
    const [file, folder] = await Promise.all([existing(path), existing(dirname(path))])
    const target = file && dirname(file)
    if (closed || target === linked?.folder) return
    linked?.watcher?.close()
    linked = target && target !== folder ? { folder: target, watcher: watcherOf(target, () => true) } : undefined
  }

  function close() {
    closed = true
    own?.close()
    linked?.watcher?.close()
  }

  function watcherOf(folder: string, isOurs: (name: string | null) => boolean): FSWatcher | undefined {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => isOurs(name) && changed())
      return watcher.on('error', failed)
    } catch (error) {
      failed(error as NodeJS.ErrnoException)
      return undefined
    }
  }
}

async function existing(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}
