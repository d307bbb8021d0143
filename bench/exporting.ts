import { fileURLToPath } from 'node:url'
import { EXPORT_FORMATS, exportPath } from '../src/protocol/frames/export.ts'
import { figureOf } from './figure-of.ts'
import { httpOf, serve } from './process.ts'
import type { Result } from './statistics.ts'
import { openTimeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

const RECORDER = fileURLToPath(new URL('loop-recorder.ts', import.meta.url))
const SIZES = { full: { letters: 49_000, rounds: 5 }, smallest: { letters: 500, rounds: 1 } }
/** What a parser of Markdown takes long for, or took. */
const PARTS = [' ', '!', '[a](', '*a **b ', '`a', '- [ ] a\n', '|a|a|\n', '<b>', 'a@b.c ', '&amp;']
/** Nobody may wait for longer than this. */
const LIMIT_MS = 50

/** How long everybody else waits at most while texts that were made to take long are exported. */
export async function exporting({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { letters, rounds } = SIZES[size]
  const hub = serve(emptyData(), env(), ['--import', RECORDER])
  const url = await hub.url
  const timeline = await openTimeline(url)
  await timeline.greet()
  for (let round = 0; round < rounds; round++)
    for (const [n, part] of PARTS.entries()) {
      const text = `a ${part.repeat(letters / part.length)} b`
      await timeline.ask('accepted', { type: 'post', key: `${round} ${n}`, conversation: 'bench', text })
    }
  timeline.close()
  const results: Result[] = []
  for (const format of EXPORT_FORMATS) {
    await longest()
    const exported = await fetch(httpOf(url) + exportPath('bench', format))
    if (!exported.ok) throw new Error(`The export was refused with ${exported.status}`)
    await exported.arrayBuffer()
    const measure = `longest task of the hub while ${rounds * PARTS.length} long texts are exported as ${format}`
    results.push({ measure, unit: 'ms', baseline: LIMIT_MS, parley: await longest(), target: { atMostTimes: 1 } })
  }
  await hub.stop()
  return results

  function longest(): Promise<number> {
    return figureOf(hub, 'the longest task', /^longest task (\S+) ms$/m)
  }
}
