import { expect, test } from 'vitest'
import type { ListedRunner } from '../../../src/protocol/frames/driving.ts'
import type { Catalogue, LaunchableAgent } from '../../../src/protocol/frames/launching.ts'
import { Wanted } from './wanted.svelte.ts'

const CLAUDE: LaunchableAgent = { id: 'claude', name: 'Claude Code', state: 'needs_adapter' }
const CODEX: LaunchableAgent = { id: 'codex', name: 'Codex', state: 'ready' }
const GOOSE: LaunchableAgent = { id: 'goose', name: 'Goose', state: 'not_installed' }
const WEB = { folder: '/home/ada/web', branch: 'main', agent: 'codex', at: 2 }
const NOTES = { folder: '/home/ada/notes', at: 1 }
const CATALOGUE: Catalogue = {
  agents: [CLAUDE, CODEX, GOOSE],
  recent: [WEB, NOTES],
  roots: ['/home/ada'],
  commands: { connect: '', demo: '' },
  arrived: [],
}
const API: ListedRunner = { name: 'api', folder: '/home/ada/api', agent: 'gemini --acp', max_sessions: 4 }
const MODELS = { current: 'small', all: [{ id: 'small', name: 'Small' }] }
const LAUNCHED: ListedRunner = {
  ...API,
  name: 'Codex in notes',
  folder: NOTES.folder,
  launched: { agent: 'codex', process: 'running' },
  models: MODELS,
}

function wantedOf(catalogue: Catalogue | undefined, runners: ListedRunner[] = [], lastRunner?: string) {
  return new Wanted({ catalogue, runners, last: { runner: lastRunner } })
}

test('[U313] until the person chooses, it is the agent and the folder of the last time', () => {
  expect(wantedOf(CATALOGUE, [API]).request).toEqual({ agent: 'codex', folder: WEB.folder })
  const beside = wantedOf(CATALOGUE, [API, LAUNCHED], LAUNCHED.name)
  expect(beside.request).toEqual({ agent: 'codex', folder: NOTES.folder })
  expect(wantedOf(CATALOGUE, [API], 'api').request).toEqual({ runner: 'api' })
})

test('[U313] where there was none, it is a runner that somebody started, then an agent that is ready', () => {
  const first = { ...CATALOGUE, recent: [] }
  expect(
    wantedOf(first, [
      { ...API, problem: 'No' },
      { ...API, name: 'b' },
    ]).request,
  ).toEqual({ runner: 'b' })
  const wanted = wantedOf(first)
  expect([wanted.agent, wanted.request]).toEqual([CODEX, undefined])
  wanted.chooseFolder(NOTES)
  expect(wanted.request).toEqual({ agent: 'codex', folder: NOTES.folder })
})

test('[U313] nothing begins with an agent whose adapter nobody allowed, and with one that wants a login it is tried', () => {
  const wanted = wantedOf(CATALOGUE)
  wanted.choose({ agent: 'claude' })
  expect([wanted.agent, wanted.request]).toEqual([CLAUDE, undefined])
  const locked = wantedOf({ ...CATALOGUE, agents: [{ ...CODEX, state: 'needs_sign_in' }] })
  expect(locked.request).toMatchObject({ agent: 'codex' })
  expect([wanted.installed, wanted.missing]).toEqual([[CLAUDE, CODEX], [GOOSE]])
})

test('[U313] a new working tree wants a branch, and a folder that is in a repository', () => {
  const wanted = wantedOf(CATALOGUE)
  wanted.branch = ' '
  expect(wanted.request).toBeUndefined()
  wanted.branch = ' fix '
  expect(wanted.request).toEqual({ agent: 'codex', folder: WEB.folder, worktree: { branch: 'fix' } })
  wanted.chooseFolder(NOTES)
  expect(wanted.request).toEqual({ agent: 'codex', folder: NOTES.folder })
})

test('[U313] modes and models are those that the agent told anywhere, and go with the choice', () => {
  const wanted = wantedOf(CATALOGUE, [API, LAUNCHED])
  expect(wanted.offered).toMatchObject({ models: MODELS })
  wanted.model = 'small'
  expect(wanted.request).toEqual({ agent: 'codex', folder: WEB.folder, model: 'small' })
  wanted.choose({ agent: 'claude' })
  expect([wanted.offered, wanted.model]).toEqual([{}, undefined])
})

test('[U313] who may not administer the hub sees runners alone, also those that it started', () => {
  const wanted = wantedOf(undefined, [API, LAUNCHED], LAUNCHED.name)
  expect([wanted.installed, wanted.missing, wanted.started]).toEqual([[], [], [API, LAUNCHED]])
  expect(wanted.request).toEqual({ runner: LAUNCHED.name })
  expect(wantedOf(CATALOGUE, [API, LAUNCHED]).started).toEqual([API])
})
