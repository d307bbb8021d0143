import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentOverStdio } from '../support/agent.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { folderWithPolicy } from '../support/policy/policy.ts'

test('[G281] of two agents in a conversation each opens a relative path in the folder that it works in itself', async () => {
  const home = await temporaryFolder()
  const [own, other] = [join(home, 'own'), join(home, 'other')]
  const data = await folderWithPolicy([
    { arguments: { '*': { path: `${other}/**` } }, decision: 'deny_continue', reason: 'Not there' },
    { server: 'agent', arguments: { file_path: { path: './**' } }, decision: 'allow' },
  ])
  await startHubWithSocket(data)
  const verdictIn = async (cwd: string) => {
    mkdirSync(cwd)
    const env = { PARLEY_DATA: data, PARLEY_SESSION: 'shared' }
    const { client } = await agentOverStdio({ args: ['stdio', '--surface', 'agent'], env, cwd })
    const call = { tool_name: 'Write', input: { file_path: 'new.txt' } }
    const { content } = await client.callTool({ name: 'approve', arguments: call })
    return JSON.parse((content as { text: string }[])[0]?.text ?? '')
  }
  expect(await verdictIn(own)).toMatchObject({ behavior: 'allow' })
  expect(await verdictIn(other)).toEqual({ behavior: 'deny', message: 'Not there' })
})
