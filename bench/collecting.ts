import { patiently } from './patience.ts'
import { besideUs, type Running } from './process.ts'

/** For a process whose memory is looked at only after the collector ran. */
export const COLLECTING = ['--expose-gc', '--import', besideUs('collector.ts')]

export interface Kept {
  rssMb: number
  /** Of all its threads. */
  heapMb: number
}

/** What a process that was started with these flags keeps, without what only waits to be thrown away. */
export async function keptBy({ child, rssMb }: Running): Promise<Kept> {
  const told = new Promise<number>((resolve) => {
    let said = ''
    child.stderr.on('data', hear)
    child.kill('SIGUSR2')

    function hear(text: Buffer) {
      said += text
      const heap = /^collected, (\S+) MB/m.exec(said)
      if (!heap) return
      child.stderr.off('data', hear)
      resolve(Number(heap[1]))
    }
  })
  const heapMb = await patiently('the collector', told)
  return { rssMb: rssMb(), heapMb }
}
