import { openAgent, speakAs } from './agent.ts'
import { openHttpSession } from './http-session.ts'
import { hubOf } from './hub-of.ts'
import { MOUNTED_SERVER, mountedProcess, mounting } from './mounting.ts'
import { httpOf, serve, start } from './process.ts'
import { interleave, median, type Result } from './statistics.ts'
import { textOf } from './texts.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { calls: 50, warmUp: 8, rounds: 40 },
  smallest: { calls: 2, warmUp: 0, rounds: 1 },
}

interface Caller {
  call(name: string, input: object): Promise<void>
}

/** An allowed call through the gateway, beside the same call of the same server without it. */
export async function mountedCalls(workplace: Workplace): Promise<Result[]> {
  return [...(await overHttp(workplace)), ...(await overStdio(workplace))]
}

async function overHttp({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const upstream = start([MOUNTED_SERVER, 'http', '10'], env())
  const url = `${httpOf(await upstream.url)}/mcp`
  const hub = serve(mounting(emptyData(), { type: 'http', url }), env())
  const direct = await openHttpSession(url)
  const through = await openHttpSession(`${httpOf(await hub.url)}/mcp/gateway`)
  const results = await compared('over HTTP', size, direct, through)
  await through.close()
  await direct.close()
  await hub.stop()
  await upstream.stop()
  return results
}

async function overStdio({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const data = mounting(emptyData(), mountedProcess(10))
  const upstream = start([MOUNTED_SERVER, 'stdio', '10'], env())
  const direct = speakAs(upstream)
  await direct.initialize()
  const through = await openAgent(env({ PARLEY_DATA: data }), { words: ['--surface', 'gateway'] })
  const results = await compared('over stdio', size, direct, through)
  await through.running.stop()
  await upstream.stop()
  await hubOf(data).gone()
  return results
}

async function compared(way: string, size: Workplace['size'], direct: Caller, through: Caller): Promise<Result[]> {
  const { calls, warmUp, rounds } = SIZES[size]
  const sources = { direct: () => took(direct, 'say_1', calls), through: () => took(through, 'up_say_1', calls) }
  await interleave(warmUp, sources)
  const times = await interleave(rounds, sources)
  const figures = { unit: 'ms' as const, baseline: median(times.direct), parley: median(times.through) }
  return [
    { measure: `mounted tool ${way} p50; directly`, ...figures, target: { atMostMore: 1 } },
    { measure: `mounted tool ${way} p50; directly, in times`, ...figures, target: { atMostTimes: 2 } },
  ]
}

async function took({ call }: Caller, name: string, calls: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < calls; n++) {
    const started = performance.now()
    await call(name, { text: textOf(n) })
    times.push(performance.now() - started)
  }
  return times
}
