import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startDriven, startRunner, watching } from '../support/driven/driven.ts'
import { scriptedDriver } from '../support/driven/scripted-driver.ts'
import { temporaryFolder } from '../support/hub.ts'

test('[O210] people see what the agent of a conversation changed in its folder, also while it sleeps', async () => {
  const { folder, data, driver } = await aShop()
  const { view, watch, runner } = await startDriven({ driver, folder, idleMs: 0 }, data)
  await view.say('work', { text: 'Hello' })
  await watch.until('turn')
  const found = await view.changes('work')
  expect(found).toMatchObject({ against: 'start', branch: 'main', folder })
  expect(found.files).toMatchObject([
    { path: 'b.txt', kind: 'added', patch: expect.stringContaining('+by the agent\n') },
  ])
  expect(await view.changes('work', 'a.txt')).toMatchObject({ files: [] })
  expect(runner.problems).toEqual([])
  // The next process knows it, too; where none is, nothing is known but what was reported.
  await runner.close()
  expect(await view.changes('work')).toEqual({ against: 'reported', files: [], left_out: [] })
  const next = await startRunner(data, { driver, folder })
  expect(await view.changes('work')).toMatchObject({ against: 'start', files: [{ path: 'b.txt' }] })
  expect(readdirSync(join(data, 'runner.db.changes'))).toHaveLength(1)
  await view.forget('work')
  await expect.poll(() => readdirSync(join(data, 'runner.db.changes'))).toEqual([])
  expect(next.problems).toEqual([])
})

test('[O212] a folder that an agent only says it works in is never looked at', async () => {
  const { folder, data, driver } = await aShop()
  const { view } = await startDriven({ driver, folder }, data)
  view.agentSession({ title: 'Other', conversation: 'other', folder, isProven: true })
  await view.tell('other', { by: 'eve', text: 'I am in your folder' })
  await view.record('other', { kind: 'title', title: 'Other', folder })
  writeFileSync(join(folder, 'c.txt'), 'a change')
  expect(await view.changes('other')).toEqual({ against: 'reported', files: [], left_out: [] })
  expect(existsSync(join(folder, 'c.txt'))).toBe(true)
})

test('[O214] [O288] without git, it is what the agent told of its edits, by the paths from its folder', async () => {
  const folder = await temporaryFolder()
  const { driver } = scriptedDriver((_, { happens }) => {
    const step = { id: 'one', tool_name: 'Edit', input: { path: 'a.txt' }, state: 'done' as const }
    happens({ type: 'tool', step: { ...step, changes: [{ path: 'a.txt', old_text: 'one', new_text: 'two' }] } })
    happens({
      type: 'tool',
      step: { ...step, id: 'two', changes: [{ path: join(folder, 'a.txt'), old_text: 'two', new_text: 'three' }] },
    })
    return undefined
  })
  const { view } = await startDriven({ driver, folder, name: 'robot' })
  const { conversation } = await view.start({ runner: 'robot' }, { text: 'Hello' }, 'first')
  await watching(view, conversation).until('turn')
  expect(await view.changes(conversation)).toEqual({
    against: 'reported',
    files: [{ path: 'a.txt', kind: 'changed', edits: [{ old_text: 'one', new_text: 'three' }] }],
    left_out: [],
  })
})

async function aShop() {
  const folder = await temporaryFolder()
  const data = await temporaryFolder()
  writeFileSync(join(folder, 'a.txt'), 'one\n')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first')
  writeFileSync(join(folder, 'a.txt'), 'two, by the person\n')
  const { driver } = scriptedDriver(
    () => {
      writeFileSync(join(folder, 'b.txt'), 'by the agent\n')
      return undefined
    },
    { starts: () => lookedThrough(data) },
  )
  return { folder, data, driver }
}

/** An agent of flesh and blood takes longer to start than this takes. */
async function lookedThrough(data: string) {
  const folders = () => globSync(join(data, 'runner.db.changes/*/start.json'))
  await expect.poll(() => folders().map((path) => 'tree' in JSON.parse(readFileSync(path, 'utf8')))).toEqual([true])
}
