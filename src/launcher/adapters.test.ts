import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../test/support/hub.ts'
import { processWith } from '../io/descendants.ts'
import { programOnPath } from '../io/programs/program-on-path.ts'
import { openAdapters } from './adapters.ts'

test('[S220] a project around the data folder gives `npx` no package of its own', async () => {
  const project = realpathSync(await temporaryFolder())
  const data = join(project, '.parley')
  const packaged = join(project, 'node_modules/mine')
  const bin = join(project, 'node_modules/.bin')
  for (const folder of [data, packaged, bin]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(project, 'package.json'), '{}')
  writeFileSync(join(packaged, 'package.json'), '{"name":"mine","version":"1.0.0","bin":{"mine":"mine.js"}}')
  writeFileSync(join(packaged, 'mine.js'), '', { mode: 0o755 })
  symlinkSync('../mine/mine.js', join(bin, 'mine'))
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('npm_config_offline', 'true')
  const notes = { get: async () => undefined, change: async () => {} }
  const adapters = await openAdapters({ notes, data, changed() {} })
  const npx = programOnPath('npx', { env: process.env, platform: process.platform }) ?? ''
  const wanted = { program: 'mine', package: 'mine', version: '1.0.0' }
  await expect(adapters.fetch(wanted, npx)).rejects.toMatchObject({ code: 'adapter_failed' })
})

test('[S223] a hub that ends waits for no adapter, and leaves nothing that fetches one', async () => {
  const data = realpathSync(await temporaryFolder())
  const [pids, npx] = [join(data, 'pids'), join(data, 'npx')]
  execFileSync('mkfifo', [pids])
  writeFileSync(npx, `#!/bin/sh\necho $$ > ${pids}\nexec sleep 600\n`, { mode: 0o755 })
  const adapters = await openAdapters({
    notes: { get: async () => undefined, change: async () => {} },
    data,
    changed() {},
  })
  const fetching = adapters.fetch({ program: 'mine', package: 'mine', version: '1.0.0' }, npx)
  const pid = Number(await readFile(pids, 'utf8'))
  adapters.close()
  await expect(fetching).rejects.toMatchObject({ code: 'adapter_failed' })
  await expect.poll(() => processWith(pid)).toBeUndefined()
  expect(readdirSync(data)).not.toContainEqual(expect.stringMatching(/^fetching-/))
})
