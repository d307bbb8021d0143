import { figureOf } from './figure-of.ts'
import { besideUs, type Running } from './process.ts'

/** Flags of a process whose memory is looked at only after the collector ran. */
export const COLLECTING = ['--expose-gc', '--import', besideUs('collector.ts')]

export interface Kept {
  rssMb: number
  /** The heaps of all its threads. */
  heapMb: number
}

/** What a process that was started with these flags keeps, without what only waits to be thrown away. */
export async function keptBy(running: Running): Promise<Kept> {
  const heapMb = await figureOf(running, 'the collector', /^collected, (\S+) MB/m)
  return { rssMb: running.rssMb(), heapMb }
}
