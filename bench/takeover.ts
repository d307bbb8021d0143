import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startAgent } from './agent.ts'
import { openFaithfulPage } from './faithful-page.ts'
import { patiently } from './patience.ts'
import { PARLEY, type Running } from './process.ts'
import { median, type Result } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const SIZES = { full: { processes: 3, rounds: 9 }, smallest: { processes: 2, rounds: 1 } }
const SECOND_MS = 1000

/** How long a person sees "reconnecting" when the process that has the hub is killed, and others have joined it. */
export async function takeover({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { processes, rounds } = SIZES[size]
  const data = emptyData()
  const running = new Set<Running>()
  const url = await another()
  for (let n = 1; n < processes; n++) await another()
  const page = openFaithfulPage(url)
  await patiently('the page to be there', page.welcomed())
  const took: number[] = []
  for (let round = 0; round < rounds; round++) {
    const back = page.welcomed()
    const killed = performance.now()
    await killOwner()
    await patiently('the page to come back', back)
    took.push(performance.now() - killed)
    await another()
  }
  page.close()
  await Promise.all([...running].map((process) => process.stop()))
  return [
    {
      measure: 'hub killed to page back on the next one, p50; a second',
      unit: 'ms',
      baseline: SECOND_MS,
      parley: median(took),
      target: { atMostTimes: 1 },
    },
  ]

  async function another() {
    const agent = await startAgent([PARLEY, 'stdio'], env({ PARLEY_DATA: data }))
    running.add(agent.running)
    return agent.url
  }

  async function killOwner() {
    const { pid } = JSON.parse(readFileSync(join(data, 'hub.json'), 'utf8'))
    const owner = [...running].find(({ child }) => child.pid === pid)
    if (!owner) throw new Error(`None of the processes is the owner ${pid}`)
    running.delete(owner)
    owner.child.kill('SIGKILL')
    await owner.exited
  }
}
