import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { View } from '../../src/chat/view.ts'
import { SCRIPTED } from '../support/driven/driven-agent.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { startParley } from '../support/process.ts'

/** Runs it in vain, and answers with what the terminal and the page are told. */
async function triedRun(view: View, data: string, args: string[], env: Record<string, string> = {}) {
  const { code, stderr } = await startParley(['run', '--data', data, ...args], env).ended
  // Above it may stand that the hub of the tests is another than their environment asks for.
  const sentence = stderr.trim().split('\n').at(-1)
  const shown = view.driving.runners()?.filter(({ failed_at }) => failed_at !== undefined)
  return { code, sentence, shown }
}

const NO_PROGRAM = 'The program "no-such-agent" cannot be started (it is not there); install it, or give its path'

test.each([
  ['an unknown command', ['--acp', 'no-such-agent --acp'], NO_PROGRAM, 'no-such-agent'],
  [
    'a program that speaks no ACP',
    ['--acp', 'cat'],
    'cat does not speak ACP: it does not know how to begin; many agents do only with an option such as --acp',
    'cat',
  ],
  [
    'an agent that wants a login',
    ['--acp', SCRIPTED],
    'acp-agent wants a login: sign in with its own program, then try again',
    'acp-agent',
  ],
  [
    'a model without a key',
    ['--model', 'anthropic:claude-x'],
    'anthropic needs a key; set ANTHROPIC_API_KEY in the environment',
    'anthropic:claude-x',
  ],
])('[C121] %s is one sentence in the terminal and in the page', async (_, args, problem, agent) => {
  const data = await temporaryFolder()
  const { view } = await startHubWithSocket(data)
  const env = { ACP_AGENT: '{"login":"new"}', ACP_AGENT_FOLDER: data, ANTHROPIC_API_KEY: '' }
  const { code, sentence, shown } = await triedRun(view, data, [...args, '--name', 'api', '--cwd', data], env)
  expect([code, sentence]).toEqual([1, problem])
  expect(shown).toMatchObject([{ name: 'api', folder: data, agent, problem }])
})

test('[C121] so are a folder that is not there and a second run of the same name, and the first goes on', async () => {
  const data = await temporaryFolder()
  const { view } = await startHubWithSocket(data)
  const folder = join(data, 'nowhere')
  const lost = await triedRun(view, data, ['--command', 'cat', '--cwd', folder])
  const problem = `${folder} does not exist; make it, or name another with --cwd`
  expect([lost.code, lost.sentence]).toEqual([1, problem])
  expect(lost.shown).toMatchObject([{ name: 'cat in nowhere', folder, agent: 'cat', problem }])
  const first = startParley(['run', '--command', 'cat', '--name', 'cat in nowhere', '--data', data])
  await first.said(/is there for you/)
  for (const args of [[], ['--state', join(data, 's.db')]]) {
    const second = await triedRun(view, data, ['--command', 'cat', '--name', 'cat in nowhere', ...args])
    expect(second.code).toBe(1)
    expect(second.shown).toMatchObject([{ name: 'cat in nowhere', problem: second.sentence }])
    expect(second.sentence).toMatch(/already (?:there|running), in .* --name/)
  }
  expect(view.driving.runners()?.[0]).not.toHaveProperty('problem')
})

test('[C121] what is typed wrongly is told in the terminal alone', async () => {
  const data = await temporaryFolder()
  const { view } = await startHubWithSocket(data)
  const { code, shown } = await triedRun(view, data, ['--command', 'cat', '--delivery', 'stear'])
  expect([code, shown]).toEqual([2, []])
})

test('[C122] no hub is started only to be told why there is no run', async () => {
  const data = await temporaryFolder()
  const { code } = await startParley(['run', '--command', 'cat', '--cwd', join(data, 'nowhere'), '--data', data]).ended
  expect(code).toBe(1)
  expect(existsSync(join(data, 'parley.db'))).toBe(false)
})
