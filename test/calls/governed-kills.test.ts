import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SOAK } from '../log/contract/place.ts'
import { type Restartable, startRestartable } from '../support/faults/restartable.ts'
import { temporaryFolder } from '../support/hub.ts'
import { openPage, type Page, told } from '../support/page.ts'
import { type Dice, seeded } from '../support/seeded.ts'
import { diaryAt, readDiary } from '../support/upstream/diary-server.ts'
import { connectTo } from '../support/upstream/gateway.ts'

const AGENTS = 8
const KILLS = 4
const SEEDS = SOAK > 1 ? 50 : 1

test.for(Array.from({ length: SEEDS }, (_, n) => n))(
  '[G71] whatever is killed, no call runs twice and none without its verdict (seed %i)',
  { timeout: 120_000 },
  async (seed) => {
    const dice = seeded(seed)
    const diary = join(await temporaryFolder(), 'diary')
    const hub = await startRestartable((data) => {
      const mcpServers = { diary: diaryAt(diary) }
      writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers }))
    })
    const page = openPage(hub.url)
    await page.started
    const allowed = new Set(texts().filter(() => dice.chance(0.7)))
    judge(page, allowed)
    const answers = Promise.all(texts().map((text, n) => insist(hub, n, text)))
    for (let kill = 0; kill < KILLS; kill++) await killSomething(hub, page, diary, dice)
    const ends = await answers
    const written = readDiary(diary).map((line) => (JSON.parse(line) as { text: string }).text)
    expect(written).toEqual([...new Set(written)])
    expect(written.filter((text) => !allowed.has(text))).toEqual([])
    // What its agent was told was done was done; what is not known was said to be.
    for (const [n, end] of ends.entries()) {
      const text = textOf(n)
      if (end === `Wrote ${text}`) expect(written).toContain(text)
      else if (allowed.has(text)) expect(end).toMatch(/ran is unknown|was lost|cannot be used|Not twice/)
      else expect(end).toMatch(/not allowed/)
    }
  },
)

/** A person who allows what is to be allowed once, and nothing twice. */
function judge(page: Page, allowed: Set<string>) {
  const judged = new Set<string>()
  const seen = new Set<string>()
  page.onChange(() => {
    for (const { id, approval } of told(page, 'question')) {
      if (judged.has(id)) continue
      judged.add(id)
      const { text } = JSON.parse(approval?.input ?? '{}') as { text: string }
      void page.answer(id, allowed.has(text) && !seen.has(text) ? 'Allow' : 'Not twice')
      seen.add(text)
    }
  })
}

/** The hub or the server, once a call has come this far, and a moment of chance later. */
async function killSomething(hub: Restartable, page: Page, diary: string, dice: Dice) {
  const kind = dice.pick(['question', 'settlement', 'tool_call', 'tool_result'] as const)
  const enough = told(page, kind).length + dice.below(3)
  const laterMs = dice.below(20)
  await Promise.race([page.until(() => told(page, kind).length >= enough), pause(3000)])
  await pause(laterMs)
  if (dice.chance(0.7)) return hub.kill()
  try {
    process.kill(Number(readFileSync(`${diary}.pid`, 'utf8')), 'SIGKILL')
  } catch {
    // It is about to be started again.
  }
}

/** An agent that makes its call again until it knows what became of it. */
async function insist(hub: Restartable, n: number, text: string): Promise<string> {
  const era = n % 2 === 0 ? 'legacy' : 'modern'
  for (;;) {
    try {
      const client = await hub.orGone(connectTo(hub.url, era, { path: `/mcp/gateway?session=agent-${n}` }))
      const call = client.callTool({ name: 'diary_write', arguments: { text } }, { timeout: 60_000 })
      const { content } = await hub.orGone(call)
      const [{ text: said } = { text: '' }] = content as { text: string }[]
      if (!said.includes('"status":"pending"')) return said
    } catch (error) {
      const { message, code } = error as Error & { code?: unknown }
      if (code === -32951) return message
      await hub.up()
    }
  }
}

function texts(): string[] {
  return Array.from({ length: AGENTS }, (_, n) => textOf(n))
}

function textOf(n: number): string {
  return `Line of agent ${n}`
}
