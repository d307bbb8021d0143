import { execFileSync } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { homeWith, openLaunching } from '../support/driven/launching.ts'
import { ACP } from '../support/driven/programs.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { type Client, connectPage, type Frame } from '../support/socket.ts'

const START = { type: 'start', agent: 'codex', text: 'do silent' }
const TREE = { worktree: { branch: 'fix' } }

for (const role of ['revoked', 'human', 'agent'] as const)
  test(`[S223] who may start agents no longer when the working tree is there starts none: ${role}`, async () => {
    const { hub, folder, view, slowly } = await protectedHub()
    const ada = await hub.pageOf('ada')
    const bob = await hub.pageOf('bob')
    const reached = slowly()
    ada.say({ ...START, key: 's', folder, ...TREE })
    const goOn = await reached()
    if (role === 'revoked') await hub.tokens.revoke('ada')
    else await hub.tokens.create({ name: 'ada', role })
    await goOn()
    // The same tree, so that it comes behind the first one.
    bob.say({ ...START, key: 's', folder, ...TREE })
    const { conversation } = await bob.next('started')
    expect((await view.conversations({ limit: 10 })).map(({ id }) => id)).toEqual([conversation])
  })

test('[S223] what is listed of sessions is listed by nobody who lost the right meanwhile', async () => {
  const { hub, folder, home, linesOf, install } = await protectedHub()
  const { wait, reached } = gateIn(home)
  install('codex-acp', `${wait}; ${ACP}`)
  const [ada, bob] = [await hub.pageOf('ada'), await hub.pageOf('bob')]
  bob.say({ type: 'sessions', key: 'b', agent: 'codex', folder })
  const goOn = await reached()
  ada.say({ type: 'sessions', key: 'a', agent: 'codex', folder })
  // What was said before it is behind the other question by now.
  ada.say({ type: 'catalogue', key: 'c' })
  await ada.next('catalogue')
  await hub.tokens.revoke('ada')
  await goOn()
  await bob.next('sessions')
  bob.say({ type: 'sessions', key: 'd', agent: 'codex', folder })
  await bob.next('sessions')
  expect(linesOf('lives')).toHaveLength(2)
})

test('[O258] a start that is repeated while eight are awake, or while it waits, is the first one', async () => {
  const { page, folder, slowly } = await openSlowly()
  for (let n = 0; n < 7; n++) page.say({ ...START, key: `s${n}`, folder })
  for (let n = 0; n < 7; n++) await page.next('started')
  const reached = slowly()
  const eighth = { ...START, key: 'eighth', folder, ...TREE }
  page.say(eighth)
  const goOn = await reached()
  page.say(eighth)
  page.say({ ...START, key: 'ninth', folder })
  expect(await page.next('refused')).toMatchObject({ key: 'ninth', code: 'many_agents' })
  await goOn()
  const answers = [await answer(page), await answer(page)]
  page.say(eighth)
  answers.push(await answer(page))
  page.say({ ...START, key: 's3', folder })
  page.say({ type: 'start', key: 's3', runner: 'Codex in work', text: START.text })
  const earlier = [await answer(page), await answer(page)]
  expect(answers.map(({ type }) => type)).toEqual(['started', 'started', 'started'])
  expect(new Set(answers.map(({ conversation }) => conversation)).size).toBe(1)
  expect(earlier.map(({ type }) => type)).toEqual(['started', 'started'])
  page.say({ ...START, key: 'other', folder, worktree: { branch: 'other' } })
  expect(await page.next('refused')).toMatchObject({ code: 'many_agents' })
  expect(execFileSync('git', ['-C', folder, 'branch', '--list', 'other'], { encoding: 'utf8' })).toBe('')
})

type Machine = Awaited<ReturnType<typeof homeWith>>

async function answer(page: Client): Promise<Frame> {
  for (;;) {
    const frame = await page.any()
    if (['started', 'refused'].includes(frame.type)) return frame
  }
}

/** A hub with a page and an agent, in a folder with a repository. */
async function openSlowly() {
  const opened = await openLaunching({ codex: '', 'codex-acp': ACP })
  return { ...opened, slowly: slowGit(opened) }
}

/** A hub with two administrators who have tokens. */
async function protectedHub() {
  const machine = await homeWith({ codex: '', 'codex-acp': ACP })
  const hub = await startHubWithSocket(await temporaryFolder())
  const secrets = new Map<string, string>()
  for (const name of ['ada', 'bob']) secrets.set(name, (await hub.tokens.create({ name, role: 'admin' })).secret)
  const pageOf = (name: string) => connectPage(hub.url, {}, { authorization: `Bearer ${secrets.get(name)}` })
  return { ...machine, hub: { ...hub, pageOf }, view: hub.view, slowly: slowGit(machine) }
}

/** Makes a repository of the folder, and its git wait. */
function slowGit({ home, folder, install }: Machine) {
  execFileSync('git', ['init', '-q', '-b', 'trunk', folder])
  const commit = ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', '1']
  execFileSync('git', ['-C', folder, ...commit])
  return () => {
    const { wait, reached } = gateIn(home)
    install('git', `case "$*" in *"worktree add"*) ${wait};; esac; exec /usr/bin/git "$@"`)
    return reached
  }
}

/** What the first program waits at that comes there. */
function gateIn(home: string) {
  const [gate, passed] = [join(home, 'gate'), join(home, 'passed')]
  execFileSync('mkfifo', [gate])
  return {
    wait: `mkdir ${passed} 2>/dev/null && cat ${gate}`,
    /** Resolves once somebody waits there, with what lets it go on. */
    async reached() {
      const held = await open(gate, 'w')
      onTestFinished(() => held.close().catch(() => {}))
      return () => held.close()
    },
  }
}
