import { expect, test } from 'vitest'
import { bridgeSurface } from '../../../src/doors/mcp/surfaces/bridge-surface.ts'
import type { Era } from '../../support/agent.ts'
import { openTestChat, until } from '../../support/chat.ts'
import { connectLine } from '../../support/lines/line.ts'
import { openSurfaces, ROBOT } from '../../support/mcp/surfaces.ts'

const url = 'http://localhost:4117'
const eras: Era[] = ['legacy', 'modern']

test.each(eras)('[M40] the instructions say where the page is (%s)', async (era) => {
  const { chat } = openTestChat()
  const page = () => ({ url, open: true })
  for (const surface of [undefined, bridgeSurface]) {
    const client = await connectLine(chat, { era, surface, page })
    expect(client.getInstructions()).toContain(`The person reads and replies at ${url}`)
    expect((await connectLine(chat, { era, surface })).getInstructions()).not.toContain('http')
  }
  const { connect } = openSurfaces({ page })
  for (const path of ['/mcp', '/mcp/agent'])
    expect((await connect(path, ROBOT, era)).getInstructions()).toContain(`The person reads and replies at ${url}`)
})

test.each(['send_message', 'ask_user'])('[M41] %s says where the page is when nobody has it open', async (name) => {
  const { chat } = openTestChat()
  const here = { url, open: false }
  const client = await connectLine(chat, { page: () => here, heartbeatMs: 1, maxWaitSeconds: 1 })
  const input = name === 'ask_user' ? { question: 'Deploy?' } : { text: 'Deploy?' }
  const told = new Set<string | undefined>()
  const options = { onprogress: ({ message }: { message?: string }) => void told.add(message) }
  const unseen = client.callTool({ name, arguments: input }, options)
  await until(() => told.size === 1)
  expect([...told]).toEqual([`Waiting for the reply; nobody has the page open: ${url}`])
  here.open = true
  await until(() => told.size === 2)
  expect([...told].at(-1)).toBe('Waiting for the reply')
  expect(nextIn(await unseen)).not.toContain('page')
  here.open = false
  expect(nextIn(await client.callTool({ name, arguments: input }))).toContain(
    `Nobody has the page open: tell the person that they can reply at ${url}`,
  )
})

test('[M41] an approval that waits says it, too', async () => {
  const { chat } = openTestChat()
  const client = await connectLine(chat, { page: () => ({ url, open: false }) })
  const told: (string | undefined)[] = []
  const stop = new AbortController()
  const call = client
    .callTool(
      { name: 'approve', arguments: { tool_name: 'Bash', input: {} } },
      { signal: stop.signal, onprogress: ({ message }) => void told.push(message) },
    )
    .catch(() => 'cancelled')
  await until(() => told.length > 0)
  stop.abort()
  expect(await call).toBe('cancelled')
  expect(told[0]).toContain(url)
})

test.each(eras)('[M42] every tool is listed as one that changes nothing (%s)', async (era) => {
  const { connect } = openSurfaces()
  for (const path of ['/mcp', '/mcp/agent', '/mcp/human', '/mcp/assistant', '/mcp/loop', '/mcp/ui']) {
    const { tools } = await (await connect(path, { ...ROBOT, role: 'admin' }, era)).listTools()
    expect(tools.map(({ annotations }) => annotations)).toEqual(tools.map(() => ({ readOnlyHint: true })))
    expect(tools.length).toBeGreaterThan(0)
  }
})

function nextIn({ structuredContent }: { structuredContent?: unknown }): string {
  const { status, next } = structuredContent as { status: string; next: string }
  expect(status).toBe('pending')
  return next
}
