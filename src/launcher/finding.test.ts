import { chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/hub.ts'
import { CATALOGUE } from './catalogue.ts'
import { findAgent } from './finding.ts'
import { launchEnvironment } from './launch-environment.ts'

test('[S218] a program is found at absolute places only: another one may be there for the folder of an agent', async () => {
  const base = realpathSync(await temporaryFolder())
  const bin = join(base, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'goose'), '#!/bin/sh\n')
  chmodSync(join(bin, 'goose'), 0o755)
  const goose = CATALOGUE.filter(({ id }) => id === 'goose')
  const found = (PATH: string) => goose.map((agent) => findAgent(agent, { env: { PATH }, platform: process.platform }))
  expect(found(relative(process.cwd(), bin))).toEqual([{ missing: 'agent' }])
  expect(found(`.:${bin}`)).toEqual([{ words: [join(bin, 'goose'), 'acp'] }])
})

test('[S218] what is started finds programs at absolute places only, and has nothing of Parley', () => {
  const environment = launchEnvironment({
    PATH: '.:/usr/bin::node_modules/.bin:/bin',
    parley_token: 'x',
    HOME: '/home',
  })
  expect(environment).toEqual({ PATH: '/usr/bin:/bin', HOME: '/home', PARLEY_DRIVEN_BY: '' })
})
