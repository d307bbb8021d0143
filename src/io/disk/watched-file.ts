import { type FSWatcher, watch } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { attempt } from '../attempt.ts'
import { ifSystemError, ignoring } from '../system-error.ts'

interface WatchedFileParts {
  path: string
  changed(): void
  /** Changes can be missed from now on. */
  failed(error: Error): void
}

const REST_MS = 200

/** Tells of changes of a file, also when it is replaced, comes or goes: its folder is watched, and the one it is linked to. */
export function watchFile({ path, changed, failed }: WatchedFileParts) {
  const own = watcherOf(dirname(path), (name) => name === null || name === basename(path))
  let linked: { folder: string; watcher: { close(): void } } | undefined
  let closed = false
  return { follow, close }

  /** The link is followed before the file is read: it may lead elsewhere by now. */
  async function follow() {
    const [file, folder] = await Promise.all([existing(path), existing(dirname(path))])
    const target = file && dirname(file)
    if (closed || target === linked?.folder) return
    linked?.watcher.close()
    linked = target && target !== folder ? { folder: target, watcher: watcherOf(target, () => true) } : undefined
  }

  function close() {
    closed = true
    own.close()
    linked?.watcher.close()
  }

  /**
   * The watcher rests after a change of another file, and then looks: beside a log that is written all the time, each
   * look would cost.
   */
  function watcherOf(folder: string, isOurs: (name: string | null) => boolean) {
    let watcher: FSWatcher | undefined
    let resting: NodeJS.Timeout | undefined
    open()
    return {
      close() {
        clearTimeout(resting)
        watcher?.close()
      },
    }

    function open() {
      const listener = (_event: unknown, name: string | null) => (isOurs(name) ? changed() : rest())
      watcher = attempt(
        () => watch(folder, { persistent: false }, listener).on('error', failed),
        ifSystemError((error) => void failed(error)),
      )
    }

    function rest() {
      watcher?.close()
      resting = setTimeout(() => {
        open()
        changed()
      }, REST_MS).unref()
    }
  }
}

function existing(path: string): Promise<string | undefined> {
  return realpath(path).catch(ignoring())
}
