import { join } from 'node:path'
import { openSqliteLog } from '../src/log/sqlite-log.ts'
import { emptyConversation } from '../src/protocol/fold.ts'
import { httpOf, serve } from './process.ts'
import { interleave, median, type Result } from './statistics.ts'
import { textOf } from './texts.ts'
import type { Workplace } from './workplace.ts'

const SHORT = 1000
const LONG = 1_000_000
const BATCH = 2000
const MISSED = 20
const ROUNDS = 100

/** `chat_read_since` near the end of a long conversation, beside a short one. */
export async function catchingUp({ env, emptyData }: Workplace): Promise<Result[]> {
  const short = await openReader(SHORT)
  const long = await openReader(LONG)
  await interleave(20, { short: short.read, long: long.read })
  const took = await interleave(ROUNDS, { short: short.read, long: long.read })
  await Promise.all([short.stop(), long.stop()])
  return [
    {
      measure: `chat_read_since at the end of ${LONG.toLocaleString('en')} messages; of ${SHORT.toLocaleString('en')}`,
      unit: 'ms',
      baseline: median(took.short),
      parley: median(took.long),
      target: { atMostTimes: 1.5 },
    },
  ]

  async function openReader(messages: number) {
    const data = emptyData()
    const after_id = await fill(data, messages)
    const running = serve(data, env())
    const url = `${httpOf(await running.url)}/api/tools/ui_chat_read_since`
    return { read, stop: running.stop }

    async function read(): Promise<number> {
      const started = performance.now()
      const response = await fetch(url, { method: 'POST', body: JSON.stringify({ after_id, limit: 100 }) })
      const { messages } = (await response.json()) as { messages: unknown[] }
      if (messages.length !== MISSED) throw new Error(`Read ${messages.length} messages instead of ${MISSED}`)
      return performance.now() - started
    }
  }
}

/** Straight into the log, because a million real conversations would take minutes. Answers with the reader's watermark. */
async function fill(data: string, messages: number): Promise<string> {
  const log = await openSqliteLog(join(data, 'parley.db'))
  let last = await log.last()
  for (let n = 0; n < messages; n += BATCH) {
    const drafts = Array.from({ length: Math.min(BATCH, messages - n) }, (_, place) => ({
      body: { kind: 'message', author: 'user', by: 'bench', text: textOf(n + place) },
    }))
    last = (await log.append('chat', last, drafts)).at(-1)?.id ?? last
  }
  // As real talk would have left it; without it the hub would read everything once in the background.
  const state = { ...emptyConversation('chat'), last, messages: { last, delivered: last, read: last } }
  await log.snapshot.put('chat', { at: last, state })
  const [watermark] = await log.read({ conversation: 'chat', before: '9'.repeat(16), limit: MISSED + 1 })
  await log.close()
  return watermark?.id ?? last
}
