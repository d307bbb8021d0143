import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../io/attempt.ts'
import { ifSystemError } from '../io/system-error.ts'
import type { Output } from './logbook.ts'

const FILE = 'hub.log'
const OLDER = 'hub.log.1'
const LONGEST_BYTES = 1024 * 1024
const LINE_END = 0x0a

/**
 * The log of a hub that nobody watches: a file in its data folder, and one older one. It is written at once, as Node
 * writes stderr to a file: nothing waits in memory, and the last words before a crash are there.
 */
export function openLogFile(data: string): Output & { close(): void } {
  let file: number | undefined
  let failed = false
  /** Whether half a line stands at the end, where the disk was full. */
  let torn = false
  return {
    writableLength: 0,
    get failed() {
      return failed
    },
    write,
    close,
  }

  function write(text: string) {
    failed = attempt(
      () => {
        file = openAgain(file, join(data, FILE))
        makeRoom(file, data)
        append(file, torn ? `\n${text}` : text)
        return false
      },
      ifSystemError(() => true),
    )
  }

  function append(file: number, text: string) {
    const bytes = Buffer.from(text)
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(file, bytes, written)
      torn = bytes[written - 1] !== LINE_END
    }
  }

  function close() {
    if (file !== undefined) closeSync(file)
    file = undefined
  }
}

/** Opens the file again where somebody has removed it, or the folder and made it again. */
function openAgain(file: number | undefined, path: string): number {
  if (file !== undefined && fstatSync(file).nlink > 0) return file
  const opened = openSync(path, 'a', 0o600)
  if (file !== undefined) closeSync(file)
  return opened
}

/**
 * The file is copied and emptied, not renamed: the process has its stderr in the same file, and what Node itself says
 * there must not go where nobody looks.
 */
function makeRoom(file: number, data: string) {
  if (fstatSync(file).size <= LONGEST_BYTES) return
  const refused = attempt(
    () => copyFileSync(join(data, FILE), join(data, OLDER)),
    ifSystemError(({ code }) => code),
  )
  // A full disk may have room again, and then it is worth to have waited; what never works must not let the file grow.
  if (refused !== 'ENOSPC') ftruncateSync(file)
}
