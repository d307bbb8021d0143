import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectToHub } from '../../src/doors/socket/connect.ts'
import type { Hub } from '../../src/hub/hub.ts'
import { descendantsOf, processWith } from '../../src/io/descendants.ts'
import { MARK } from '../../src/io/mark.ts'
import { openLaunching, untilSaid } from '../support/driven/launching.ts'
import { ACP, machineIn } from '../support/driven/programs.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { startParley } from '../support/process.ts'
import { connectPage } from '../support/socket.ts'

const AGENT = { codex: '', 'codex-acp': ACP }

/** A conversation with an agent that has answered once, and the number of the process of its runner. */
async function begun({ isProtected = false } = {}) {
  const launching = await openLaunching(AGENT)
  const { hub, folder, view, linesOf } = launching
  const page = isProtected ? await adminPage(hub) : launching.page
  page.say({ type: 'start', key: 's', agent: 'codex', folder, text: 'first' })
  const conversation = String((await page.next('started')).conversation)
  await untilSaid(view, conversation, 'You said:')
  const agent = Number(linesOf('lives')[0]?.pid)
  return { ...launching, conversation, agent, runner: processWith(agent)?.parent ?? 0 }
}

/** A hub that lets nobody in without a token has a page that shows one. */
async function adminPage({ url, tokens }: Pick<Hub, 'url' | 'tokens'>) {
  const { secret } = await tokens.create({ name: 'root', role: 'admin' })
  return connectPage(url, {}, { authorization: `Bearer ${secret}` })
}

/** The runner of an agent and all that it started. */
function processesOf(agent: number) {
  const runner = processWith(processWith(agent)?.parent ?? 0)?.parent ?? 0
  const all = [{ pid: runner }, ...descendantsOf({ pid: runner, mark: `${MARK}=${runner}.` })]
  expect(all.map(({ pid }) => pid)).toContain(agent)
  return all
}

function promptsOf(linesOf: (name: 'prompts') => Record<string, unknown>[]): string[] {
  return linesOf('prompts').map(({ text }) => String(text).trim().split('\n').at(-1) ?? '')
}

test('[S217] in a protected hub a runner comes through the folder, and it and its agent have nothing of the hub’s tokens', async () => {
  process.env.PARLEY_TOKENS = 'ada:human:parley_secret-of-ada'
  process.env.PARLEY_TOKEN = 'parley_secret-of-ada'
  try {
    const { runner, agent } = await begun({ isProtected: true })
    for (const pid of [runner, agent]) {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
      expect(environment).toContain('HOME=')
      expect(environment).not.toContain('secret-of-ada')
      expect(environment).not.toMatch(/PARLEY_TOKEN/)
      expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('secret-of-ada')
    }
  } finally {
    delete process.env.PARLEY_TOKENS
    delete process.env.PARLEY_TOKEN
  }
})

test('[O259] changes of an agent that was stopped are those of its folder, and nothing is started for them', async () => {
  const { page, view, folder, linesOf } = await openLaunching(AGENT)
  execFileSync('git', ['init', '-q', '-b', 'trunk', folder])
  writeFileSync(join(folder, 'before.txt'), 'before\n')
  page.say({ type: 'start', key: 's', agent: 'codex', folder, text: 'first' })
  const conversation = String((await page.next('started')).conversation)
  await untilSaid(view, conversation, 'You said:')
  writeFileSync(join(folder, 'made.txt'), 'by a command\n')
  const awake = await view.changes(conversation)
  expect(awake).toMatchObject({ against: 'start', branch: 'trunk', files: [{ path: 'made.txt', kind: 'added' }] })
  page.say({ type: 'stop_processes', key: 'all' })
  await expect.poll(() => view.driving.runners()?.map(({ launched }) => launched?.process)).toEqual(['none'])
  expect(await Promise.all([view.changes(conversation), view.changes(conversation)])).toEqual([awake, awake])
  expect(await view.changes(conversation, 'made.txt')).toMatchObject({ files: [{ path: 'made.txt' }] })
  expect(view.driving.runners()?.map(({ launched }) => launched?.process)).toEqual(['none'])
  expect(linesOf('lives')).toHaveLength(1)
  // What took its place is not looked at.
  renameSync(folder, `${folder}-before`)
  symlinkSync(`${folder}-before`, folder)
  expect(await view.changes(conversation)).toEqual({
    against: 'reported',
    files: [],
    left_out: ['The folder could not be looked at: these are only the edits that the agent reported'],
  })
})

test('[O214] changes of an agent that sleeps in a folder without git are those that it reported', async () => {
  const { page, view, conversation } = await begun()
  page.say({ type: 'stop_processes', key: 'all' })
  await expect.poll(() => view.driving.runners()?.map(({ launched }) => launched?.process)).toEqual(['none'])
  expect(await view.changes(conversation)).toEqual({ against: 'reported', files: [], left_out: [] })
})

test('[O178] words for an agent whose runner was killed start the next one, and are given once', async () => {
  const { view, conversation, runner, linesOf } = await begun()
  process.kill(runner, 'SIGKILL')
  for (const text of ['second', 'third']) await view.say(conversation, { text })
  await untilSaid(view, conversation, 'third')
  await expect.poll(() => promptsOf(linesOf).join(), { timeout: 60_000 }).toContain('third')
  expect(promptsOf(linesOf).filter((text) => text === 'first')).toHaveLength(1)
  expect(linesOf('prompts').map(({ text }) => String(text).split('second').length - 1)).toContain(1)
})

test('[O177] a hub ends its runners with itself, and the next hub starts one for words that nobody had', async () => {
  const { hub, data, conversation, runner, agent, linesOf } = await begun()
  await hub.close()
  expect([processWith(runner), processWith(agent)]).toEqual([undefined, undefined])
  const next = await startHubWithSocket(data)
  expect(next.view.driving.runners()).toMatchObject([{ name: 'Codex in work', launched: { process: 'none' } }])
  await next.view.say(conversation, { text: 'second' })
  await untilSaid(next.view, conversation, 'You said: second')
  expect(promptsOf(linesOf)).toEqual(['first', 'second'])
})

test('[O177] a hub that hands over leaves its runners to the next one, with turns that run', async () => {
  const { hub, data, conversation, runner, agent, linesOf, view } = await begun()
  await view.say(conversation, { text: 'do slow 100' })
  await untilSaid(view, conversation, 'word 1 ')
  await hub.end('handing_over')
  expect([processWith(runner)?.pid, processWith(agent)?.pid]).toEqual([runner, agent])
  const next = await startHubWithSocket(data)
  await untilSaid(next.view, conversation, 'word 100')
  expect(linesOf('lives')).toHaveLength(1)
})

test('[O251] a hub ends the runners of the one before it, too, with agents that hear nothing: none of them starts the next hub', async () => {
  const home = realpathSync(await temporaryFolder())
  const deaf = `trap '' TERM HUP; (exec setsid sleep 600 &); ${ACP.replace('exec', '')}; exec sleep 600`
  const { env, folder, linesOf } = machineIn(home, { codex: '', 'codex-acp': deaf })
  const data = await temporaryFolder()
  const first = startParley(['serve', '--data', data, '--port', '0'], env)
  const page = await connectPage(await first.url)
  page.say({ type: 'start', key: 's', agent: 'codex', folder, text: 'do stuck' })
  await expect.poll(() => linesOf('prompts')).toHaveLength(1)
  const family = processesOf(Number(linesOf('lives')[0]?.pid))
  first.child.kill('SIGKILL')
  await first.ended
  // The runner brings it up.
  await expect.poll(() => hubOf(data).pid).not.toBe(first.child.pid)
  const second = hubOf(data)
  const again = await connectPage(`http://localhost:${second.port}`)
  // It is known there before it is ended.
  await expect
    .poll(async () => {
      again.say({ type: 'processes', key: 'p' })
      return (await again.next('processes')).processes
    })
    .toMatchObject([{ conversations: [expect.any(String)] }])
  process.kill(second.pid, 'SIGTERM')
  await second.ended()
  await expect.poll(() => processWith(second.pid)).toBeUndefined()
  expect(family.map(({ pid }) => processWith(pid))).toEqual(family.map(() => undefined))
  expect([hubOf(data).pid, await connectToHub(data)]).toEqual([second.pid, undefined])
})

test('[O232] runners are listed with what they take; one that is stopped has its turn stopped, and is gone', async () => {
  const { page, view, hub, folder, conversation, runner } = await begun()
  await view.say(conversation, { text: 'do slow 2000' })
  await expect.poll(() => hub.chat.driven().map(([, { state }]) => state)).toEqual(['working'])
  page.say({ type: 'processes', key: 'p' })
  const { processes } = await page.next('processes')
  const one = { runner: 'Codex in work', agent: 'Codex', folder, conversations: [conversation], pid: runner }
  expect(processes).toEqual([{ ...one, memory: expect.any(Number) }])
  // The runner and its agent, which are programs of Node.
  expect((processes as { memory: number }[])[0]?.memory).toBeGreaterThan(40 * 1024 * 1024)
  page.say({ type: 'stop_processes', key: 'q' })
  await page.next('processes')
  await expect.poll(() => processWith(runner), { timeout: 20_000 }).toBeUndefined()
  const { entries } = await view.page(conversation, { limit: 20 })
  expect(entries.flatMap(({ body }) => (body.kind === 'turn' ? body.outcome : [])).at(-1)).toBe('cancelled')
  page.say({ type: 'processes', key: 'r' })
  expect((await page.next('processes')).processes).toEqual([])
})
