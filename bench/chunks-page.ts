import { setTimeout as pause } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Page } from '@playwright/test'
import { longestTask, longestTaskMs, watchLongTasks } from './long-tasks.ts'
import { openBrowser } from './page-browser.ts'
import { httpOf, serve } from './process.ts'
import type { Result } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { liveMs: 20_000 },
  smallest: { liveMs: 1000 },
}
const PER_SECOND = 1000
/** A driver tells the hub this often of what it got. */
const CALLS_PER_SECOND = 50
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

/** The message is as long as a long answer. */
const MESSAGE = PARTS.join('').repeat(10)

/** A thousand pieces of text a second in one conversation, in the page that shows it. */
export async function chunksInPage({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { liveMs } = SIZES[size]
  const hub = serve(emptyData(), env())
  const url = await hub.url
  const browser = await openBrowser()
  const seen = await browser.visit((page) => watched(page, url, liveMs), { width: 1440, height: 900 })
  await browser.close()
  await hub.stop()
  return longestTask(`${PER_SECOND} chunks/s, ${liveMs / 1000} s`, seen)
}

async function watched(page: Page, url: string, liveMs: number) {
  const agent = await drive(url)
  await page.goto(`${httpOf(url)}/#/c/${CONVERSATION}`)
  await page.locator('textarea').waitFor()
  const longTasks = await watchLongTasks(page)
  const longestCpu = await longestTaskMs(page, async () => {
    await agent.write(liveMs)
  })
  // What asks for it costs the page more than what draws it.
  await page.getByRole('article').getByText('The end').waitFor()
  const tasks = await longTasks.take()
  await agent.close()
  return { longestCpu, longest: Math.max(0, ...tasks) }
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

  /** One message after the other, each in pieces of a few letters. */
  async function write(liveMs: number): Promise<void> {
    const messages = Math.ceil(((liveMs / 1000) * PER_SECOND * CHUNK.length) / MESSAGE.length)
    for (let n = 0; n < messages; n++) await writeOne(`m${n}`)
    await call('chat_assistant_post', { mime: 'text/markdown', content: 'The end' })
  }

  async function writeOne(id: string) {
    const started = performance.now()
    for (let from = 0; from < MESSAGE.length; ) {
      const due = Math.ceil(((performance.now() - started) / 1000) * PER_SECOND) * CHUNK.length
      const piece = MESSAGE.slice(from, due)
      if (piece !== '') await grow(id, from, piece)
      from += piece.length
      await pause(1000 / CALLS_PER_SECOND)
    }
    await call('chat_assistant_post', { mime: 'text/markdown', content: MESSAGE, key: id })
  }

  function grow(id: string, from: number, text: string) {
    return call('show_partial', {
      partials: [...chunksOf(text)].map((chunk, n) => partialAt(id, from + n * CHUNK.length, chunk)),
    })
  }
}

function partialAt(id: string, from: number, text: string) {
  return { id, kind: 'message', from, text }
}

function* chunksOf(text: string) {
  for (let at = 0; at < text.length; at += CHUNK.length) yield text.slice(at, at + CHUNK.length)
}
