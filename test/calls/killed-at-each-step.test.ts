import { readFileSync, watch, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { lives } from '../../scripts/processes.ts'
import { SOAK } from '../log/contract/place.ts'
import { agentOverStdio } from '../support/agent.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { openPage, type Page, told } from '../support/page.ts'
import { verified } from '../support/policy/audited.ts'
import { diaryAt, readDiary } from '../support/upstream/diary-server.ts'

const STEPS = {
  allowed: ['begun', 'running', 'ended', 'answered'],
  asked: ['asked', 'decided', 'begun', 'running', 'ended', 'answered'],
  late: ['asked', 'decided', 'begun', 'running', 'ended', 'told', 'answered'],
} as const
type Course = keyof typeof STEPS
const ALL = (Object.keys(STEPS) as Course[]).flatMap((course) =>
  STEPS[course].flatMap((step) => (['hub', 'server'] as const).map((victim) => ({ course, step, victim }))),
)
/** Without `PARLEY_SOAK` every ninth: each course, and either of both that are killed. */
const CHOSEN = ALL.filter((_, place) => SOAK > 1 || place % 9 === 2)
const KIND = { asked: 'question', decided: 'settlement', begun: 'tool_call', ended: 'tool_result' } as const
const DOUBT = /ran is unknown|was lost|cannot be used/

test.each(CHOSEN)(
  '[G197] a call that is $course, and its $victim killed when it is $step',
  { timeout: 120_000 },
  async ({ course, step, victim }) => {
    const { data, diary, client, page, until, held } = await start(course)
    const isWrite = ({ tool_name }: { tool_name: string }) => tool_name === 'diary_write'
    const gone = new AbortController()
    const said: string[] = []
    const call = client.callTool({ name: 'diary_write', arguments: { text: 'one', until } }, { signal: gone.signal })
    const answer = call.then(hear, (error: Error) => void (gone.signal.aborted || said.push(error.message)))
    if (course !== 'allowed') await reached('asked')
    if (course === 'late') {
      gone.abort()
      await answer
      // What comes after it on the same line is answered when its hub knows that nobody waits.
      await client.listTools()
    }
    if (step === 'asked') await kill()
    if (course !== 'allowed') await page.allow(told(page, 'question')[0]?.id ?? '')
    if (step === 'decided' || step === 'begun') await reachedAndKill()
    // One that is killed before is in doubt, and never runs.
    await Promise.race([held, reached('ended')])
    if (step === 'running') await kill()
    writeFileSync(until, '')
    if (step === 'ended') await reachedAndKill()
    await reached('ended')
    if (course === 'late') {
      const isTold = () => told(page, 'message').some(({ call_id }) => call_id !== undefined)
      await page.until(isTold)
      if (step === 'told') await kill()
      await read()
    } else await answer
    if (step === 'answered') await kill()
    for (let n = 0; n < 2; n++) await read()
    const runs = readDiary(diary)
    expect(runs.length).toBeLessThanOrEqual(1)
    const calls = told(page, 'tool_call').filter(isWrite)
    expect(calls).toHaveLength(1)
    expect(
      told(page, 'tool_result')
        .filter(isWrite)
        .map(({ call_id }) => call_id),
    ).toEqual([calls[0]?.call_id])
    // Its caller knows what became of it, once.
    const telling = said.filter((text) => text.includes('Wrote one') || DOUBT.test(text))
    expect(telling, JSON.stringify(said)).toHaveLength(1)
    if (said.some((text) => text.includes('Wrote one'))) expect(runs).toHaveLength(1)
    await client.close()
    const { pid } = hubOf(data)
    process.kill(pid, 'SIGTERM')
    // What it has to write it writes after its socket is gone.
    await eventually(() => expect(lives(pid)).toBe(false))
    expect((await verified(data)).problems).toEqual([])

    function hear({ content }: Awaited<ReturnType<Client['callTool']>>) {
      for (const { text } of content as { text: string }[]) said.push(text)
    }

    /** Once its server is there again. */
    async function read() {
      await eventually(async () => {
        const answer = await client.callTool({ name: 'diary_read', arguments: {} })
        expect(answer.isError).toBeFalsy()
        hear(answer)
      })
    }

    function reached(step: keyof typeof KIND) {
      return page.until(() =>
        told(page, KIND[step]).some((body) => !('tool_name' in body) || body.tool_name === 'diary_write'),
      )
    }

    async function reachedAndKill() {
      if (step in KIND) await reached(step as keyof typeof KIND)
      await kill()
    }

    async function kill() {
      const pid = victim === 'hub' ? hubOf(data).pid : Number(readFileSync(`${diary}.pid`, 'utf8'))
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // Its hub was, and it ended with it.
      }
    }
  },
)

/** An agent over a line, a person, and a server whose tool waits for a file. */
async function start(course: Course) {
  const [data, folder] = [await temporaryFolder(), await temporaryFolder()]
  const diary = join(folder, 'diary')
  const until = join(folder, 'go on')
  const mcpServers = { diary: diaryAt(diary) }
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers }))
  const rules = course === 'allowed' ? [{ decision: 'allow' }] : []
  writeFileSync(join(data, 'policy.jsonc'), JSON.stringify({ rules }))
  const args = ['stdio', '--surface', 'gateway', '--data', data]
  const { client, url } = await agentOverStdio({ era: 'legacy', args, env: {} })
  const page: Page = openPage((await url) ?? '')
  await page.started
  await client.listTools()
  return { data, diary, client, page, until, held: lineIn(diary) }
}

function lineIn(diary: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(dirname(diary), look)
    look()

    function look() {
      if (readDiary(diary).length === 0) return
      watcher.close()
      resolve()
    }
  })
}
