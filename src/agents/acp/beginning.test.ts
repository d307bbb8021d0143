import { expect, test } from 'vitest'
import { drivenAgent, PARLEY } from '../../../test/support/driven/driven-agent.ts'
import { VERSION } from '../../protocol/version.ts'

test('[O60] an agent is greeted with version 1 and what is offered to it, and gets its folder', async () => {
  const { lines, folder } = await drivenAgent()
  const [hello, begun] = lines('begun')
  expect(hello).toEqual({
    method: 'initialize',
    protocolVersion: 1,
    clientCapabilities: {
      session: { notices: {} },
      elicitation: { form: {} },
      // The library reads missing fields this way on the agent's side.
      auth: { terminal: false },
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
    },
    clientInfo: { name: 'parley', title: 'Parley', version: VERSION },
  })
  expect(begun).toMatchObject({ method: 'session/new', cwd: folder })
})

test.for([
  { starts: 'default', asked: undefined },
  { starts: 'yolo', asked: 'default' },
  { name: '@agentclientprotocol/codex-acp', starts: 'agent', asked: 'read-only' },
  { name: 'qwen-code', starts: 'auto', asked: 'default' },
  { starts: 'act', asked: undefined },
])('[O61] an agent that starts as $starts is set to a mode in which it asks', async ({ name, starts, asked }) => {
  for (const tells of ['modes', 'options']) {
    const modes = ['auto', 'agent', 'act', 'default', 'read-only', 'yolo']
    const { lines, of } = await drivenAgent({ nature: { name, mode: starts, modes, tells } })
    const set = lines('begun').filter(({ method }) => /set_/.test(String(method)))
    expect(set.map(({ modeId, value }) => modeId ?? value)).toEqual(asked ? [asked] : [])
    expect(of('controls').findLast(({ modes }) => modes)?.modes?.current).toBe(asked ?? starts)
  }
})

test('[O61] where there is no mode in which it asks, the page says so', async () => {
  const { of } = await drivenAgent({ nature: { mode: 'yolo', modes: ['yolo', 'auto'] } })
  expect(of('notice').at(-1)?.text).toBe('Robo is in the mode “yolo” and may act without asking')
})

test('[O61] an agent that asks nobody unless its environment tells it to is told to, unless that says otherwise', async () => {
  const { prompt, says } = await drivenAgent()
  await prompt('do environment OPENCODE_PERMISSION')
  expect(JSON.parse(says())).toEqual({ bash: 'ask', edit: 'ask' })
  const other = await drivenAgent({ environment: { OPENCODE_PERMISSION: '{"bash":"deny"}' } })
  await other.prompt('do environment OPENCODE_PERMISSION')
  expect(other.says()).toBe('{"bash":"deny"}')
})

test('[O61] the mode and the model that the person wants are set; what there is not is said', async () => {
  const { lines, of } = await drivenAgent({ mode: 'plan', model: 'large' })
  expect(lines('begun').slice(2)).toMatchObject([{ modeId: 'plan' }, { modelId: 'large' }])
  expect(of('notice')).toEqual([])
  const other = await drivenAgent({ mode: 'gone', model: 'huge', nature: { mode: 'yolo' } })
  expect(other.lines('begun').slice(2)).toMatchObject([{ modeId: 'default' }])
  expect(other.of('notice').at(-1)?.text).toBe('Robo has no mode “gone” and no model “huge”')
})

test.for(['modes', 'options'])('[O62] modes, models and commands become controls, told as %s', async (tells) => {
  const { session, of, until } = await drivenAgent({ nature: { tells } })
  const controls = () => Object.assign({}, ...of('controls')) as ReturnType<typeof of<'controls'>>[number]
  await until(() => controls().commands)
  expect(controls().modes?.current).toBe('default')
  expect(controls().modes?.all.map(({ id }) => id)).toEqual(['default', 'plan', 'yolo'])
  expect(controls().models?.current).toBe('small')
  expect(controls().models?.all.map(({ id }) => id)).toEqual(['small', 'large'])
  expect(controls().commands).toEqual([{ name: 'review', description: 'Looks at what changed' }, { name: 'init' }])
  await session.choose({ mode: 'plan', model: 'large' })
  expect(controls().modes?.current).toBe('plan')
  expect(controls().models?.current).toBe('large')
  await expect(session.choose({ mode: 'gone' })).rejects.toThrow('"gone" is not one of the options')
  await session.prompt({ text: 'do mode yolo' })
  expect(controls().modes?.current).toBe('yolo')
})

test('[O62] an agent without modes and models has no such controls', async () => {
  const { of, until } = await drivenAgent({ nature: { tells: 'nothing' } })
  await until(() => of('controls').length > 0)
  expect(of('controls').every(({ modes, models }) => !modes && !models)).toBe(true)
})

test('[O74] Parley is handed over as a program that finds the hub by its folder, whatever else the agent takes', async () => {
  const servers = async (nature: object) => {
    const { prompt, says } = await drivenAgent({ nature: { ...nature } })
    await prompt('do servers')
    return JSON.parse(says())
  }
  const { command, args } = PARLEY.stdio
  for (const http of [false, true])
    expect(await servers({ http })).toEqual([
      {
        ...{ name: expect.stringMatching(/^hub[0-9a-z]{4}$/), command, args },
        env: [
          { name: 'PARLEY_KEY', value: 'k' },
          { name: 'PARLEY_DRIVEN_BY', value: '' },
        ],
      },
    ])
  expect(await servers({ http: true, name: 'cline' })).toEqual([])
})
