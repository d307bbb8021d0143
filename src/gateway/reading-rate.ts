import type { MountLog } from './mount-log.ts'

export interface MostASecond {
  bytes: number
  /** Members of lists and objects: each costs far more than its bytes. */
  values: number
}

const COMMA = 0x2c
const SECOND_MS = 1000

export type ReadingRate = ReturnType<typeof createReadingRate>

/** How much of what a server sends is read in each second. The rest waits, so that others are not held up by it. */
export function createReadingRate(most: MostASecond, log: Pick<MountLog, 'tell'>) {
  let [since, bytes, values] = [0, 0, 0]
  let isTold = false
  return { pauseAfter }

  /** For how many milliseconds nothing more is read after this. */
  function pauseAfter(chunk: Uint8Array): number {
    const now = performance.now()
    if (now - since >= SECOND_MS) [since, bytes, values] = [now, 0, 0]
    bytes += chunk.length
    values += commasIn(chunk)
    if (bytes <= most.bytes && values <= most.values) return 0
    if (!isTold) log.tell('it sends more than is read in a second; the rest waits')
    isTold = true
    return since + SECOND_MS - now
  }
}

function commasIn(chunk: Uint8Array): number {
  let commas = 0
  for (const byte of chunk) if (byte === COMMA) commas++
  return commas
}
