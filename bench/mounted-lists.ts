import { openHttpSession } from './http-session.ts'
import { mountedProcess, mounting } from './mounting.ts'
import { httpOf, serve } from './process.ts'
import { interleave, median, type Result } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { few: 10, many: 200, lists: 20, warmUp: 5, rounds: 40 },
  smallest: { few: 1, many: 2, lists: 1, warmUp: 0, rounds: 1 },
}

/** `tools/list` of the gateway with many mounted tools, beside that with few. */
export async function mountedLists({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { few, many, lists, warmUp, rounds } = SIZES[size]
  const hubs = { few: await gatewayWith(few), many: await gatewayWith(many) }
  const sources = { few: hubs.few.took, many: hubs.many.took }
  await interleave(warmUp, sources)
  const times = await interleave(rounds, sources)
  for (const hub of Object.values(hubs)) await hub.close()
  return [
    {
      measure: `tools/list with ${many} mounted tools p50; with ${few}`,
      unit: 'ms',
      baseline: median(times.few),
      parley: median(times.many),
      target: { atMostTimes: 2 },
    },
  ]

  async function gatewayWith(tools: number) {
    const hub = serve(mounting(emptyData(), mountedProcess(tools)), env())
    const session = await openHttpSession(`${httpOf(await hub.url)}/mcp/gateway`)
    return { took, close }

    async function took(): Promise<number[]> {
      const found: number[] = []
      for (let n = 0; n < lists; n++) {
        const started = performance.now()
        const answer = await session.answerTo('tools/list', {})
        found.push(performance.now() - started)
        if (!answer.includes(`"up_say_${tools - 1}"`)) throw new Error('The mounted tools are not listed')
      }
      return found
    }

    async function close() {
      await session.close()
      await hub.stop()
    }
  }
}
