import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { humanName } from '../../src/protocol/entries/agent-name.ts'
import type { Entry } from '../../src/protocol/entries/entry.ts'
import { fromRegistry } from '../support/cli/from-registry.ts'
import { REAL_CLIENTS, type RealClient } from '../support/cli/real-clients.ts'
import { openRealHome } from '../support/cli/real-home.ts'
import { type Asked, startModelServer } from '../support/driven/model-servers.ts'
import { temporaryFolder } from '../support/hub.ts'
import type { Reply } from '../support/models/reply.ts'
import { connect } from '../support/socket.ts'

const QUESTION = 'Which hat shall I take?'
const PROMPT = 'Ask which hat to take, and tell me'
const REPLY = 'The blue one with the feather'

const ALL = Object.entries(REAL_CLIENTS)
/** With the download of a client. */
const SLOW = { timeout: 20 * 60_000 }

test.for(ALL)(
  '[R60] [R61] %s is connected, gets the reply of a person, and has its files as before when it is not',
  SLOW,
  async ([name, client], { skip }) => {
    const { parley, run, texts } = await openHomeOf(client, skip)
    const askers = await answerAll(await parley('serve').url)
    const before = texts()
    expect(await parley('connect', name, '--allow').ended).toMatchObject({ code: 0, stderr: '' })
    const connected = texts()
    expect((await parley('connect', name, '--check').ended).stdout).toContain('works, with 1 tool')
    expect(await run(PROMPT)).toContain(`They said: ${REPLY}`)
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

test.for(ALL)(
  '[R63] %s reaches a protected hub over HTTP by the token that was made for it, as long as it is connected',
  SLOW,
  async ([name, client], { skip }) => {
    const { parley, run } = await openHomeOf(client, skip)
    const { stdout: token } = await parley('token', 'create', 'ada', '--role', 'human').ended
    const askers = await answerAll(await parley('serve').url, { authorization: `Bearer ${token.trim()}` })
    expect(await parley('connect', name, '--http', '--allow').ended).toMatchObject({ code: 0, stderr: '' })
    expect((await parley('connect', name, '--check').ended).stdout).toContain('works, with 1 tool')
    expect(await run(PROMPT)).toContain(`They said: ${REPLY}`)
    expect(askers).toEqual([client.shown])
    expect(await parley('connect', name, '--remove').ended).toMatchObject({ code: 0, stderr: '' })
    expect((await parley('token', 'list').ended).stdout).toMatch(new RegExp(`connect-${name} .*revoked`))
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

async function openHomeOf(client: RealClient, skip: (reason: string) => never) {
  const found = await fromRegistry(client)
  if ('missing' in found) return skip(found.missing)
  if (!existsSync(client.path(found.modules))) return skip(`${client.package} is not made for this system`)
  const model = await startModelServer(client.wire, asksAndTells)
  return openRealHome(client, found.modules, model.url)
}

/** A person who replies to all that is asked: who asked, as the page calls them. */
async function answerAll(url: string, headers: Record<string, string> = {}): Promise<string[]> {
  const page = await connect(url, '/ws?dialect=timeline', undefined, headers)
  const askers: string[] = []
  page.ws.on('message', (data) => {
    const { entries = [] } = JSON.parse(String(data)) as { entries?: Entry[] }
    for (const { id, body } of entries) {
      if (body.kind !== 'question') continue
      askers.push(humanName(body.by ?? ''))
      page.say({ type: 'answer', key: id, question: id, text: REPLY })
    }
  })
  page.say({ type: 'hello' })
  await page.next('welcome')
  return askers
}

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
