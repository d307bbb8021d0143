import { execFileSync } from 'node:child_process'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { offerRunner } from '../../src/agents/runner.ts'

test('[O230] a runner tells the branch that its folder is in, as it is each time it offers itself', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'parley-branch-'))
  const offers: unknown[] = []
  const told = () => Promise.withResolvers<void>()
  let next = told()
  const runner = { name: 'shop', folder: place.path, agent: 'claude', max_sessions: 1 }
  const link = {
    async call(_: string, { runner }: { runner?: unknown }) {
      offers.push(runner)
      next.resolve()
      return {} as never
    },
  }
  const { renew, close } = await offerRunner({
    link,
    holder: 'h',
    runner,
    report: (error) => expect.fail(String(error)),
  })
  expect(offers).toEqual([runner])
  execFileSync('git', ['init', '-q', '-b', 'trunk', place.path])
  next = told()
  renew()
  await next.promise
  expect(offers.at(-1)).toEqual({ ...runner, branch: 'trunk' })
  await close()
})
