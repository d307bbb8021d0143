import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { patiently } from './patience.ts'
import { besideUs, endWithUs } from './process.ts'
import { MARK } from './texts.ts'

export type Crowd = Awaited<ReturnType<typeof gatherCrowd>>

const MEMBER = besideUs('crowd-member.ts')
const PROCESSES = 2

/** Many sockets in a few processes, so that the event loop of none of them is what is measured. */
export async function gatherCrowd(url: string, sockets: number, hello?: object, headers: Record<string, string> = {}) {
  const members = Array.from({ length: PROCESSES }, openMember)
  for (const member of members) endWithUs(member)
  await patiently('the crowd', Promise.all(members.map((member) => once(member, 'message'))))
  let bytes = 0
  return { hearAll, frameBytes: () => bytes, leave }

  /** How long it takes until the last socket has heard what is told. */
  async function hearAll(tell: () => void): Promise<number> {
    const heard = Promise.all(members.map((member) => once(member, 'message')))
    const started = performance.now()
    tell()
    const [[length]] = (await patiently('the last receipt', heard)) as [[number]]
    bytes = length
    return performance.now() - started
  }

  function openMember(): ChildProcess {
    const share = String(sockets / PROCESSES)
    return fork(MEMBER, [url, share, MARK, JSON.stringify(headers), ...(hello ? [JSON.stringify(hello)] : [])])
  }

  function leave() {
    for (const member of members) member.disconnect()
  }
}
