import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Page } from '@playwright/test'
import { longestTaskMs, watchLongTasks } from './long-tasks.ts'
import { openBrowser } from './page-browser.ts'
import { httpOf, serve } from './process.ts'
import type { Result } from './statistics.ts'
import { CONVERSATION } from './texts.ts'
import { openTimeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

/** As many edits as make 909 KB, and lines enough to take each what compares them its whole time. */
const SIZES = { full: { edits: 20, lines: 1165 }, smallest: { edits: 2, lines: 1100 } }
const LONG_TASK_MS = 100

/** A call with a difference that takes long to make, in the page where somebody decides on it. */
export async function longDifference({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const input = multiEdit(SIZES[size])
  const hub = serve(emptyData(), env())
  const url = await hub.url
  const browser = await openBrowser()
  const seen = await browser.visit((page) => watched(page, url, input), { width: 1440, height: 900 })
  await browser.close()
  await hub.stop()
  const kilobytes = Math.round(JSON.stringify(input).length / 1000)
  return [
    {
      measure: `longest task, a MultiEdit of ${kilobytes} KB, CPU; limit`,
      unit: 'ms',
      baseline: LONG_TASK_MS,
      parley: seen.longestCpu,
      target: { atMostTimes: 1 },
    },
    {
      measure: 'the same by the clock, others’ turns included; limit',
      unit: 'ms',
      baseline: LONG_TASK_MS,
      parley: seen.longest,
    },
    {
      measure: 'all of it is shown; until then, tasks over 50 ms',
      unit: 'ms',
      baseline: seen.long,
      parley: seen.shown,
    },
  ]
}

async function watched(page: Page, url: string, input: object) {
  await begin(url)
  await page.goto(`${httpOf(url)}/#/c/${CONVERSATION}`)
  await page.locator('textarea').waitFor()
  const client = new Client({ name: 'bench', version: '0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${httpOf(url)}/mcp/agent?session=${CONVERSATION}`)))
  const longTasks = await watchLongTasks(page)
  let shown = 0
  const longestCpu = await longestTaskMs(page, async () => {
    const began = performance.now()
    void client.callTool({ name: 'approve', arguments: { tool_name: 'MultiEdit', input } }).catch(() => {})
    // What searches the page for it costs more than what draws it.
    await page.waitForFunction(() =>
      document.querySelector('code')?.lastElementChild?.textContent.endsWith('last line'),
    )
    shown = performance.now() - began
  })
  const tasks = await longTasks.take()
  await client.close()
  return { longestCpu, shown, longest: Math.max(0, ...tasks), long: tasks.length }
}

/** What opens a conversation is not what is measured. */
async function begin(url: string) {
  const timeline = await openTimeline(url)
  await timeline.greet()
  await timeline.ask('accepted', { type: 'post', key: 'first', conversation: CONVERSATION, text: 'Hello' })
  timeline.close()
}

function multiEdit({ edits, lines }: { edits: number; lines: number }) {
  const text = (what: string) => Array.from({ length: lines }, (_, n) => `${what} ${n} ${'x'.repeat(8)}`).join('\n')
  const made = Array.from({ length: edits }, (_, n) => ({ old_string: text(`old${n}`), new_string: text(`new${n}`) }))
  return { file_path: '/srv/site/app.ts', edits: [...made, { old_string: 'a', new_string: 'the last line' }] }
}
