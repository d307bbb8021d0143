import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { driveModel, TOOLS_SERVER } from '../../../test/support/driven/driven-model.ts'
import { FAMILIES } from '../../../test/support/driven/model-servers.ts'
import { startHub, temporaryFolder } from '../../../test/support/hub.ts'
import { processWith } from '../../io/descendants.ts'

const servers = [TOOLS_SERVER]
const verdict = { outcome: 'approved', option: 'allow_once' } as const

describe.each(FAMILIES)('a model of the %s family with tools', (family) => {
  test('[O85] each call is one step with an id of its own, and its result goes to the model', async () => {
    const echo = (text: string) => ({ name: 'tools_echo', input: { text } })
    const script = [{ calls: [echo('one'), echo('two')] }, { calls: [echo('three')] }, { say: ['Done.'] }]
    const { agent, asked, steps, text } = await driveModel(family, script, { servers, verdict })
    expect(await agent.prompt({ text: 'Go' })).toMatchObject({ outcome: 'ended', tokens: { input: 30, output: 15 } })
    expect(steps()).toMatchObject(
      ['one', 'two', 'three'].map((text) => ({
        tool_name: 'tools_echo',
        title: 'Says it again',
        input: { text },
        state: 'done',
        output: text,
      })),
    )
    expect(new Set(steps().map(({ id }) => id)).size).toBe(3)
    expect(JSON.stringify(asked[2]?.body.messages)).toMatch(/one.*two.*three/)
    expect(text()).toEqual(['Done.'])
  })

  test('[O85] the calls of one step run next to each other', async () => {
    const calls = ['tools_first', 'tools_second'].map((name) => ({ name, input: {} }))
    const { agent, steps } = await driveModel(family, [{ calls }, { say: ['Done.'] }], { servers, verdict })
    await agent.prompt({ text: 'Go' })
    expect(steps().map(({ output }) => output)).toEqual(['first', 'second'])
  })

  test('[O85] what goes wrong with a call is told to the model, which goes on', async () => {
    const calls = [
      { name: 'tools_fail', input: { text: 'No such file' } },
      { name: 'tools_echo', input: { wrong: 1 } },
      { name: 'tools_echo', input: '{"text": "half' },
      { name: 'nowhere', input: {} },
      { name: 'tools_long', input: {} },
    ]
    const { agent, asked, steps, text } = await driveModel(family, [{ calls }, { say: ['Sorry.'] }], {
      servers,
      verdict,
    })
    await agent.prompt({ text: 'Go' })
    expect(steps().map(({ state }) => state)).toEqual(['failed', 'failed', 'failed', 'failed', 'done'])
    const told = JSON.stringify(asked[1]?.body.messages)
    for (const problem of ['No such file', 'must be one JSON object', 'Unknown tool \\"nowhere\\"'])
      expect(told.includes(problem)).toBe(true)
    expect(told.includes('[50000 characters more were left out]')).toBe(true)
    expect(text()).toEqual(['Sorry.'])
  })
})

test('[O86] servers are reached over stdio and HTTP, and their names stand before those of their tools', async () => {
  const hub = await startHub()
  const folder = await temporaryFolder()
  const calls = [
    { name: 'hub_chat_assistant_post', input: { session_id: 'work', mime: 'text/plain', content: 'From the tool' } },
    { name: 'tools_folder', input: {} },
    { name: 'tools_environment', input: { text: 'COLOUR' } },
    { name: 'tools_environment', input: { text: 'OPENAI_API_KEY' } },
  ]
  const { agent, steps } = await driveModel('openai', [{ calls }, { say: ['Done.'] }], {
    servers: [...servers, { name: 'hub', url: `${hub.url}/mcp/assistant` }],
    environment: { COLOUR: 'red', OPENAI_API_KEY: 'secret' },
    session: { folder },
    verdict,
  })
  await agent.prompt({ text: 'Go' })
  expect(steps().map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done'])
  expect(steps().map(({ output }) => output)).toEqual([expect.stringContaining('id'), folder, 'red', 'not set'])
})

test('[O86] a server that dies is started again for the next call, and ends with the session', async () => {
  const call = (name: string) => ({ calls: [{ name, input: {} }] })
  const script = [call('tools_process'), call('tools_die'), call('tools_process'), { say: ['Done.'] }]
  const { agent, steps } = await driveModel('openai', script, { servers, verdict })
  await agent.prompt({ text: 'Go' })
  expect(steps().map(({ state }) => state)).toEqual(['done', 'failed', 'done'])
  const [before, , after] = steps().map(({ output }) => Number(output))
  expect(before).not.toBe(after)
  await agent.stop()
  expect(() => process.kill(after ?? 0, 0)).toThrow('ESRCH')
})

test('[O86] what a server started does not outlive it', async () => {
  const folder = await temporaryFolder()
  const { command, args } = TOOLS_SERVER
  const started = `sleep 1000 & echo $! > left; "$0" "$@"; exit`
  const verdict = { outcome: 'approved', option: 'allow_once' } as const
  const script = [{ calls: [{ name: 'nested_process', input: {} }] }, { say: ['Done.'] }]
  const { agent, steps } = await driveModel('openai', script, {
    servers: [{ name: 'nested', command: 'sh', args: ['-c', started, command, ...args] }],
    session: { folder },
    verdict,
  })
  await agent.prompt({ text: 'Go' })
  const left = [Number(steps()[0]?.output), Number(readFileSync(join(folder, 'left'), 'utf8'))]
  expect(left.map((pid) => processWith(pid)?.pid)).toEqual(left)
  await agent.stop()
  expect(left.map(processWith)).toEqual([undefined, undefined])
})

test('[O86] a server that cannot be used is one sentence, and the others are ended', async () => {
  const file = join(await temporaryFolder(), 'pid')
  const { command, args } = TOOLS_SERVER
  const noted = { name: 'noted', command: 'sh', args: ['-c', `echo $$ > ${file}; exec "$0" "$@"`, command, ...args] }
  const gone = { name: 'gone', command: 'parley-no-such-command', args: [] }
  await expect(driveModel('openai', [], { servers: [noted, gone] })).rejects.toThrow(
    /^The MCP server "gone" cannot be used \(.*ENOENT.*\); check its command or address$/,
  )
  expect(() => process.kill(Number(readFileSync(file, 'utf8')), 0)).toThrow('ESRCH')
})
