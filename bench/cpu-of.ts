import { readdirSync, readFileSync } from 'node:fs'

/** What all threads of a process have used up so far, as exact as the kernel knows it. */
export function cpuMicrosOf(pid: number | undefined): number {
  const micros = readdirSync(`/proc/${pid}/task`).map((thread) => microsOfThread(pid, thread))
  return micros.reduce((sum, more) => sum + more, 0)
}

/** The same of the thread that runs its event loop. */
export function ownThreadMicrosOf(pid: number | undefined): number {
  return microsOfThread(pid, pid)
}

function microsOfThread(pid: number | undefined, thread: string | number | undefined): number {
  return Number.parseInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'), 10) / 1000
}
