import { expect, test } from 'vitest'
import { fakeClock } from '../../test/support/fake-clock.ts'
import { Name } from '../protocol/text/text.ts'
import { openLaunchedRunners } from './launched-runners.ts'

test('[O173] the name of a runner is one that it can offer itself by, whatever its folder is called', async () => {
  const following = { close() {} }
  const { runnerFor } = await openLaunchedRunners({
    notes: { get: async () => undefined, put: async () => {} },
    runners: { offered: () => [], onChange: () => following, launch() {} },
    owed: { by: () => [], onWanted: () => following },
    clock: fakeClock(0),
    awake: () => [],
    start: () => Promise.reject(new Error('nothing is to be started')),
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
