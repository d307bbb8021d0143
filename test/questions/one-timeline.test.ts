import { writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { giveOrder } from '../../src/doors/socket/order.ts'
import { agentOverStdio, type Era } from '../support/agent.ts'
import { until } from '../support/chat.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { openPage, told } from '../support/page.ts'
import { followed, startGoverned } from '../support/policy/governed.ts'
import { diaryAt } from '../support/upstream/diary-server.ts'
import { connectTo } from '../support/upstream/gateway.ts'

const WORDS = { mime: 'text/markdown', content: 'Deployed' }
const WRITE = { name: 'diary_write', arguments: { text: 'one' } }

test.each([
  ['PARLEY_SESSION', { PARLEY_SESSION: 'work' }, /^work$/],
  ['a run of its client', { CLAUDE_CODE_SESSION_ID: 'run-one' }, /^shop-/],
])('[M61] words, steps, calls and turns of an agent stand in one conversation (%s)', async (_, env, name) => {
  const { start, page } = await openShop()
  const [gateway, assistant, loop, agent] = await Promise.all(
    ['gateway', 'assistant', 'loop', 'agent'].map((surface) => start(surface, env)),
  )
  await gateway?.callTool({ name: 'chat_assistant_post', arguments: WORDS })
  await gateway?.callTool({ name: 'diary_read', arguments: {} })
  await gateway?.callTool({ name: 'yield_turn', arguments: {} })
  await assistant?.callTool({ name: 'chat_assistant_post', arguments: WORDS })
  await loop?.callTool({ name: 'yield_turn', arguments: {} })
  await agent?.callTool({ name: 'send_progress', arguments: { text: 'On it' } })
  await page.until(() => told(page, 'turn').length === 2 && told(page, 'progress').length === 1)
  const [own, ...others] = new Set(page.entries.map(({ conversation }) => conversation))
  expect([own, others]).toEqual([expect.stringMatching(name), []])
  // Unless a call names another.
  await gateway?.callTool({ name: 'chat_assistant_post', arguments: { ...WORDS, session_id: 'other' } })
  await page.until(() => page.entries.some(({ conversation }) => conversation === 'other'))
})

test.each<Era>(['legacy', 'modern'])('[M61] `?session=` is the conversation at every server (%s)', async (era) => {
  const { url, person } = await startGoverned()
  const log = followed(person)
  const at = (server: string) => connectTo(url, era, { path: `/mcp/${server}?session=work` })
  for (const server of ['gateway', 'assistant', 'ui'])
    await (await at(server)).callTool({ name: 'chat_assistant_post', arguments: WORDS })
  await (await at('loop')).callTool({ name: 'yield_turn', arguments: {} })
  await (await at('human')).callTool({ name: 'chat_human_post', arguments: WORDS })
  expect(new Set(log.entries.map(({ conversation }) => conversation))).toEqual(new Set(['work']))
  await person.say('elsewhere', { text: 'Not for work' })
  const { structuredContent } = await (await at('assistant')).callTool({ name: 'chat_read_since', arguments: {} })
  expect(JSON.stringify(structuredContent)).not.toContain('Not for work')
})

test('[M62] `--max-wait` of a line counts at the gateway, too', async () => {
  const { start } = await openShop()
  const gateway = await start('gateway', {}, ['--max-wait', '1'])
  expect(JSON.stringify(await gateway.callTool(WRITE))).toContain('pending')
})

test('[M62] `approve` knows verdicts only, and waits for one whatever `--max-wait` says', async () => {
  const { start, page } = await openShop()
  const agent = await start('agent', {}, ['--max-wait', '1'])
  const verdict = agent.callTool({ name: 'approve', arguments: { tool_name: 'Bash', input: { command: 'ls' } } })
  const [{ id } = { id: '' }] = await page.until(() => told(page, 'question').length === 1 && told(page, 'question'))
  const later = agent.callTool({ name: 'send_message', arguments: { text: 'Meanwhile?' } })
  expect(JSON.stringify(await Promise.race([verdict, later]))).toContain('pending')
  await page.command('allow', { question: id })
  expect(JSON.stringify(await verdict)).toContain('allow')
})

test.each<Era>(['legacy', 'modern'])(
  '[G121] two clients of one name over HTTP that say nothing: two cards, no grant and no result of the other (%s)',
  async (era) => {
    const { url, person, written, ended } = await startGoverned()
    const log = followed(person)
    const [one, two] = [await nameless(url, era), await nameless(url, era)]
    const gone = new AbortController()
    const call = one.callTool(WRITE, { signal: gone.signal })
    const first = await log.until('question')
    const other = two.callTool(WRITE)
    const second = await log.until('question', 2)
    if (era === 'legacy') expect(second.conversation).not.toBe(first.conversation)
    // One is allowed for good, which allows nothing to the other.
    await person.allowAlways(second.id, undefined)
    await other
    await ended('diary_write')
    expect((await person.conversation(first.conversation)).open).toMatchObject([{ id: first.id }])
    gone.abort()
    await expect(call).rejects.toThrow()
    // Its client knows before the hub does.
    await ended('diary_write')
    await person.allow(first.id, undefined)
    await log.until('message')
    expect(written()).toHaveLength(2)
    const told = [await one.callTool({ name: 'diary_read', arguments: {} })]
    told.unshift(await two.callTool({ name: 'diary_read', arguments: {} }))
    expect(JSON.stringify(told[0])).not.toContain('About your earlier call')
  },
)

test('[G122] a late result goes to the visit that made the call, and not to another of the same name and place', async () => {
  const { start, page } = await openShop()
  const env = { PARLEY_SESSION: 'work' }
  const [one, two] = [await start('gateway', env), await start('gateway', env)]
  const gone = new AbortController()
  const call = one.callTool(WRITE, { signal: gone.signal })
  const [{ id } = { id: '' }] = await page.until(() => told(page, 'question').length === 1 && told(page, 'question'))
  // The other one asks the same, and is asked about separately.
  const other = two.callTool(WRITE)
  const cards = await page.until(() => told(page, 'question').length === 2 && told(page, 'question'))
  gone.abort()
  await expect(call).rejects.toThrow()
  // Its client knows before the hub does; what comes after it on the same line is answered when the hub does, too.
  await one.listTools()
  await page.command('allow', { question: id })
  await page.until(() => told(page, 'message').length === 1)
  await page.command('deny', { question: cards[1]?.id ?? '' })
  expect(String(await other.catch(String))).toContain('not allowed')
  expect(await readBy(two)).not.toContain('About your earlier call')
  expect(await readBy(one)).toContain('About your earlier call')
  expect(await readBy(one)).not.toContain('About your earlier call')
})

test('[C168] [G122] also after its hub was killed, before the one that made the call has called again', async () => {
  const { data, start, page } = await openShop({ apart: true })
  const env = { PARLEY_SESSION: 'work' }
  const [one, two] = [await start('gateway', env), await start('gateway', env)]
  const gone = new AbortController()
  const call = one.callTool(WRITE, { signal: gone.signal })
  const [{ id } = { id: '' }] = await page.until(() => told(page, 'question').length === 1 && told(page, 'question'))
  gone.abort()
  await expect(call).rejects.toThrow()
  await one.listTools()
  process.kill(hubOf(data).pid, 'SIGKILL')
  await page.until(() => page.resumed.length === 2)
  await until(async () => (await linesIn(data, 'work')) >= 2)
  await page.command('allow', { question: id })
  await page.until(() => told(page, 'message').length === 1)
  expect(await readBy(two)).not.toContain('About your earlier call')
  expect(await readBy(one)).toContain('About your earlier call')
})

function nameless(url: string, era: Era) {
  return connectTo(url, era, { path: '/mcp/gateway' })
}

/** How many lines the hub knows of that speak there. */
async function linesIn(data: string, conversation: string): Promise<number> {
  const answer = await giveOrder(data, 'status')
  const lines = answer && 'status' in answer ? answer.status.lines : []
  return lines.filter((line) => line.conversation === conversation).length
}

async function readBy(client: Client): Promise<string> {
  return JSON.stringify(await client.callTool({ name: 'diary_read', arguments: {} }))
}

/** Agents in one folder, at whichever surface, a page, and a hub here or in a process of its own. */
async function openShop({ apart = false } = {}) {
  const [data, files] = [await temporaryFolder(), await temporaryFolder()]
  const cwd = join(files, 'shop')
  await mkdir(cwd)
  const diary = diaryAt(join(files, 'diary'))
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { diary } }))
  const { url } = await (apart ? agentOverStdio({ env: { PARLEY_DATA: data } }) : startHubWithSocket(data))
  const page = openPage(await url)
  return { data, page, start }

  async function start(surface: string, env: Record<string, string> = {}, args: string[] = []) {
    const line = { cwd, args: ['stdio', '--surface', surface, ...args], env: { PARLEY_DATA: data, ...env } }
    return (await agentOverStdio(line)).client
  }
}
