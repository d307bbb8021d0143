import { setImmediate as turn } from 'node:timers/promises'
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { openTestChat } from '../support/chat.ts'
import { ADA, openSurfaces, ROBOT, ROOT } from '../support/mcp/surfaces.ts'

test('[S69] sessions are limited for each principal and in all, over all surfaces, until one ends', async () => {
  const { connect } = openSurfaces({ sessions: { each: 2, all: 3 } })
  const first = await connect('/mcp/chat', ADA)
  await connect('/mcp/human', ADA)
  await expect(connect('/mcp/chat', ADA)).rejects.toThrow(
    'All 2 MCP sessions are in use; end one with DELETE, or try again in a moment',
  )
  await connect('/mcp/agent', ROBOT)
  await expect(connect('/mcp/chat', ROOT)).rejects.toThrow('All 3 MCP sessions are in use')
  await (first.transport as StreamableHTTPClientTransport).terminateSession()
  await connect('/mcp/chat', ROOT)
  // Who needs no session is not refused.
  await (await connect('/mcp/chat', ADA, 'modern')).listTools()
})

test('[S70] a crowd is told in pieces, everyone in order', async () => {
  const { view } = openTestChat()
  const told: string[][] = Array.from({ length: 200 }, () => [])
  const all = Promise.withResolvers<void>()
  let most = 0
  let inThisTurn = 0
  for (const own of told)
    view.inbox.onUserMessages((messages) => {
      most = Math.max(most, ++inThisTurn)
      own.push(...messages.map(({ content }) => String(content)))
      if (told.every((each) => each.length === 3)) all.resolve()
    })
  let over = false
  void all.promise.then(() => {
    over = true
  })
  await view.inbox.newest()
  for (const text of ['one', 'two', 'three']) await view.say('work', { text })
  while (!over) {
    await turn()
    inThisTurn = 0
  }
  expect(told).toEqual(told.map(() => ['one', 'two', 'three']))
  expect(most).toBeLessThan(200)
})
