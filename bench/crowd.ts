import { type ChildProcess, fork } from 'node:child_process'
import { patiently } from './patience.ts'
import { besideUs, endWithUs } from './process.ts'
import { MARK } from './texts.ts'

export type Crowd = Awaited<ReturnType<typeof gatherCrowd>>

/** What a process of the crowd tells: how far it is, that it is done, with the bytes that were heard, or what it lost. */
export type MemberNews = { grown: number } | { done: number } | { lost: string }

const MEMBER = besideUs('crowd-member.ts')
const PROCESSES = 2

/** Many sockets in a few processes, so that the event loop of none of them is what is measured. */
export async function gatherCrowd(url: string, sockets: number, hello?: object, headers: Record<string, string> = {}) {
  const members = Array.from({ length: PROCESSES }, openMember)
  for (const member of members) endWithUs(member)
  await allDone('the crowd').catch((error) => {
    leave()
    throw error
  })
  let bytes = 0
  return { hearAll, frameBytes: () => bytes, leave }

  /** How long it takes until the last socket has heard what is told. */
  async function hearAll(tell: () => void): Promise<number> {
    const heard = allDone('the last receipt')
    const started = performance.now()
    tell()
    bytes = await heard
    return performance.now() - started
  }

  /** Resolves when every process is done with what it does now. */
  async function allDone(waitedFor: string): Promise<number> {
    const grown = new Map<ChildProcess, number>()
    const done = Promise.all(members.map((member) => doneOf(member, (far) => grown.set(member, far))))
    const [length = 0] = await patiently(waitedFor, done, () => [...grown.values()].reduce((sum, far) => sum + far, 0))
    return length
  }

  function openMember(): ChildProcess {
    const share = String(sockets / PROCESSES)
    return fork(MEMBER, [url, share, MARK, JSON.stringify(headers), ...(hello ? [JSON.stringify(hello)] : [])])
  }

  function leave() {
    for (const member of members) if (member.connected) member.disconnect()
  }
}

function doneOf(member: ChildProcess, grow: (far: number) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    member.on('message', hear)
    member.on('exit', ended)

    function hear(news: MemberNews) {
      if ('grown' in news) return grow(news.grown)
      quit()
      if ('done' in news) resolve(news.done)
      else reject(new Error(`A socket of the crowd was lost: ${news.lost}`))
    }

    function ended(code: number | null) {
      quit()
      reject(new Error(`A process of the crowd ended with ${code}`))
    }

    function quit() {
      member.off('message', hear)
      member.off('exit', ended)
    }
  })
}
