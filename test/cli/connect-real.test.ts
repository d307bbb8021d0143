import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { humanName } from '../../src/protocol/entries/agent-name.ts'
import type { Entry } from '../../src/protocol/entries/entry.ts'
import { fromRegistry } from '../support/cli/from-registry.ts'
import { REAL_CLIENTS } from '../support/cli/real-clients.ts'
import { openRealHome } from '../support/cli/real-home.ts'
import { type Asked, startModelServer } from '../support/driven/model-servers.ts'
import { temporaryFolder } from '../support/hub.ts'
import type { Reply } from '../support/models/reply.ts'
import { connectPage } from '../support/socket.ts'

const QUESTION = 'Which hat shall I take?'
const REPLY = 'The blue one with the feather'

test.for(Object.entries(REAL_CLIENTS))(
  '[R60] [R61] %s is connected, gets the reply of a person, and has its files as before when it is not',
  { timeout: 20 * 60_000 },
  async ([name, client], { skip }) => {
    const found = await fromRegistry(client)
    if ('missing' in found) return skip(found.missing)
    if (!existsSync(client.path(found.modules))) return skip(`${client.package} is not made for this system`)
    const model = await startModelServer(client.wire, asksAndTells)
    const { parley, run, texts } = await openRealHome(client, found.modules, model.url)
    const page = await connectPage(await parley('serve').url)
    const askers: string[] = []
    page.ws.on('message', (data) => {
      const { entries = [] } = JSON.parse(String(data)) as { entries?: Entry[] }
      for (const { id, body } of entries) {
        if (body.kind !== 'question') continue
        askers.push(humanName(body.by ?? ''))
        page.say({ type: 'answer', key: id, question: id, text: REPLY })
      }
    })

    const before = texts()
    expect(await parley('connect', name, '--allow').ended).toMatchObject({ code: 0, stderr: '' })
    const connected = texts()
    const check = await parley('connect', name, '--check').ended
    expect(check).toMatchObject({ code: 0, stdout: expect.stringContaining('works, with 1 tool') })
    expect(await run('Ask which hat to take, and tell me')).toContain(`They said: ${REPLY}`)
    expect(askers).toEqual([client.shown])

    const used = texts()
    expect(await parley('connect', name, '--remove').ended).toMatchObject({ code: 0, stderr: '' })
    const after = texts()
    const written = [...connected.keys()].filter((place) => connected.get(place) !== before.get(place))
    expect(written).not.toEqual([])
    for (const place of written)
      if (used.get(place) === connected.get(place)) expect(after.get(place), place).toBe(before.get(place))
      else expectOwn(place, before.get(place) ?? '', after.get(place) ?? '')
  },
)

test('[R62] a client that no registry has is missing for a reason', async () => {
  const env = { npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' }
  const wanted = { package: 'parley-soak-nothing', version: '1.0.0' }
  const cache = join(await temporaryFolder(), 'cache')
  expect(await fromRegistry(wanted, { cache, env })).toEqual({
    missing: 'npm cannot install parley-soak-nothing@1.0.0 (ECONNREFUSED)',
  })
  expect(existsSync(join(cache, 'parley-soak-nothing@1.0.0'))).toBe(false)
})

/** In a file that the client has written meanwhile, too, what the person wrote is left, and nothing of Parley. */
function expectOwn(place: string, before: string, after: string) {
  expect(after, place).not.toMatch(/bin\/parley\.js|mcp__parley|parley_\*/)
  expect(linesOf(after), place).toEqual(expect.arrayContaining(linesOf(before)))
}

/** A comma belongs to what the client has written behind it. */
function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => line.replace(/,$/, '') || [])
}

/** By what it was told, because clients ask their models for titles and the like, too. */
function asksAndTells(body: Asked['body']): Reply {
  const told = JSON.stringify(body)
  if (told.includes(REPLY)) return { say: [`They said: ${REPLY}`] }
  if (told.includes(QUESTION)) return { say: ['No reply came'] }
  const tool = toolIn(JSON.stringify(body.tools ?? []))
  return tool ? { calls: [{ ...tool, input: { text: QUESTION } }] } : { say: ['A hat'] }
}

/** What the client calls Parley's tool: with a prefix, in a group or as it is. */
function toolIn(tools: string) {
  const isGrouped = tools.includes('"name":"mcp__parley"')
  if (isGrouped) return { name: 'send_message', namespace: 'mcp__parley' }
  const [, name = ''] = /"name":"((?:[^"]*parley[^"]*)?send_message)"/.exec(tools) ?? []
  return name ? { name } : undefined
}
