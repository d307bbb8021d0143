import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import type { NamesIn, ReadBody } from '../../../src/log/journal.ts'
import type { Log } from '../../../src/log/views.ts'

/** Opens the log that lives at a place: a directory of its own, or whatever else can be named by its path. */
export type OpenLog = (place: string, readBody?: ReadBody, appendsReadable?: boolean) => Log | Promise<Log>
export type LogTest = ReturnType<typeof testsOf>

/** In these tests. */
export const namesIn: NamesIn = (body) => (body as { names?: string[] } | null)?.names ?? []

/** `PARLEY_SOAK=20` tries twenty times as many random cases. */
export const SOAK = Number(process.env.PARLEY_SOAK ?? 1)

export const placeTest = test.extend<{ place: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the wanted fixtures from the pattern
  place: async ({}, use) => {
    const place = makePlace()
    await use(place)
    removePlace(place)
  },
})

export function testsOf(open: OpenLog) {
  return placeTest.extend<{ log: Log; reopen: () => Promise<Log> }>({
    log: async ({ place }, use) => {
      const log = await open(place)
      await use(log)
      await log.close()
    },
    reopen: async ({ log, place }, use) => {
      let current = log
      await use(async () => {
        await current.close()
        current = await open(place)
        return current
      })
      await current.close()
    },
  })
}

export function makePlace() {
  return mkdtempSync(join(tmpdir(), 'parley-log-'))
}

export function removePlace(place: string) {
  rmSync(place, { recursive: true, force: true })
}
