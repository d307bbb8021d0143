import { setTimeout as pause } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Page } from '@playwright/test'
import { type Shift, watchShifts } from '../test/browser/support/shifts.ts'
import { LONG_TASK_MS, longestTask, longestTaskMs, watchLongTasks } from './long-tasks.ts'
import { openBrowser } from './page-browser.ts'
import { httpOf, serve } from './process.ts'
import { callTool } from './rest.ts'
import type { Result } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { agents: 10, liveMs: 20_000 },
  smallest: { agents: 2, liveMs: 1000 },
}
const PER_SECOND = 5
const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
const WORDS = 'The tests of the parser pass now; the ones of the page take **two minutes** more.'

/** Ten agents at work at once, while one person reads, changes the conversation and types. */
export async function tenAgents({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { agents, liveMs } = SIZES[size]
  const browser = await openBrowser()
  const results: Result[] = []
  for (const look of LOOKS) {
    const hub = serve(emptyData(), env())
    const url = await hub.url
    const names = Array.from({ length: agents }, (_, n) => `agent-${n}`)
    for (const name of names) await say(url, name, 0)
    const seen = await browser.visit((page) => watched(page, url, names, liveMs), look)
    await hub.stop()
    const title = `${agents} agents, ${agents * PER_SECOND} entries/s, ${look.width} px`
    for (const { value, moved } of seen.shifts)
      console.error(`${look.width} px, ${value.toFixed(4)}: ${moved.join('; ')}`)
    results.push(
      ...longestTask(title, seen),
      {
        measure: `tasks over ${LONG_TASK_MS} ms by the clock; in so many seconds`,
        unit: 'tasks',
        baseline: liveMs / 1000,
        parley: seen.tasks,
      },
      {
        measure: `layout shift, ${title}; of a page that is good`,
        unit: 'CLS',
        baseline: 0.1,
        parley: seen.shifts.reduce((sum, { value }) => sum + value, 0),
        target: { atMostTimes: 0.01 },
      },
    )
  }
  await browser.close()
  return results
}

async function watched(page: Page, url: string, names: string[], liveMs: number) {
  await page.goto(`${httpOf(url)}/#/c/${names[0]}`)
  await page.locator('textarea').waitFor()
  const { take } = await watchShifts(page)
  const longTasks = await watchLongTasks(page)
  const shifts: Shift[] = []
  const longestCpu = await longestTaskMs(page, async () => {
    const work = Promise.all(names.map((name, n) => agent(url, name, n, liveMs)))
    await person(page, liveMs)
    await work
    shifts.push(...(await take()))
  })
  const tasks = await longTasks.take()
  return { longestCpu, longest: Math.max(0, ...tasks), tasks: tasks.length, shifts }
}

/** Steps, words and, now and then, a call that wants a verdict. */
async function agent(url: string, name: string, n: number, liveMs: number) {
  const client = new Client({ name: 'bench', version: '0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${httpOf(url)}/mcp/agent?session=${name}`)))
  const asked = new AbortController()
  const started = performance.now()
  for (let sent = 1; performance.now() - started < liveMs; sent++) {
    await say(url, name, sent)
    if (sent % 25 === n % 25) void approve(client, sent, asked.signal)
    await pause(Math.max(0, started + (sent * 1000) / PER_SECOND - performance.now()))
  }
  asked.abort()
  await client.close()
}

async function approve(client: Client, n: number, signal: AbortSignal) {
  const input = { tool_name: 'Bash', input: { command: `npm test -- --part ${n}` } }
  // Nobody decides; it is withdrawn when the agent leaves.
  await client.callTool({ name: 'approve', arguments: input }, { signal }).catch(() => {})
}

function say(url: string, session_id: string, n: number) {
  const event = (input: object) => callTool(url, 'ui_chat_assistant_event', { session_id, ...input })
  const tool_name = 'Bash'
  if (n % 4 === 1)
    return event({ type: 'tool_call', tool_name, tool_args: JSON.stringify({ command: `npm run ${n}` }) })
  if (n % 4 === 2) return event({ type: 'tool_result', tool_name, result: `${n} passed`, success: true })
  if (n % 4 === 3) return event({ type: 'thinking', reasoning: `What comes after ${n}?` })
  return callTool(url, 'ui_chat_assistant_post', { session_id, mime: 'text/markdown', content: `${n}. ${WORDS}` })
}

/** Types a word at a time, and looks at what is above. */
async function person(page: Page, liveMs: number) {
  const started = performance.now()
  const field = page.locator('textarea')
  while (performance.now() - started < liveMs) {
    await field.pressSequentially('and then ', { delay: 30 })
    await page.mouse.move(page.viewportSize()?.width ?? 0, 300)
    await page.mouse.wheel(0, -200)
    // What moves within half a second of a touch is not counted.
    await pause(1000)
  }
}
