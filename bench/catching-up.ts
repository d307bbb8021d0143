import { prefillPosts } from './prefill.ts'
import { serve } from './process.ts'
import { callTool } from './rest.ts'
import { interleave, median, type Result, written } from './statistics.ts'
import { CONVERSATION, textOf } from './texts.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { short: 1000, long: 1_000_000, warmUp: 20, rounds: 100 },
  smallest: { short: 30, long: 60, warmUp: 0, rounds: 1 },
}
const MISSED = 20

/** `chat_read_since` near the end of a long conversation, beside a short one. */
export async function catchingUp({ size, env, filled }: Workplace): Promise<Result[]> {
  const { warmUp, rounds, ...lengths } = SIZES[size]
  const short = await openReader(lengths.short)
  const long = await openReader(lengths.long)
  const sources = { short: short.read, long: long.read }
  await interleave(warmUp, sources)
  const took = await interleave(rounds, sources)
  await Promise.all([short.stop(), long.stop()])
  return [
    {
      measure: `chat_read_since at the end of ${written(lengths.long)} messages; of ${written(lengths.short)}`,
      unit: 'ms',
      baseline: median(took.short),
      parley: median(took.long),
      target: { atMostTimes: 1.5 },
    },
  ]

  async function openReader(posts: number) {
    const hub = serve(await filled(`posts-${posts}`, (data) => prefillPosts(data, posts)), env())
    const url = await hub.url
    const after_id = await say(0)
    for (let n = 1; n <= MISSED; n++) await say(n)
    return { read, stop: hub.stop }

    async function say(n: number): Promise<string> {
      const message = { mime: 'text/plain', content: textOf(n), session_id: CONVERSATION }
      const { id } = await callTool<{ id: string }>(url, 'ui_chat_human_post', message)
      return id
    }

    async function read(): Promise<number> {
      const started = performance.now()
      const { messages } = await callTool<{ messages: unknown[] }>(url, 'ui_chat_read_since', { after_id, limit: 100 })
      if (messages.length !== MISSED) throw new Error(`Read ${messages.length} messages instead of ${MISSED}`)
      return performance.now() - started
    }
  }
}
