import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { processWith } from '../../src/io/descendants.ts'
import { watching } from '../support/driven/driven.ts'
import { openLaunching } from '../support/driven/launching.ts'
import { ACP } from '../support/driven/programs.ts'
import { connectPage } from '../support/socket.ts'

const LAUNCHED = fileURLToPath(new URL('../../src/cli/run/launched.ts', import.meta.url))
const LISTS = `ACP_AGENT='{"lists":40}' ${ACP}`

test('[O243] a page asks for the sessions of an agent and a folder, page by page, and goes on with one', async () => {
  const { page, folder, seen, view } = await openLaunching({ codex: '', 'codex-acp': LISTS })
  for (let n = 0; n < 60; n++) {
    const updatedAt = new Date(n * 1000).toISOString()
    // The agent had these words of the hub first.
    const title = n === 58 ? 'This conversation goes on from an earlier one. What was…' : `Hats, part ${n}`
    appendFileSync(
      join(seen, 'sessions.jsonl'),
      `${JSON.stringify({ sessionId: `s-${n}`, cwd: folder, title, updatedAt })}\n`,
    )
  }
  const said = { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'In the terminal' } }
  appendFileSync(join(seen, 'session-s-59.jsonl'), `${JSON.stringify(said)}\n`)
  page.say({ type: 'sessions', key: 'a', agent: 'codex', folder })
  const first = await page.next('sessions')
  expect(first).toMatchObject({ key: 'a', agent: 'codex', folder, next: 's-10' })
  expect(first.sessions).toHaveLength(50)
  expect((first.sessions as object[])[0]).toEqual({ id: 's-59', title: 'Hats, part 59', at: 59_000 })
  expect((first.sessions as object[])[1]).toEqual({ id: 's-58', at: 58_000 })
  page.say({ type: 'sessions', key: 'b', agent: 'codex', folder, after: 's-10' })
  const rest = await page.next('sessions')
  expect([(rest.sessions as object[]).length, rest.next]).toEqual([10, undefined])
  page.say({ type: 'start', key: 's', agent: 'codex', folder, resume: 's-59' })
  const { conversation } = await page.next('started')
  const watch = watching(view, String(conversation))
  await watch.until('turn')
  expect(watch.bodies('earlier')).toMatchObject([{ what: 'user', text: 'In the terminal' }])
  expect(watch.bodies('title')).toMatchObject([{ title: 'Hats, part 59', folder }])
})

test('[O243] an agent that cannot list says so, and one that cannot be started why', async () => {
  const { page, folder, install } = await openLaunching({ codex: '', 'codex-acp': ACP })
  page.say({ type: 'sessions', key: 'a', agent: 'codex', folder })
  expect(await page.next('sessions')).toMatchObject({ sessions: [], hint: 'Codex has no list of its sessions' })
  install('codex-acp', 'echo "no key" >&2; exit 1')
  page.say({ type: 'sessions', key: 'b', agent: 'codex', folder })
  expect(await page.next('refused')).toMatchObject({
    key: 'b',
    code: 'no_sessions',
    error: expect.stringContaining('no key'),
  })
})

test.for(['its hub', 'a signal'])(
  '[O248] an agent that never answers, and what it started, end with what asked it: %s',
  async (end) => {
    const { data, folder, home } = await openLaunching({})
    const pids = join(home, 'pids')
    // It hears no signal and no end of its input, and neither does its child.
    const script = `trap '' TERM HUP; (trap '' TERM HUP; exec sleep 600) & echo $! $$ > ${pids}; sleep 600`
    const wanted = { agent: 'Codex', words: ['/bin/sh', '-c', script], folder, data, list: true }
    const asking = spawn(process.execPath, [LAUNCHED, JSON.stringify(wanted)], { stdio: ['pipe', 'ignore', 'ignore'] })
    onTestFinished(() => void asking.kill('SIGKILL'))
    await expect.poll(() => existsSync(pids) && readFileSync(pids, 'utf8').trim()).toMatch(/\d+ \d+/)
    const [child = 0, agent = 0] = readFileSync(pids, 'utf8').split(/\s+/).map(Number)
    if (end === 'its hub') asking.stdin.end()
    else asking.kill('SIGTERM')
    await once(asking, 'exit')
    await expect.poll(() => [processWith(child), processWith(agent)]).toEqual([undefined, undefined])
  },
)

test('[O243] [S215] [S216] who may not start agents hears of no session, and nobody of one in another folder', async () => {
  const { hub, page, folder } = await openLaunching({ codex: '', 'codex-acp': LISTS })
  for (const [more, code] of [
    [{ folder: '/etc' }, 'folder_forbidden'],
    [{ agent: 'gemini' }, 'agent_missing'],
    [{ agent: 'sh' }, 'unknown_agent'],
  ] as const) {
    page.say({ type: 'sessions', key: 'a', agent: 'codex', folder, ...more })
    expect(await page.next('refused')).toMatchObject({ code })
  }
  const { secret } = await hub.tokens.create({ name: 'ada', role: 'human' })
  const human = await connectPage(hub.url, {}, { authorization: `Bearer ${secret}` })
  human.say({ type: 'sessions', key: 'a', agent: 'codex', folder })
  expect(await human.next('refused')).toMatchObject({ code: 'forbidden_role' })
})
