import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../hub.ts'

/** Only root may mount, and only Linux has what is mounted here. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0

/** A data folder on a real disk of its own, which is soon full. */
export async function smallDisk(megabytes = 8) {
  const data = await temporaryFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', data])
  onTestFinished(() => void execFileSync('umount', ['--lazy', data]))
  const ballast = join(data, 'ballast')
  return { data, fill, empty: () => rmSync(ballast) }

  /** Fills the disk to the last byte. */
  function fill() {
    const piece = Buffer.alloc(statfsSync(data).bsize)
    for (;;)
      try {
        appendFileSync(ballast, piece)
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return
        throw error
      }
  }
}
