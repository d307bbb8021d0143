import { speakAs, startLine } from './agent.ts'
import { hubOf } from './hub-of.ts'
import { pssMbOf } from './memory-of.ts'
import { besideUs, type Running, start } from './process.ts'
import { interleave, median, type Result } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const SIZES = { full: { agents: 16, rounds: 5 }, smallest: { agents: 2, rounds: 1 } }
const SETTLE_SECONDS = 3
const LIMIT_MB = 290
const BARE_LINE = besideUs('bare-line.cjs')
const ECHO = `require('node:net').createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1', function () {
  console.error('http://localhost:' + this.address().port)
})`

/** What agents take of the memory of the machine, with all that they share counted once. */
export async function attachedLines({ size, env, emptyData, settle }: Workplace): Promise<Result[]> {
  const { agents: count, rounds } = SIZES[size]
  const together: number[] = []
  const each = await interleave(rounds, { bare: bareLines, lines })
  return [
    {
      measure: 'Pss of an attached line; a bare pipe to a socket',
      unit: 'MB',
      baseline: median(each.bare),
      parley: median(each.lines),
      target: { atMostTimes: 1.15 },
    },
    {
      measure: `Pss of ${count} agents and their hub; limit`,
      unit: 'MB',
      baseline: LIMIT_MB,
      parley: median(together),
      target: { atMostTimes: 1 },
    },
  ]

  async function lines(): Promise<number[]> {
    const data = emptyData()
    const attached = await startEach(() => startLine(env({ PARLEY_DATA: data })))
    const hub = hubOf(data)
    await settle(SETTLE_SECONDS)
    const mb = attached.map(pssMb)
    together.push(mb.reduce((sum, more) => sum + more, pssMbOf(hub.pid)))
    await Promise.all(attached.map((line) => line.stop()))
    await hub.gone()
    return mb
  }

  async function bareLines(): Promise<number[]> {
    const echo = start(['-e', ECHO], env())
    const { port } = new URL(await echo.url)
    const attached = await startEach(() => start([BARE_LINE, port], env()))
    await settle(SETTLE_SECONDS)
    const mb = attached.map(pssMb)
    await Promise.all([echo, ...attached].map((each) => each.stop()))
    return mb
  }

  /** One after the other, as people start agents, and each used as a client does before anybody says a word. */
  async function startEach(one: () => Running): Promise<Running[]> {
    const started: Running[] = []
    while (started.length < count) {
      const running = one()
      const agent = speakAs(running)
      await agent.initialize()
      await agent.listTools()
      started.push(running)
    }
    return started
  }
}

function pssMb({ child }: Running): number {
  return pssMbOf(child.pid)
}
