import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder, drivenAgent, linesIn, SCRIPTED } from '../../../test/support/driven/driven-agent.ts'
import { ParleyError } from '../../protocol/errors.ts'

const node = (script: string) => `"${process.execPath}" -e "${script}"`

test('[O75] an agent that wants a login says what to run, when it begins or when it is prompted', async () => {
  const name = '@agentclientprotocol/codex-acp'
  await expect(drivenAgent({ nature: { login: 'new', name } })).rejects.toThrow(
    'Robo wants a login: run codex login in a terminal, then try again',
  )
  await expect(drivenAgent({ nature: { login: 'new', terminalLogin: true } })).rejects.toThrow(
    `Robo wants a login: run ${SCRIPTED} --login in a terminal, then try again`,
  )
  const { prompt } = await drivenAgent({ nature: { login: 'prompt' } })
  expect(await prompt('hello')).toEqual({
    outcome: 'failed',
    problem: 'Robo wants a login: sign in with its own program, then try again',
  })
})

test('[O76] a program or a folder that is not there is one sentence', async () => {
  await expect(drivenAgent({ command: 'no-such-agent --acp' })).rejects.toThrow(
    'The program "no-such-agent" cannot be started (it is not there); install it, or give its path',
  )
  const folder = join(aFolder(), 'gone')
  await expect(drivenAgent({ folder })).rejects.toThrow(`${folder} does not exist`)
})

test('[O76] an agent that ends at once is told with the last line of its stderr', async () => {
  const command = node(`console.error('chatter\\n\\u001b[31mNo API key\\u001b[0m\\n'); process.exit(2)`)
  await expect(drivenAgent({ command })).rejects.toThrow(
    'Robo ended before it could be used: it ended with code 2: No API key',
  )
  await expect(drivenAgent({ command: node(`console.log('usage: tool FILE')`) })).rejects.toThrow(
    'Robo ended before it could be used: it ended with code 0: usage: tool FILE',
  )
})

test('[O76] a program that speaks no ACP is told as such, and ended', async () => {
  const option = 'many agents do only with an option such as --acp'
  await expect(drivenAgent({ command: 'cat' })).rejects.toThrow(
    `Robo does not speak ACP: it does not know how to begin; ${option}`,
  )
  // Its first word is there by then, because a shell is there at once.
  const silent = 'sh -c "echo Welcome!; sleep 600"'
  await expect(drivenAgent({ command: silent, patience: { startMs: 5000 } })).rejects.toThrow(
    `Robo does not speak ACP: it gave no answer within 5 s and said: Welcome!; ${option}`,
  )
  await expect(drivenAgent({ nature: { version: 2 } })).rejects.toThrow(
    `Robo does not speak ACP: it speaks version 2, not 1; ${option}`,
  )
})

test('[O77] an agent that is gone in the middle of a turn fails the turn, and its loss is told in one sentence', async () => {
  const { session, prompt, says } = await drivenAgent()
  const how = 'it ended with code 3: out of memory'
  const problem = new ParleyError('agent_ended', { agent: 'Robo', how }).message
  expect(await prompt('do crash')).toEqual({ outcome: 'failed', problem })
  expect(says()).toBe('I am about to')
  expect(await session.lost).toBe(problem)
  expect(await prompt('hello?')).toEqual({ outcome: 'failed', problem, unsent: true })
  const killed = await drivenAgent()
  expect(await killed.prompt('do die')).toMatchObject({ problem: 'Robo is gone: it was ended by SIGKILL' })
})

test('[O77] a question of an agent that is gone is over', async () => {
  const { session, prompt, asked, folder } = await drivenAgent()
  const turn = prompt('do permission')
  const ask = await asked()
  for (const { pid } of linesIn(folder, 'lives')) process.kill(Number(pid), 'SIGKILL')
  expect(await turn).toMatchObject({ outcome: 'failed' })
  ask.settled({ outcome: 'approved', option: 'yes-1' })
  expect(await session.lost).toContain('Robo is gone')
})
