import { readFileSync } from 'node:fs'

/** What a process holds in memory, with all that it shares. */
export function rssMbOf(pid: number | undefined): number {
  return mbIn(`/proc/${pid}/status`, /^VmRSS:\s+(\d+)/m)
}

/** The same, where what several processes share counts for each of them only in part: these figures can be added up. */
export function pssMbOf(pid: number | undefined): number {
  return mbIn(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+)/m)
}

function mbIn(file: string, kilobytes: RegExp): number {
  return Number(kilobytes.exec(readFileSync(file, 'utf8'))?.[1]) / 1024
}
