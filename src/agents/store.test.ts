import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../test/support/hub.ts'
import { openStore } from './store.ts'
import { newTurn } from './turns/ui-state.ts'

const URI = 'ui://chat/inbox'

function said(id: string, text: string, conversation = 'work') {
  return { id, conversation, text }
}

async function fileOfStore(): Promise<string> {
  return join(await temporaryFolder(), 'runs', 'agent.db')
}

function opened(path: string) {
  const store = openStore(path)
  onTestFinished(store.close)
  return store
}

test('[O35] a text is taken once and in order, and the watermark moves with it', async () => {
  const path = await fileOfStore()
  const store = openStore(path)
  store.take(URI, [said('1', 'One'), said('2', 'Two')], '2')
  store.take(URI, [said('2', 'Two'), said('3', 'Three')], '3')
  store.close()
  const next = opened(path)
  expect(next.toGive('work').map(({ text }) => text)).toEqual(['One', 'Two', 'Three'])
  expect(next.watermark(URI)).toBe('3')
  expect(next.unfinished()).toEqual(['work'])
})

test('[O35] what cannot be stored whole leaves the watermark where it was', async () => {
  const store = opened(await fileOfStore())
  store.take(URI, [said('1', 'One')], '1')
  const broken = { ...said('2', 'Two'), conversation: undefined as unknown as string }
  expect(() => store.take(URI, [broken], '2')).toThrow()
  expect([store.watermark(URI), store.toGive('work').length]).toEqual(['1', 1])
})

test('[O36] other words are taken while the agent was not given a text, and later no more', async () => {
  const store = opened(await fileOfStore())
  store.take(URI, [said('1', 'One'), said('2', 'Two'), said('3', 'Three')], '3')
  store.setText('2', 'received')
  store.give('work', ['3'], newTurn('t', ['3']))
  for (const id of ['1', '2', '3']) store.reword(id, { text: `Another ${id}` })
  store.setText('3', 'received')
  expect(store.toGive('work').map(({ text }) => text)).toEqual(['Another 1', 'Another 2', 'Three'])
})

test('[O98] the number of prompts is of one session of the agent, and is forgotten with it', async () => {
  const store = opened(await fileOfStore())
  store.saveSession('work', 'session-1')
  store.savePrompts('work', 3)
  expect(store.promptsIn('work')).toBe(3)
  store.saveSession('work', 'session-2')
  expect(store.promptsIn('work')).toBeUndefined()
  store.savePrompts('work', 1)
  store.savePrompts('work', undefined)
  expect(store.promptsIn('work')).toBeUndefined()
  store.savePrompts('work', 1)
  store.forget('work')
  expect(store.promptsIn('work')).toBeUndefined()
})

test('[O37] the file is of one process; a second one is told what to do', async () => {
  const path = await fileOfStore()
  const { holder } = opened(path)
  expect(holder).toMatch(/^[\da-f-]{36}$/)
  const script = `import { openStore } from ${JSON.stringify(new URL('./store.ts', import.meta.url).href)}
    openStore(${JSON.stringify(path)})`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toContain(
    `This runner is already running, in another process that has ${path} open; give this one another name with --name`,
  )
})

test('[O37] a file that is of a newer Parley, or none of ours, is left as it is and named', async () => {
  const path = await fileOfStore()
  openStore(path).close()
  const db = new DatabaseSync(path)
  db.exec('PRAGMA user_version = 99')
  db.close()
  expect(() => openStore(path)).toThrow(
    `${path} cannot be used (it is of a newer Parley); name another file with --state`,
  )
  const other = join(await temporaryFolder(), 'other.db')
  writeFileSync(other, 'no database, but long enough to be looked at as one'.repeat(20))
  expect(() => openStore(other)).toThrow(expect.objectContaining({ code: 'state_unusable' }))
  expect(readFileSync(other, 'utf8')).toMatch(/^no database/)
})

test('[O38] the state of a turn is there after a restart, until it was told', async () => {
  const path = await fileOfStore()
  const store = openStore(path)
  store.saveUi('work', { ...newTurn('t1', ['1']), growing: { id: 't1:1', kind: 'message', text: 'So far' } })
  store.close()
  const next = opened(path)
  expect(next.uiState('work')).toMatchObject({ turn: 't1', texts: ['1'], growing: { text: 'So far' } })
  expect(next.unfinished()).toEqual(['work'])
  next.dropUi('work')
  expect(next.uiState('work')).toBeUndefined()
})

test('[O39] what is done keeps no words', async () => {
  const store = opened(await fileOfStore())
  store.take(URI, [said('1', 'A secret')], '1')
  store.setText('1', 'done')
  store.take(URI, [said('1', 'A secret')], '1')
  expect(store.toGive('work')).toEqual([])
})

test('[O111] nothing of what is forgotten is left in the file, and what still ends there is not kept', async () => {
  const path = await fileOfStore()
  const store = opened(path)
  store.take(URI, [said('1', 'zqjx says', 'zqjx'), said('2', 'Two')], '2')
  store.give('zqjx', ['1'], newTurn('zqjx-turn', ['1']))
  store.saveSession('zqjx', 'zqjx-session')
  expect(store.conversations()).toEqual(['work', 'zqjx'])
  store.forget('zqjx')
  store.saveUi('zqjx', newTurn('zqjx-turn', []))
  store.saveSession('zqjx', undefined)
  for (const file of [path, `${path}-wal`]) expect(readFileSync(file).includes('zqjx')).toBe(false)
  expect([store.conversations(), store.toGive('work').length]).toEqual([['work'], 1])
  store.take(URI, [said('3', 'Again', 'zqjx')], '3')
  store.saveSession('zqjx', 'new')
  expect(store.agentSession('zqjx')).toBe('new')
})

test('[G336] a file of a newer Parley is refused and left closed', async () => {
  const path = await fileOfStore()
  openStore(path).close()
  const newer = new DatabaseSync(path)
  newer.exec('PRAGMA user_version = 99')
  newer.close()
  expect(() => openStore(path)).toThrow('newer Parley')
  const next = new DatabaseSync(path)
  onTestFinished(() => next.close())
  next.exec('BEGIN EXCLUSIVE')
})
