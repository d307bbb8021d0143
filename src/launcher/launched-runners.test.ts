import { expect, test } from 'vitest'
import { settled } from '../../test/support/driven/launched-runner.ts'
import { fakeClock } from '../../test/support/fake-clock.ts'
import type { ListedRunner, Runner } from '../protocol/frames/driving.ts'
import { Name } from '../protocol/text/text.ts'
import { openLaunchedRunners } from './launched-runners.ts'

type Parts = Parameters<typeof openLaunchedRunners>[0]

test('[O173] the name of a runner is one that it can offer itself by, whatever its folder is called', async () => {
  const following = { close() {} }
  const { runnerFor } = await openLaunchedRunners({
    notes: { get: async () => undefined, change: async () => {} },
    runners: { offered: () => [], onChange: () => following, launch() {} },
    choices: { all: async () => undefined, keptBy() {} },
    owed: { by: () => [], onWanted: () => following },
    clock: fakeClock(0),
    awake: () => [],
    prepare: () => Promise.reject(new Error('nothing is to be started')),
    tell: async () => {},
    report() {},
  })
  const folders = [
    '/home/shop',
    '/home/shop ',
    '/home/sh\nop',
    `/home/${'a'.repeat(198)}`,
    '/home/x/ \t',
    '/home/\u{d800}',
  ]
  const names = await Promise.all(folders.map((folder) => runnerFor('codex', folder)))
  expect(names.map((name) => Name.safeParse(name).data)).toEqual(names)
  expect(new Set(names).size).toBe(folders.length)
})

test('[O255] modes and models that a runner told are those of all of its agent, with a process or without, also for the next hub', async () => {
  const kept = new Map<string, unknown>()
  const notes = {
    get: async (name: string) => kept.get(name),
    change: async (name: string, change: (value: unknown) => unknown) => kept.set(name, change(kept.get(name))),
  }
  const models = { current: 'large', all: [{ id: 'large', name: 'Large' }] }
  const first = await opened(notes)
  const name = await first.runnerFor('codex', '/home/shop')
  const other = await first.runnerFor('codex', '/home/bar')
  const third = await first.runnerFor('gemini', '/home/bar')
  first.offer({ name, folder: '/home/shop', agent: 'Codex', max_sessions: 5, models })
  expect([other, name, third].map((each) => first.shown(each)?.models)).toEqual([models, models, undefined])
  const next = await opened(notes)
  expect(next.shown(other)?.models).toEqual(models)
})

test('[O262] long lists of a runner are kept for when it has no process, also for the next hub', async () => {
  const kept = new Map<string, unknown>()
  const notes = {
    get: async (name: string) => kept.get(name),
    change: async (name: string, change: (value: unknown) => unknown) => void kept.set(name, change(kept.get(name))),
  }
  const all = Array.from({ length: 3 }, (_, n) => ({ id: `model-${n}`, name: `Model ${n}` }))
  const first = await opened(notes, async (_, list) => (list === 'models' ? all : undefined))
  const name = await first.runnerFor('codex', '/home/shop')
  const other = await first.runnerFor('codex', '/home/bar')
  const offered = { name, folder: '/home/shop', agent: 'Codex', max_sessions: 5 }
  first.offer({ ...offered, models: { all: all.slice(0, 1), total: 3 } })
  await settled()
  const next = await opened(notes)
  expect([await next.kept(name, 'models'), await next.kept(other, 'models')]).toEqual([all, all])
  expect(await next.kept(name, 'modes')).toBeUndefined()
  expect(await next.kept('nobody', 'models')).toBeUndefined()
})

/** Those of one hub, and what people are shown of them. */
async function opened(notes: Parts['notes'], all: Parts['choices']['all'] = async () => undefined) {
  const following = { close() {} }
  const shown = new Map<string, ListedRunner>()
  const changes: (() => void)[] = []
  let offered: Runner[] = []
  let kept: Parts['choices']['all'] = all
  const launched = await openLaunchedRunners({
    notes,
    runners: {
      offered: () => offered,
      onChange: (changed) => {
        changes.push(changed)
        return following
      },
      launch: (runner) => void shown.set(runner.name, runner),
    },
    choices: { all, keptBy: (...told) => ([kept] = told) },
    owed: { by: () => [], onWanted: () => following },
    clock: fakeClock(0),
    awake: () => [],
    prepare: () => Promise.reject(new Error('nothing is to be started')),
    tell: async () => {},
    report() {},
  })
  return { ...launched, shown: (name: string) => shown.get(name), offer, kept }

  function offer(runner: Runner) {
    offered = [runner]
    for (const changed of changes) changed()
  }
}
