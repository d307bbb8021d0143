import { readCard } from '../src/attach/hub-card.ts'
import { attachAgent } from './agent.ts'
import { openFaithfulPage } from './faithful-page.ts'
import { patiently } from './patience.ts'
import { PARLEY, type Running, start } from './process.ts'
import { median, type Result } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const PROCESSES = 3
const ROUNDS = 9
const SECOND_MS = 1000

/** How long a person sees "reconnecting" when the process that has the hub is killed, and others are attached to it. */
export async function takeover({ env, emptyData }: Workplace): Promise<Result[]> {
  const data = emptyData()
  const running = new Set<Running>()
  for (let n = 0; n < PROCESSES; n++) await attach()
  const [first] = running
  const page = openFaithfulPage((await first?.url) ?? '')
  await page.welcomed()
  const took: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const back = page.welcomed()
    const killed = performance.now()
    await killOwner()
    await patiently('the page to come back', back)
    took.push(performance.now() - killed)
    await attach()
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

  async function attach() {
    const process = start([PARLEY, 'stdio'], env({ PARLEY_DATA: data }))
    running.add(process)
    await attachAgent(process).initialize()
    await process.url
  }

  async function killOwner() {
    const pid = readCard(data)?.pid
    const owner = [...running].find(({ child }) => child.pid === pid)
    if (!owner) throw new Error(`None of the processes is the owner ${pid}`)
    running.delete(owner)
    owner.child.kill('SIGKILL')
    await owner.exited
  }
}
