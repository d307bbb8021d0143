import { setTimeout as pause } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Page } from '@playwright/test'
import { longestTaskMs, openBrowser } from './page-browser.ts'
import { httpOf, serve } from './process.ts'
import type { Result } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { liveMs: 20_000 },
  smallest: { liveMs: 1000 },
}
const PER_SECOND = 1000
/** As often as a driver tells the hub of what it got. */
const CALLS_PER_SECOND = 50
const LONG_TASK_MS = 50
const CONVERSATION = 'work'
const CHUNK = ' words'
/** What a message is made of, over and over: each kind of block grows, and ends. */
const PARTS = [
  '\n\n## Another part\n\n',
  `${CHUNK.repeat(60)}\n\n`,
  `1. **first**${CHUNK.repeat(20)}\n2. \`second\`${CHUNK.repeat(20)}\n\n`,
  `\`\`\`ts\n${`const value = compute(${CHUNK})\n`.repeat(40)}\`\`\`\n\n`,
  `| a | b |\n| --- | --- |\n${`| ${CHUNK} | ${CHUNK} |\n`.repeat(10)}\n`,
]

/** A thousand pieces of text a second in one conversation, in the page that shows it. */
export async function chunksInPage({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { liveMs } = SIZES[size]
  const hub = serve(emptyData(), env())
  const url = await hub.url
  const browser = await openBrowser()
  const seen = await browser.visit((page) => watched(page, url, liveMs), { width: 1440, height: 900 })
  await browser.close()
  await hub.stop()
  return [
    {
      measure: `longest task, ${PER_SECOND} chunks/s, ${liveMs / 1000} s, CPU; limit`,
      unit: 'ms',
      baseline: LONG_TASK_MS,
      parley: seen.longestCpu,
      target: { atMostTimes: 1 },
    },
    {
      measure: 'the same by the clock, others’ turns included',
      unit: 'ms',
      baseline: LONG_TASK_MS,
      parley: seen.longest,
    },
    { measure: 'text on screen at the end; said', unit: 'KB', baseline: seen.said / 1024, parley: seen.drawn / 1024 },
  ]
}

async function watched(page: Page, url: string, liveMs: number) {
  const agent = await drive(url)
  await page.goto(`${httpOf(url)}/#/c/${CONVERSATION}`)
  await page.locator('textarea').waitFor()
  await page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(window, { tasks })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration)
    }).observe({ type: 'longtask' })
  })
  let said = 0
  const longestCpu = await longestTaskMs(page, async () => {
    said = await agent.write(liveMs)
    await page.locator('article[aria-busy="true"]').getByText('The end').waitFor()
  })
  const drawn = (await page.locator('article[aria-busy="true"]').textContent())?.length ?? 0
  const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks)
  await agent.close()
  return { longestCpu, longest: Math.max(0, ...tasks), said, drawn }
}

async function drive(url: string) {
  const client = new Client({ name: 'bench', version: '0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${httpOf(url)}/mcp/orchestrator`)))
  const held = { session_id: CONVERSATION, holder: 'bench' }
  const call = (name: string, input: object) => client.callTool({ name, arguments: { ...held, ...input } })
  await call('hold_conversation', { seconds: 300 })
  await call('chat_assistant_post', { mime: 'text/markdown', content: 'Hello' })
  await call('show_driven', { driven: { state: 'working' } })
  return { write, close: () => client.close() }

  /** A message of one block after the other, in pieces of a few letters. Answers with its length. */
  async function write(liveMs: number): Promise<number> {
    const text = textOf((liveMs / 1000) * PER_SECOND * CHUNK.length)
    const started = performance.now()
    let from = 0
    while (from < text.length) {
      const due = Math.ceil(((performance.now() - started) / 1000) * PER_SECOND) * CHUNK.length
      const piece = text.slice(from, due)
      if (piece !== '') await grow(from, piece)
      from += piece.length
      await pause(1000 / CALLS_PER_SECOND)
    }
    await grow(from, '\n\nThe end')
    return text.length
  }

  function grow(from: number, text: string) {
    return call('show_partial', {
      partials: [...chunksOf(text)].map((chunk, n) => partialAt(from + n * CHUNK.length, chunk)),
    })
  }
}

function partialAt(from: number, text: string) {
  return { id: 'm1', kind: 'message', from, text }
}

function* chunksOf(text: string) {
  for (let at = 0; at < text.length; at += CHUNK.length) yield text.slice(at, at + CHUNK.length)
}

function textOf(length: number): string {
  let text = ''
  for (let n = 0; text.length < length; n++) text += PARTS[n % PARTS.length]
  return text.slice(0, length)
}
