import { expect, test } from 'vitest'
import type { View } from '../../src/chat/view.ts'
import { MASK } from '../../src/protocol/secrets/masking.ts'
import { bodies, call, openAgent, openSurfaces, person } from '../support/mcp/surfaces.ts'

const RUNNER = { id: 'runner', name: 'runner', role: 'orchestrator' } as const
const SECRET = `ghp_${'a1B2'.repeat(9)}`
const INPUT = { command: `curl -H "Authorization: Bearer ${SECRET}" a`, password: 'hunter', tries: 3 }
const SHOWN = { command: `curl -H "Authorization: Bearer ${MASK}" a`, password: MASK, tries: 3 }

async function approved(decide: (view: View, id: string) => Promise<unknown>) {
  const { view, agent } = await openAgent()
  person(view, ({ id }) => decide(view, id))
  const result = await agent.callTool({ name: 'approve', arguments: { tool_name: 'Bash', input: INPUT } })
  const [block] = result.content as { text: string }[]
  return { verdict: JSON.parse(block?.text ?? ''), stored: await bodies(view) }
}

test('[G84] a call is asked about and stored without its secrets, and allowed with them', async () => {
  const { verdict, stored } = await approved((view, id) => view.allow(id, undefined))
  expect(verdict).toEqual({ behavior: 'allow', updatedInput: INPUT })
  const question = stored.find(({ kind }) => kind === 'question')
  expect(question).toMatchObject({ approval: { input: JSON.stringify(SHOWN), masked: 2 } })
  expect(JSON.stringify(stored)).not.toMatch(/ghp_|hunter/)
})

test('[G84] arguments that a person changed come with the secrets that were not touched', async () => {
  const edited = { ...SHOWN, command: `curl -v -H "Authorization: Bearer ${MASK}" b`, tries: 1 }
  const { verdict, stored } = await approved((view, id) => view.allow(id, JSON.stringify(edited)))
  const command = `curl -v -H "Authorization: Bearer ${SECRET}" b`
  expect(verdict).toEqual({ behavior: 'allow', updatedInput: { command, password: 'hunter', tries: 1 } })
  expect(JSON.stringify(stored)).not.toMatch(/ghp_|hunter/)
})

test('[G84] who puts a mask elsewhere is told so at once, and the call still waits', async () => {
  const elsewhere = JSON.stringify({ ...SHOWN, to: MASK })
  const { verdict } = await approved(async (view, id) => {
    await expect(view.allow(id, elsewhere)).rejects.toThrow(`${MASK} in to stands for no secret there`)
    await view.deny(id, 'No')
  })
  expect(verdict).toEqual({ behavior: 'deny', message: 'No' })
})

test('[G84] a tool that is always allowed is allowed with its secrets, and stored without', async () => {
  const { view, agent } = await openAgent()
  person(view, ({ id }) => view.allowAlways(id, undefined))
  const input = { text: INPUT.command, password: INPUT.password }
  const ask = () => agent.callTool({ name: 'approve', arguments: { tool_name: 'Bash', input } })
  await ask()
  expect(JSON.stringify(await ask())).toContain(SECRET)
  expect(JSON.stringify(await bodies(view))).not.toMatch(/ghp_|hunter/)
  expect(await bodies(view)).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ kind: 'permitted_call' })]),
  )
})

test('[G84] what agents tell of their calls and results is stored without secrets, and how many there were', async () => {
  const { view, connect } = openSurfaces()
  const agent = await connect('/mcp/orchestrator', RUNNER)
  const tell = (event: object) => call(agent, 'chat_assistant_event', { session_id: 'work', ...event })
  await tell({ type: 'tool_call', tool_name: 'x', tool_args: JSON.stringify(INPUT), title: `use ${SECRET}` })
  const changes = [{ path: '.env', old_text: 'A=1', new_text: `TOKEN=${SECRET}` }]
  await tell({ type: 'tool_result', tool_name: 'x', result: `is ${SECRET}`, success: true, changes })
  expect(await bodies(view)).toMatchObject([
    { kind: 'tool_call', tool_args: JSON.stringify(SHOWN), title: `use ${MASK}`, masked: 3 },
    {
      kind: 'tool_result',
      result: `is ${MASK}`,
      changes: [{ path: '.env', old_text: 'A=1', new_text: `TOKEN=${MASK}` }],
      masked: 2,
    },
  ])
})
