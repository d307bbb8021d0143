import { expect, test } from 'vitest'
import { startHub } from '../support/hub.ts'
import { call, openSurfaces, ROBOT } from '../support/mcp/surfaces.ts'
import { connect } from '../support/socket.ts'

const NO_JSON = ['', ' ', 'query=weather', '{"query":', "{'query':1}", 'undefined', 'NaN', '{}{}']
const JSON_TEXT = ['{"query":"weather"}', '{}', ' [1] ', '"weather"', '7', 'null']
const toolCall = (tool_args: string) => ({ type: 'tool_call', tool_name: 'Search', tool_args })

test.each(['legacy', 'modern'] as const)(
  '[I22] arguments that are no JSON text are refused over MCP, and nothing is written (%s)',
  async (era) => {
    const { view, connect } = openSurfaces()
    const assistant = await connect('/mcp/assistant', ROBOT, era)
    for (const tool_args of NO_JSON)
      await expect(call(assistant, 'chat_assistant_event', toolCall(tool_args))).rejects.toThrow(
        /^"tool_args" must be JSON text$/,
      )
    expect(await view.conversations({ limit: 1 })).toEqual([])
    for (const tool_args of JSON_TEXT) await call(assistant, 'chat_assistant_event', toolCall(tool_args))
    const { entries } = await view.page('chat', { limit: 9 })
    expect(entries.map(({ body }) => body)).toMatchObject(JSON_TEXT.map((tool_args) => ({ tool_args })))
  },
)

test('[I22] arguments that are no JSON text are refused over REST, and nothing is written', async () => {
  const { view, url } = await startHub()
  for (const tool_args of NO_JSON) {
    const body = JSON.stringify(toolCall(tool_args))
    const answer = await fetch(`${url}/api/tools/ui_chat_assistant_event`, { method: 'POST', body })
    expect([answer.status, await answer.json()]).toEqual([400, { error: '"tool_args" must be JSON text' }])
  }
  expect(await view.conversations({ limit: 1 })).toEqual([])
})

test('[I22] what an older Parley let in is still read, and told as it is', async () => {
  const { view, url } = await startHub()
  const client = await connect(url, '/ws?dialect=loop')
  await view.record('work', { kind: 'tool_call', by: 'robot', tool_name: 'Search', tool_args: 'query=weather' })
  expect(await client.next('tool_call')).toEqual(toolCall('query=weather'))
  const { entries } = await view.page('work', { limit: 9 })
  expect(entries.map(({ body }) => body)).toMatchObject([{ kind: 'tool_call', tool_args: 'query=weather' }])
})
