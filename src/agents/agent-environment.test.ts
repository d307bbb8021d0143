import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { aFolder, drivenAgent, PARLEY } from '../../test/support/driven/driven-agent.ts'
import { driveModel, TOOLS_SERVER } from '../../test/support/driven/driven-model.ts'
import { commandDriver } from './command/command-driver.ts'
import type { Happening } from './driver.ts'

const OWN = { PARLEY_TOKENS: 'ada:human:one', PARLEY_TOKEN: 'two', PARLEY_DATA: '/three' }

beforeEach(() => {
  for (const [name, value] of Object.entries({ ...OWN, COLOUR: 'red' })) vi.stubEnv(name, value)
  return () => vi.unstubAllEnvs()
})

test('[O170] an ACP agent gets nothing of Parley, and the rest', async () => {
  const folder = aFolder()
  const script = `require('node:fs').writeFileSync('env.json', JSON.stringify(process.env))`
  await drivenAgent({ command: `"${process.execPath}" -e "${script}"`, folder }).catch(() => {})
  expect(parleysIn(JSON.parse(readFileSync(join(folder, 'env.json'), 'utf8')))).toEqual([])
})

test('[O170] a command gets the name of its conversation, and the rest', async () => {
  let said = ''
  const happens = (happening: Happening) => {
    if (happening.type === 'text') said += happening.text
  }
  const command = `"${process.execPath}" -p "JSON.stringify(process.env)"`
  const session = await commandDriver(command).start({
    conversation: 'work',
    folder: aFolder(),
    parley: PARLEY,
    happens,
  })
  await session.prompt({ text: '' })
  expect(parleysIn(JSON.parse(said))).toEqual(['PARLEY_KEY', 'PARLEY_SESSION'])
})

test('[O170] the servers of a model get nothing of Parley, nor its key, and the rest', async () => {
  const names = [...Object.keys(OWN), 'OPENAI_API_KEY', 'COLOUR']
  const calls = names.map((text) => ({ name: 'tools_environment', input: { text } }))
  const { agent, steps } = await driveModel('openai', [{ calls }, { say: ['Done.'] }], {
    servers: [TOOLS_SERVER],
    environment: { ...process.env, OPENAI_API_KEY: 'secret' },
    verdict: { outcome: 'approved', option: 'allow_once' },
  })
  await agent.prompt({ text: 'Go' })
  expect(steps().map(({ output }) => output)).toEqual(['not set', 'not set', 'not set', 'not set', 'red'])
})

/** Without the one by which its processes are found. */
function parleysIn(environment: Record<string, string>): string[] {
  expect(environment.COLOUR).toBe('red')
  return Object.keys(environment).filter((name) => name.startsWith('PARLEY_') && name !== 'PARLEY_DRIVEN_BY')
}
