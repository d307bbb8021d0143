import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { View } from '../../src/chat/view.ts'
import { runningHub } from '../../src/cli/hub/running-hub.ts'
import { UNANSWERED } from '../../src/protocol/entries/unanswered.ts'
import { SURFACES } from '../../src/protocol/frames/surface-name.ts'
import { SOAK } from '../log/contract/place.ts'
import { agentOverStdio, type Era } from '../support/agent.ts'
import { watching } from '../support/driven/driven.ts'
import { openDoors, POSTED } from '../support/driven/undriven.ts'
import { connectHttp } from '../support/mcp/http-client.ts'
import { call } from '../support/mcp/surfaces.ts'
import { subscribe } from '../support/mcp/updates.ts'
import { openPage } from '../support/page.ts'
import { connect } from '../support/socket.ts'

const CHAT = { type: 'chat', message: 'Hello agent' }

test('[O120] chat_human_post, a loop chat and a message of the page are answered, also where somebody spoke before', async () => {
  const { hub, view, run } = await openDoors()
  const human = await connectHttp(`${hub.url}/mcp/human`)
  const loop = await connect(hub.url, '/ws')
  const page = openPage(hub.url)
  await page.started
  const doors: Record<string, () => unknown> = {
    mcp: () => call(human, 'chat.human.post', { ...JSON.parse(POSTED), session_id: 'mcp' }),
    loop: () => loop.say({ ...CHAT, session_id: 'loop' }),
    page: () => page.post('page', 'Hello'),
  }
  for (const [session, speak] of Object.entries(doors)) {
    await speak()
    await watching(view, session).until('message')
  }
  await run('robot', { isDefault: true })
  await run('apples')
  for (const [session, speak] of Object.entries(doors)) {
    const watch = watching(view, session)
    expect((await watch.until('message', 2))[1]).toMatchObject({ author: 'assistant' })
    expect(watch.bodies('wish')).toMatchObject([{ runner: 'robot', waiting: true }])
    await speak()
    expect((await watch.until('message', 4))[3]).toMatchObject({ author: 'assistant' })
    expect(watch.bodies('wish')).toHaveLength(1)
  }
})

test('[O122] whom a person chooses of several answers what was said before', async () => {
  const { view, run, curl, prompts } = await openDoors()
  await Promise.all([run('robot'), run('apples')])
  expect(await curl()).toMatchObject({ notice: UNANSWERED.which_runner })
  await view.changeRunSettings('chat', { runner: 'apples' })
  const watch = watching(view, 'chat')
  await watch.until('turn')
  expect([prompts, watch.bodies('message').length]).toEqual([['Hello!'], 2])
})

/** Who has it once it was said to nobody else: what is said in another conversation behind it is answered. */
async function saidIn(view: View, conversation: string): Promise<string | undefined> {
  const other = `beside-${conversation}`
  await view.say(conversation, { text: 'Hello' })
  await view.say(other, { text: 'Hello' })
  await watching(view, other).until('turn')
  return (await view.conversation(conversation)).wish?.runner
}

const AGENTS = SURFACES.filter((surface) => surface !== 'human' && surface !== 'orchestrator')
const ERAS: Era[] = ['legacy', 'modern']
/** Without `PARLEY_SOAK` the eras take turns. */
const LINES = AGENTS.flatMap((surface, turn) =>
  ERAS.filter((_, era) => SOAK > 1 || era === turn % 2).map((era) => [surface, era] as const),
)

test.each(LINES)(
  '[O156] what is said where a line of an agent at %s (%s) has not spoken yet is for that agent, until it has gone',
  async (surface, era) => {
    const { data, view, run } = await openDoors()
    await run('robot')
    const lines = async () => (await runningHub(data))?.lines.length ?? 0
    const before = await lines()
    const args = ['stdio', '--surface', surface]
    const { client } = await agentOverStdio({ era, args, env: { PARLEY_DATA: data, PARLEY_SESSION: 'work' } })
    expect((await view.page(undefined, { limit: 10 })).entries).toEqual([])
    expect(await saidIn(view, 'work')).toBeUndefined()
    await client.close()
    while ((await lines()) > before) await pause(5)
    await view.say('work', { text: 'Anybody?' })
    expect((await view.conversation('work')).wish).toMatchObject({ runner: 'robot' })
  },
)

test.each(['', '/agent', '/gateway', '/assistant', '/loop', '/ui'])(
  '[O156] so it is over HTTP, at /mcp%s, while its client hears what it is told',
  async (server) => {
    const { hub, view, run } = await openDoors()
    await run('robot')
    const client = await connectHttp(`${hub.url}/mcp${server}?session=work`, { era: 'legacy' })
    expect((await view.page(undefined, { limit: 10 })).entries).toEqual([])
    expect(await saidIn(view, 'work')).toBeUndefined()
    await client.close()
  },
)

test.each(ERAS)(
  '[O157] who follows the inbox at /mcp/chat?session= answers there, and nowhere else (%s)',
  async (era) => {
    const { hub, view, run } = await openDoors()
    await run('robot')
    for (const [session, uri] of [
      ['one', 'ui://chat/inbox'],
      ['two', 'ui://chat/inbox/two'],
    ] as const) {
      const client = await connectHttp(`${hub.url}/mcp/chat?session=${session}`, { era })
      await subscribe(client, uri, era)
      expect(await saidIn(view, session)).toBeUndefined()
    }
  },
)
