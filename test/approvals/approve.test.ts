import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import type { Era } from '../support/agent.ts'
import { newLog, openTestChat } from '../support/chat.ts'
import { bodies, openAgent, person, ROBOT } from '../support/mcp/surfaces.ts'

/** The one text that `approve` answers with. */
async function approve(agent: Client, tool_name: string, input: object, tool_use_id?: string) {
  const result = await agent.callTool({ name: 'approve', arguments: { tool_name, input, tool_use_id } })
  expect(result.structuredContent).toBeUndefined()
  expect(result.content).toHaveLength(1)
  const [block] = result.content as { type: string; text: string }[]
  expect(block?.type).toBe('text')
  return JSON.parse(block?.text ?? '')
}

test.each<Era>(['legacy', 'modern'])(
  '[A11] approve answers with one text and nothing else, in the shape of a permission prompt (%s)',
  async (era) => {
    const { view, agent } = await openAgent(era)
    const input = { command: 'rm -rf build' }
    const verdicts = [
      (id: string) => view.allow(id, undefined),
      (id: string) => view.allow(id, '{"command":"rm -r build"}'),
      (id: string) => view.deny(id, 'Not today'),
    ]
    person(view, ({ id }) => verdicts.shift()?.(id))
    const ask = (n: number) => approve(agent, 'Bash', input, `toolu_${n}`)
    expect(await ask(1)).toEqual({ behavior: 'allow', updatedInput: input })
    expect(await ask(2)).toEqual({ behavior: 'allow', updatedInput: { command: 'rm -r build' } })
    expect(await ask(3)).toEqual({ behavior: 'deny', message: 'Not today' })
    // The same call asked again is not a second card.
    expect(await ask(3)).toEqual({ behavior: 'deny', message: 'Not today' })
    expect((await bodies(view)).filter(({ kind }) => kind === 'question')).toHaveLength(3)
  },
)

test('[A12] AskUserQuestion through approve becomes questions with options, and the answers come back in its input', async () => {
  const { view, agent } = await openAgent()
  person(view, ({ id, body }) => view.choose(id, body.multi_select ? ['A', 'B'] : ['Blue']))
  const input = {
    questions: [
      {
        question: 'Which colour?',
        header: 'Colour',
        options: [
          { label: 'Red', description: 'Warm' },
          { label: 'Blue', description: 'Calm' },
        ],
        multiSelect: false,
      },
      { question: 'Which letters?', header: 'Letters', options: [{ label: 'A' }, { label: 'B' }], multiSelect: true },
    ],
  }
  expect(await approve(agent, 'AskUserQuestion', input)).toEqual({
    behavior: 'allow',
    updatedInput: { ...input, answers: { 'Which colour?': 'Blue', 'Which letters?': 'A, B' } },
  })
})

test('[A13] arguments cannot break out of the text that older clients show, and a withdrawn call is denied', async () => {
  const log = newLog()
  const { view, agent } = await openAgent('modern', log)
  // At a hub that has no call which waits for it.
  const elsewhere = openTestChat({ log }).chat.as(ROBOT).agentService()
  let shown = ''
  person(view, ({ id, body }) => {
    shown = body.text
    return elsewhere.withdraw([id])
  })
  const input = { text: '```\n# not a heading\n````' }
  expect(await approve(agent, 'Write', input)).toEqual({
    behavior: 'deny',
    message: 'Nobody decided: the question was withdrawn',
  })
  expect(shown).toContain('`````json')
})
