import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openLauncher } from '../../src/launcher/launcher.ts'
import type { Launch } from '../../src/protocol/frames/launching.ts'
import { localPrincipal } from '../../src/protocol/principal.ts'
import { homeWith, openLaunching, untilSaid } from '../support/driven/launching.ts'
import { ACP, fakeNpx } from '../support/driven/programs.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { connect, connectPage, type Frame } from '../support/socket.ts'

const LAUNCHED = { agent: 'codex', process: 'none' } as const

test('[O173] a person begins a conversation with an agent in a folder: its runner is started, and told of', async () => {
  const { page, folder, view, linesOf } = await openLaunching({ codex: '', 'codex-acp': ACP })
  const start = { type: 'start', key: 's', agent: 'codex', folder, text: 'Hello there' }
  page.say(start)
  const { conversation } = await page.next('started')
  // The same command again begins nothing.
  page.say(start)
  expect(await page.next('started')).toMatchObject({ conversation })
  await untilSaid(view, String(conversation), 'You said:')
  expect(linesOf('prompts').map(({ text }) => text)).toEqual(['Hello there'])
  expect(view.driving.runners()).toMatchObject([
    { name: 'Codex in work', folder, launched: { agent: 'codex', process: 'running' } },
  ])
})

test('[O174] the catalogue says of each agent whether it can be started and what to do, and where people were', async () => {
  const { page, home, folder, install } = await openLaunching({ claude: '', codex: '', 'codex-acp': ACP, npx: '' })
  page.say({ type: 'catalogue', key: 'c' })
  const { agents, recent, roots } = await page.next('catalogue')
  const states = Object.fromEntries((agents as { id: string; state: string }[]).map(({ id, state }) => [id, state]))
  expect(states).toEqual({
    claude: 'needs_adapter',
    codex: 'ready',
    gemini: 'not_installed',
    opencode: 'not_installed',
    qwen: 'not_installed',
    kimi: 'not_installed',
    copilot: 'not_installed',
    cline: 'not_installed',
    goose: 'not_installed',
  })
  expect(agents).toContainEqual({
    id: 'claude',
    name: 'Claude Code',
    state: 'needs_adapter',
    hint: expect.stringMatching(/^Claude Code needs @agentclientprotocol\/claude-agent-acp [\d.]+, which is fetched/),
    adapter: { package: '@agentclientprotocol/claude-agent-acp', version: expect.stringMatching(/^[\d.]+$/) },
  })
  expect([recent, roots]).toEqual([[], [home]])
  install('goose')
  execFileSync('git', ['init', '-q', '-b', 'trunk', folder])
  page.say({ type: 'start', key: 's', agent: 'goose', folder, text: 'Hello' })
  await page.next('started')
  page.say({ type: 'catalogue', key: 'd' })
  const now = await page.next('catalogue')
  expect(now.recent).toEqual([{ folder, branch: 'trunk', agent: 'goose', at: expect.any(Number) }])
})

test('[O174] an agent that is not there, or that nobody knows, is not started', async () => {
  const { page, folder } = await openLaunching({})
  page.say({ type: 'start', key: 's', agent: 'gemini', folder, text: 'Hello' })
  expect(await page.next('refused')).toMatchObject({
    code: 'agent_missing',
    error: 'Gemini CLI is not installed: npm install -g @google/gemini-cli',
  })
  page.say({ type: 'start', key: 't', agent: 'sh -c ls', folder, text: 'Hello' })
  expect(await page.next('refused')).toMatchObject({ code: 'unknown_agent' })
})

test('[O175] an adapter is fetched once somebody has allowed it, in that version, and then started by itself', async () => {
  const { page, folder, view, home, install } = await openLaunching({ claude: '' })
  install('npx', fakeNpx(home, 'claude-agent-acp'))
  const asked = join(home, 'npx.asked')
  const start = { type: 'start', key: 's', agent: 'claude', folder, text: 'Hello' }
  page.say(start)
  expect(await page.next('refused')).toMatchObject({ code: 'adapter_wanted' })
  page.say({ type: 'allow_adapter', key: 'a', agent: 'claude', version: '0.0.1' })
  expect(await page.next('refused')).toMatchObject({ code: 'adapter_wanted' })
  expect(existsSync(asked)).toBe(false)
  page.say({ type: 'allow_adapter', key: 'b', agent: 'claude', version: '0.99.0' })
  const { key, agents } = await page.next('catalogue')
  expect([key, agents]).toEqual(['b', expect.arrayContaining([{ id: 'claude', name: 'Claude Code', state: 'ready' }])])
  page.say(start)
  const { conversation } = await page.next('started')
  await untilSaid(view, String(conversation), 'You said:')
  expect(readFileSync(asked, 'utf8')).toBe(
    `--yes --package=@agentclientprotocol/claude-agent-acp@0.99.0 -- ${process.execPath} -p process.env.PATH\n`,
  )
})

test('[O175] one that cannot be fetched says why, and is asked about again', async () => {
  const { page } = await openLaunching({ claude: '', npx: 'echo "npm error 404 Not Found" >&2; exit 1' })
  page.say({ type: 'allow_adapter', key: 'a', agent: 'claude', version: '0.99.0' })
  expect(await page.next('refused')).toMatchObject({
    code: 'adapter_failed',
    error: '@agentclientprotocol/claude-agent-acp could not be fetched (404 Not Found); try again later',
  })
  page.say({ type: 'catalogue', key: 'c' })
  const { agents } = await page.next('catalogue')
  expect((agents as { state: string }[])[0]?.state).toBe('needs_adapter')
})

test('[S215] who may not administer starts nothing, and neither does a page of another origin nor a hub that keeps nothing', async () => {
  const { hub, page, folder } = await openLaunching({ codex: '', 'codex-acp': ACP })
  expect(page.welcome).toMatchObject({ launches: true })
  const { secret } = await hub.tokens.create({ name: 'ada', role: 'human' })
  const human = await connectPage(hub.url, {}, { authorization: `Bearer ${secret}` })
  const start = { type: 'start', key: 's', agent: 'codex', folder, text: 'Hello' }
  expect(human.welcome).not.toHaveProperty('launches')
  for (const wanted of [start, { type: 'catalogue', key: 's' }, { type: 'browse', key: 's' }]) {
    human.say(wanted)
    expect(await human.next('refused')).toMatchObject({ code: 'forbidden_role' })
  }
  const other = await startHub(undefined, {}, { origins: ['http://other.example'] })
  const foreign = await connectPage(other.url, {}, { origin: 'http://other.example' })
  other.chat.runners.launch({ name: 'Codex in work', folder, agent: 'Codex', max_sessions: 1, launched: LAUNCHED })
  const chosen = { type: 'start', key: 's', runner: 'Codex in work', text: 'Hello' }
  const wish = { type: 'wish', key: 's', conversation: 'work', runner: 'Codex in work' }
  for (const wanted of [start, chosen, wish]) {
    foreign.say(wanted)
    expect(await foreign.next('refused')).toMatchObject({ code: 'foreign_launch' })
  }
  const own = await connect(other.url, '/ws?dialect=timeline')
  own.say({ type: 'hello' })
  own.say(start)
  expect(await own.next('refused')).toMatchObject({ code: 'no_launcher' })
})

test('[S216] a folder is looked at when the agent is to start: outside of the roots, also by a link, nothing starts', async () => {
  const { page, home } = await openLaunching({ codex: '', 'codex-acp': ACP })
  symlinkSync('/etc', join(home, 'link'))
  for (const [folder, code] of [
    ['/etc', 'folder_forbidden'],
    [join(home, 'link'), 'folder_forbidden'],
    [`${home}/../..`, 'folder_forbidden'],
    [join(home, 'nowhere'), 'folder_gone'],
    [join(home, 'bin', 'codex'), 'folder_gone'],
    ['work', 'invalid'],
  ]) {
    page.say({ type: 'start', key: 's', agent: 'codex', folder, text: 'Hello' })
    expect(await page.next('refused')).toMatchObject({ code })
  }
})

test('[S216] a runner that is there starts no agent in what took the place of its folder', async () => {
  const { page, folder, view, linesOf } = await openLaunching({ codex: '', 'codex-acp': ACP })
  page.say({ type: 'start', key: 's', agent: 'codex', folder, text: 'first' })
  await untilSaid(view, String((await page.next('started')).conversation), 'You said:')
  renameSync(folder, `${folder}-before`)
  symlinkSync(await temporaryFolder(), folder)
  page.say({ type: 'start', key: 't', runner: 'Codex in work', text: 'second' })
  const { conversation } = await page.next('started')
  await untilSaid(view, String(conversation), `${folder} is gone or cannot be read`)
  expect(linesOf('lives')).toHaveLength(1)
})

test('[O233] of ten that begin at once eight do, and no way to begin goes past the question', async () => {
  const { page, folder, view } = await openLaunching({ codex: '', 'codex-acp': ACP })
  const start = (key: string, more: object) => page.say({ type: 'start', key, text: 'do silent', ...more })
  for (let n = 0; n < 10; n++) start(`s${n}`, { agent: 'codex', folder })
  const answers: Frame[] = []
  while (answers.length < 10) {
    const frame = await page.any()
    if (['started', 'refused'].includes(frame.type)) answers.push(frame)
  }
  const begun = answers.flatMap(({ conversation }) => conversation ?? [])
  expect(answers.flatMap(({ code }) => code ?? [])).toEqual(['many_agents', 'many_agents'])
  expect(begun).toHaveLength(8)
  const from = { conversation: begun[0] }
  for (const more of [{ runner: 'Codex in work' }, { from }, { from, runner: 'Codex in work' }]) {
    start('t', more)
    expect(await page.next('refused')).toMatchObject({ code: 'many_agents' })
  }
  start('u', { runner: 'Codex in work', more: true })
  await page.next('started')
  expect(view.driving.runners()).toHaveLength(1)
})

test('[O233] where eight agents are awake, one more is only started for who insists', async () => {
  const { begin, folder } = await openWith(() => Array.from({ length: 8 }, (_, n) => `conversation ${n}`))
  const wanted = { agent: 'codex', folder }
  const runner = 'Codex in work'
  expect(await begin(wanted, 'one')).toBe(`one with ${runner}`)
  for (const one of [wanted, { runner }]) await expect(begin(one, 'two')).rejects.toMatchObject({ code: 'many_agents' })
  expect(await begin({ ...wanted, more: true }, 'three')).toBe(`three with ${runner}`)
})

test('[O233] one that is awake before its start is over counts once, also when its command comes again', async () => {
  const awake = Array.from({ length: 6 }, (_, n) => `conversation ${n}`)
  const { begin, folder } = await openWith(() => awake)
  const wanted = { agent: 'codex', folder }
  const { promise: goOn, resolve: end } = Promise.withResolvers<void>()
  await begin(wanted, 'zero')
  const { promise: isAwake, resolve: wake } = Promise.withResolvers<void>()
  const first = begin(wanted, 'seventh', async () => {
    awake.push('seventh')
    wake()
    await goOn
  })
  await isAwake
  const again = begin(wanted, 'seventh', () => goOn)
  expect(await begin(wanted, 'eighth', () => void awake.push('eighth'))).toBe('eighth with Codex in work')
  const more = begin(wanted, 'seventh', () => goOn)
  await expect(begin(wanted, 'ninth')).rejects.toMatchObject({
    code: 'many_agents',
    message: expect.stringContaining('8'),
  })
  end()
  await Promise.all([first, again, more])
})

/** A launcher whose agents are awake in these conversations, and what begins one, with what happens meanwhile. */
async function openWith(awake: () => string[]) {
  const { folder } = await homeWith({ codex: '', 'codex-acp': ACP })
  const following = { close() {} }
  const launcher = await openLauncher({
    data: await temporaryFolder(),
    roots: [folder],
    commands: { connect: '', demo: '' },
    arrivals: { names: () => [], onChange: () => following },
    given: {},
    notes: { get: async () => undefined, change: async () => {} },
    runners: { offered: () => [], onChange: () => following, launch() {} },
    lookedAtBy() {},
    choices: { all: async () => undefined, keptBy() {} },
    owed: { by: () => [], onWanted: () => following },
    awake,
    tell: async () => {},
    report(error) {
      throw error
    },
  })
  onTestFinished(launcher.endAll)
  const launching = launcher.as(() => localPrincipal('human'))
  return { folder, begin }

  function begin(launch: Launch, key: string, meanwhile: () => Promise<void> | void = () => {}) {
    return launching.begin(launch, {
      key,
      nameWith: async () => key,
      hasBegun: async () => false,
      async begin(name) {
        await meanwhile()
        return `${key} with ${name}`
      },
    })
  }
}
