import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openAgent } from './agent.ts'
import { type Crowd, gatherCrowd } from './crowd.ts'
import { besideUs, type Running, serve, start } from './process.ts'
import { interleave, median, type Result, written } from './statistics.ts'
import { CONVERSATION, MARK } from './texts.ts'
import { openTimeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { viewers: 1000, seconds: 3, rounds: 5 },
  smallest: { viewers: 2, seconds: 0.1, rounds: 1 },
}
const CHUNKS_A_SECOND = 1000
/** An orchestrator gathers for this long what its agent says. */
const GATHERED_MS = 30
const GATHERED = Array.from({ length: (CHUNKS_A_SECOND * GATHERED_MS) / 1000 }, (_, n) => ` word${n % 10}`)
const HOLDER = { session_id: CONVERSATION, holder: 'bench' }

/**
 * What one agent says in many small pieces, shown to a crowd as it grows, beside a bare `ws` server that does only that.
 * The hub has the pieces from an orchestrator, which gathers them for a call; the bare server has to gather them itself.
 */
export async function growingText({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { viewers, seconds, rounds } = SIZES[size]
  const data = emptyData()
  const hub = serve(data, env())
  const bare = start([besideUs('growing-text-floor.ts')], env())
  await hub.url
  const driver = await openDriver(env({ PARLEY_DATA: data }))
  const speaker = await openTimeline(await bare.url)
  const crowds = {
    parley: await gatherCrowd(`${await hub.url}/ws?dialect=timeline`, viewers, { type: 'hello' }),
    floor: await gatherCrowd(await bare.url, viewers),
  }
  const sources = {
    floor: () => cpuOf(bare, crowds.floor, say),
    parley: () => cpuOf(hub, crowds.parley, driver.show, driver.next),
  }
  await interleave(1, sources)
  const before = kilobytesIn(data)
  const cpu = await interleave(rounds, sources)
  const after = kilobytesIn(data)
  for (const crowd of Object.values(crowds)) crowd.leave()
  await driver.close()
  speaker.close()
  await Promise.all([hub.stop(), bare.stop()])
  return [
    {
      measure: `CPU for each chunk of a growing text and each of ${written(viewers)} pages; bare coalescing broadcast`,
      unit: 'ns',
      baseline: median(cpu.floor),
      parley: median(cpu.parley),
      target: { atMostTimes: 1.3 },
    },
    {
      measure: `the log after ${written(CHUNKS_A_SECOND * seconds * rounds)} chunks; before them`,
      unit: 'KB',
      baseline: before,
      parley: after,
      target: { atMostTimes: 1 },
    },
  ]

  async function say(chunks: string[]) {
    for (const chunk of chunks) speaker.socket.send(chunk)
  }

  /** Nanoseconds of a server for each chunk and viewer, from the first word until the last viewer has the last one. */
  async function cpuOf(server: Running, crowd: Crowd, show: (chunks: string[]) => Promise<void>, next?: () => void) {
    const calls = Math.ceil((seconds * 1000) / GATHERED_MS)
    const cpuBefore = server.cpuMicros()
    let shown: Promise<void> | undefined
    await crowd.hearAll(() => {
      shown = speak(calls, show)
    })
    const micros = server.cpuMicros() - cpuBefore
    await shown
    next?.()
    return (micros * 1000) / ((calls * GATHERED_MS * CHUNKS_A_SECOND) / 1000) / viewers
  }
}

/** Speaks at the pace of the agent, however long each call takes. */
async function speak(calls: number, show: (chunks: string[]) => Promise<void>) {
  const began = performance.now()
  for (let call = 1; call <= calls; call++) {
    await show(call === calls ? [...GATHERED, MARK] : GATHERED)
    await pause(Math.max(0, began + call * GATHERED_MS - performance.now()))
  }
}

/** Connects over the socket of the folder, as `parley run` does. */
async function openDriver(env: NodeJS.ProcessEnv) {
  const { call, running } = await openAgent(env, { words: ['--surface', 'orchestrator'] })
  await call('hold_conversation', { ...HOLDER, seconds: 300 })
  let texts = 1
  let from = 0
  return { show, next, close: running.stop }

  async function show(chunks: string[]) {
    const text = chunks.join('')
    const gone = from === 0 ? [`answer-${texts - 1}`] : undefined
    const partials = [{ id: `answer-${texts}`, kind: 'message', from, text }]
    from += text.length
    await call('show_partial', { ...HOLDER, partials, gone })
  }

  function next() {
    texts++
    from = 0
  }
}

function kilobytesIn(data: string): number {
  const files = readdirSync(data).filter((name) => name.includes('.db'))
  return files.reduce((sum, name) => sum + statSync(join(data, name)).size, 0) / 1024
}
