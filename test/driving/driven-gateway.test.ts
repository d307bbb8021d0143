import { rmSync } from 'node:fs'
import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { ownerKeyFile } from '../../src/doors/socket/owner-key.ts'
import { SOAK } from '../log/contract/place.ts'
import { agentOverStdio } from '../support/agent.ts'
import { linesIn } from '../support/driven/driven-agent.ts'
import { acpAgent, saidBy, startDrivenGateway, times, writingModel } from '../support/driven/driven-gateway.ts'
import { temporaryFolder } from '../support/hub.ts'
import { told } from '../support/page.ts'

const TIMEOUT = { timeout: 120_000 }
const SUMMARY = 'About your earlier call of diary_write: person allowed it, and it was carried out. Wrote one'

type World = Awaited<ReturnType<typeof startDrivenGateway>> & { words: string; prompts(): string[] }

async function modelWorld(apart = false): Promise<World> {
  const { agent, prompts } = await writingModel()
  return { ...(await startDrivenGateway(agent, { apart })), words: 'write one', prompts }
}

async function acpWorld(apart = false): Promise<World> {
  const world = await startDrivenGateway(acpAgent, { apart })
  const prompts = () => linesIn(world.data, 'prompts').map(({ text }) => String(text))
  return { ...world, words: 'do call diary_write one', prompts }
}

const WORLDS = [
  ['a model', modelWorld],
  ['an ACP agent', acpWorld],
] as const

test.each(WORLDS)(
  '[O130] [O131] %s that is driven calls a mounted tool: one card, in its conversation',
  TIMEOUT,
  async (_, open) => {
    const { page, words, card, written } = await open()
    await page.post('work', words)
    const question = await card()
    expect(written()).toEqual([])
    await page.allow(question)
    await saidBy(page, /called: Wrote one/)
    await page.until(() => told(page, 'turn').length === 1)
    expect(written()).toEqual(['{"text":"one"}'])
    expect(told(page, 'question')).toMatchObject([{ conversation: 'work', approval: { tool_name: 'diary_write' } }])
    expect(told(page, 'tool_call')).toMatchObject([{ conversation: 'work', tool_name: 'diary_write', server: 'diary' }])
    expect(told(page, 'tool_result')).toMatchObject([{ conversation: 'work', success: true }])
    expect(new Set(page.entries.map(({ conversation }) => conversation))).toEqual(new Set(['work']))
  },
)

/** What is killed, and when: before the verdict, after it, or both. */
const KILLS: [string, (world: World, allow: () => Promise<unknown>) => Promise<unknown>][] = [
  [
    'the runner is killed before the verdict',
    async ({ killRunner, run, page }, allow) => {
      await killRunner()
      await allow()
      await page.until(() => told(page, 'message').some(({ call_id }) => call_id !== undefined))
      await run()
    },
  ],
  [
    'the runner is killed, and the hub after the verdict',
    async ({ killRunner, killHub, run, page }, allow) => {
      await killRunner()
      await allow()
      await page.until(() => told(page, 'message').some(({ call_id }) => call_id !== undefined))
      await killHub()
      await run()
    },
  ],
  [
    'the runner and the hub are killed, and the verdict comes later',
    async ({ killRunner, killHub, run }, allow) => {
      await killRunner()
      await killHub()
      await run()
      await allow()
    },
  ],
]

/** Without `PARLEY_SOAK` by turns: what keeps a result is the hub, and who reads it is the same whatever was killed. */
const KILLED = WORLDS.flatMap(([name, open], world) =>
  KILLS.filter((_, kill) => SOAK > 1 || kill === 2 - world).map(([kill, act]) => [name, kill, open, act] as const),
)

test.each(KILLED)(
  '[O132] %s is told of a late approval with its next turn, once: %s',
  TIMEOUT,
  async (_, kill, open, act) => {
    const world = await open(kill.includes('hub'))
    const { page, words, card, written, prompts } = world
    await page.post('work', words)
    const question = await card()
    await act(world, () => page.allow(question))
    await page.until(() => times(prompts(), SUMMARY) > 0)
    await page.post('work', 'And now?')
    await saidBy(page, /You said: .*And now\?/s)
    expect(written()).toEqual(['{"text":"one"}'])
    // Of the requests to a model each repeats what was said; what is new comes last.
    expect(told(page, 'message').filter(({ text, author }) => author === 'user' && text === SUMMARY)).toHaveLength(1)
    expect(times(prompts(), SUMMARY)).toBe(1)
    expect(told(page, 'question')).toHaveLength(1)
  },
)

test.each(SOAK > 1 ? WORLDS : WORLDS.slice(1))(
  '[O132] %s whose hub is killed while it waits gets the result in its turn, and is told nothing besides',
  TIMEOUT,
  async (_, open) => {
    const { page, words, card, written, prompts, killHub } = await open(true)
    await page.post('work', words)
    const question = await card()
    await killHub()
    await page.allow(question)
    await saidBy(page, /called: Wrote one/)
    await page.post('work', 'And now?')
    await saidBy(page, /You said: .*And now\?/s)
    expect([written(), times(prompts(), SUMMARY)]).toEqual([['{"text":"one"}'], 0])
  },
)

test.each(SOAK > 1 ? WORLDS : WORLDS.slice(0, 1))(
  '[G124] [O155] beside %s that is driven, another agent is told what its call came to, and the driven one has no word and no turn of it',
  TIMEOUT,
  async (_, open) => {
    const { data, page, card, prompts, killRunner, run } = await open()
    const hears = async (words: string) => {
      const turns = told(page, 'turn').length
      await page.post('work', words)
      await page.until(() => told(page, 'turn').length > turns)
    }
    await hears('Hello')
    const { client } = await agentOverStdio({
      name: 'another',
      cwd: await temporaryFolder(),
      args: ['stdio', '--surface', 'gateway', '--max-wait', '1'],
      env: { PARLEY_DATA: data, PARLEY_SESSION: 'work' },
    })
    expect(await textsOf(client, 'diary_write', { text: 'one' })).toEqual([expect.stringContaining('pending')])
    await page.allow(await card())
    await page.until(() => told(page, 'message').some(({ text }) => text === SUMMARY))
    // Whoever reads on has read nothing that was for another; an agent that remembers nothing is not reminded of it.
    await hears('And now?')
    await killRunner(1)
    await run()
    await hears('Once more')
    expect([times(prompts(), SUMMARY), told(page, 'turn').length]).toEqual([0, 3])
    expect(await textsOf(client, 'diary_read')).toEqual(['{"text":"one"}', SUMMARY])
    await page.until(() => told(page, 'receipt').some(({ state, messages }) => state === 'delivered' && messages))
    expect(await textsOf(client, 'diary_read')).toEqual(['{"text":"one"}'])
    expect(
      told(page, 'message').filter(({ author, text }) => author === 'assistant' && text.includes(SUMMARY)),
    ).toEqual([])
  },
)

test(
  '[G124] a line that does not show the key of the owner cannot say that it is the driven agent',
  TIMEOUT,
  async () => {
    const { data, page, card, prompts } = await acpWorld()
    await page.post('work', 'Hello')
    await page.until(() => told(page, 'turn').length === 1)
    rmSync(ownerKeyFile(data))
    const { client } = await agentOverStdio({
      cwd: await temporaryFolder(),
      args: ['stdio', '--surface', 'gateway', '--max-wait', '1'],
      env: { PARLEY_DATA: data, PARLEY_SESSION: 'work', PARLEY_DRIVEN: 'model' },
    })
    await textsOf(client, 'diary_write', { text: 'one' })
    await page.allow(await card())
    await page.until(() => told(page, 'message').some(({ text }) => text === SUMMARY))
    await page.post('work', 'And now?')
    await page.until(() => told(page, 'turn').length === 2)
    expect(times(prompts(), SUMMARY)).toBe(0)
    expect(await textsOf(client, 'diary_read')).toEqual(['{"text":"one"}', SUMMARY])
  },
)

test('[O133] what an agent calls as it likes is asked about, whatever words it has from the hub', TIMEOUT, async () => {
  const { page, card } = await startDrivenGateway(acpAgent)
  for (const [place, pose] of ['title', 'unnamed', 'near'].entries()) {
    await page.post('work', `do pose ${pose}`)
    await card(place + 1)
    await page.interrupt('work', 'Stop')
    await page.until(() => told(page, 'turn').length === place + 1)
  }
  expect(told(page, 'question')).toHaveLength(3)
  expect(told(page, 'message').filter(({ text }) => text.includes('taken: true'))).toEqual([])
})

test(
  '[O130] an ACP agent gets one server with what it talks with and what is mounted; with --no-gateway only the former',
  TIMEOUT,
  async () => {
    const talking = 'send_message ask_user send_progress check_messages set_title approve'
    const { page } = await startDrivenGateway(acpAgent)
    await page.post('work', 'do tools')
    const { text } = await saidBy(page, /send_message/)
    expect(text).toMatch(new RegExp(`^hub[0-9a-z]{4}: ${talking} diary_write diary_read diary_paint diary_become$`))
    const without = await startDrivenGateway(acpAgent, { more: ['--no-gateway'] })
    await without.page.post('work', 'do tools')
    expect((await saidBy(without.page, /send_message/)).text).toMatch(new RegExp(`^hub[0-9a-z]{4}: ${talking}$`))
  },
)

async function textsOf(client: Client, name: string, input: Record<string, unknown> = {}): Promise<string[]> {
  const { content } = await client.callTool({ name, arguments: input })
  return (content as { text: string }[]).map(({ text }) => text)
}
