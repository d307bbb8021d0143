import { mkdtempSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { machineIn } from '../../support/driven/programs.ts'
import { test as base } from './fixture.ts'

type Machine = ReturnType<typeof machineIn>

/** On a machine that has these programs and no agents besides; its home is all that agents may work in. */
export const test = base.extend<{ programs: Record<string, string>; machine: Machine }>({
  programs: [{}, { option: true }],
  machine: [
    async ({ programs }, use) => {
      const home = realpathSync(mkdtempSync(join(tmpdir(), 'parley-machine-')))
      const machine = machineIn(home, programs)
      const before = Object.keys(machine.env).map((name) => [name, process.env[name]] as const)
      Object.assign(process.env, machine.env)
      await use(machine)
      // The home folder is read from the environment itself, which another object in its place would leave as it is.
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
    { auto: true },
  ],
  hub: async ({ machine: _, hub }, use) => use(hub),
})
