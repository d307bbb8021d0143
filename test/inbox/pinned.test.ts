import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { INBOX, STATUS } from '../../src/protocol/frames/inbox.ts'
import { localPrincipal } from '../../src/protocol/principal.ts'
import type { Era } from '../support/agent.ts'
import { newLog } from '../support/chat.ts'
import { ADA, ANYONE, openSurfaces, ROBOT, ROOT } from '../support/mcp/surfaces.ts'
import { listen, updatesOf } from '../support/mcp/updates.ts'

const ASSISTANT = '/mcp/assistant'
const LOCAL = localPrincipal('agent')
const pinned = { 'parley/pinned': true }
const asRuntime = { 'parley/subscriber': 'runtime' }

/** In either era: what a client subscribes to with one request, and how. */
async function pin(client: Client, era: Era, uri: string, meta: Record<string, unknown>) {
  if (era === 'legacy') await client.subscribeResource({ uri, _meta: meta })
  else await listen(client, [uri], meta)
}

describe('without tokens', () => {
  test('[I37] a pin of one session is nobody else’s, and ends with the session', async () => {
    const { view, connect } = openSurfaces({ subscribers: ANYONE })
    const [one, other] = [await connect(ASSISTANT, LOCAL), await connect(ASSISTANT, LOCAL)]
    const next = updatesOf(other)
    await one.subscribeResource({ uri: INBOX, _meta: pinned })
    await other.subscribeResource({ uri: STATUS })
    const third = await connect(ASSISTANT, LOCAL)
    const nextOfThird = updatesOf(third)
    await third.subscribeResource({ uri: `${INBOX}/work` })
    await view.say('work', { text: 'Hello' })
    expect((await nextOfThird()).uri).toBe(`${INBOX}/work`)
    view.agentSession({ conversation: 'work', title: 'Work' })
    expect((await next()).uri).toBe(STATUS)
    await third.subscribeResource({ uri: INBOX })
    await third.unsubscribeResource({ uri: INBOX })
    await expect(one.unsubscribeResource({ uri: INBOX })).rejects.toThrow(
      'This subscription is pinned; an ordinary unsubscribe does not end it',
    )
    await one.unsubscribeResource({ uri: INBOX, _meta: pinned })
    await one.unsubscribeResource({ uri: INBOX })
  })

  test('[I37] a stream of the 2026 era that pins for nobody with a name is alone with it', async () => {
    const { view, connect } = openSurfaces({ subscribers: ANYONE })
    const client = await connect(ASSISTANT, LOCAL, 'modern')
    await (await listen(client, [INBOX], pinned)).close()
    const { honoredFilter } = await listen(client, [STATUS], {})
    expect(honoredFilter).toEqual({ resourceSubscriptions: [STATUS] })
    await view.say('work', { text: 'Hello' })
  })

  test.each<Era>(['legacy', 'modern'])(
    '[I38] who names its subscriber (%s) has its pins in every session that names it, also after a restart',
    async (era) => {
      const log = newLog()
      const before = openSurfaces({ log, subscribers: ANYONE })
      await pin(await before.connect(ASSISTANT, LOCAL, era), era, INBOX, { ...pinned, ...asRuntime })
      const { view, connect } = openSurfaces({ log, subscribers: ANYONE })
      for (const later of ['legacy', 'modern'] as const) {
        const [same, another] = [await connect(ASSISTANT, LOCAL, later), await connect(ASSISTANT, LOCAL, later)]
        const [next, nextOfAnother] = [updatesOf(same), updatesOf(another)]
        await pin(same, later, STATUS, asRuntime)
        await pin(another, later, `${INBOX}/other`, { 'parley/subscriber': 'somebody' })
        await view.say('work', { text: 'Hello' })
        expect((await next()).messages).toMatchObject([{ content: 'Hello' }])
        await view.say('other', { text: 'Hello' })
        expect((await nextOfAnother()).uri).toBe(`${INBOX}/other`)
      }
    },
  )

  test('[I38] an ordinary unsubscribe of a session that named its subscriber is refused while pinned', async () => {
    const { connect } = openSurfaces({ subscribers: ANYONE })
    const [one, two] = [await connect(ASSISTANT, LOCAL), await connect(ASSISTANT, LOCAL)]
    await one.subscribeResource({ uri: INBOX, _meta: { ...pinned, ...asRuntime } })
    await expect(two.unsubscribeResource({ uri: INBOX, _meta: asRuntime })).rejects.toThrow('is pinned')
    await two.unsubscribeResource({ uri: INBOX, _meta: pinned })
    await one.unsubscribeResource({ uri: INBOX })
  })

  test.each<Era>(['legacy', 'modern'])('[I38] a name or a pin that is none is refused (%s)', async (era) => {
    const { connect } = openSurfaces({ subscribers: ANYONE })
    const client = await connect(ASSISTANT, LOCAL, era)
    const wrong: [Record<string, unknown>, string][] = [
      [{ 'parley/subscriber': '' }, '"parley/subscriber" must not be empty'],
      [{ 'parley/subscriber': 7 }, '"parley/subscriber" must be text'],
      [{ 'parley/subscriber': 'local' }, '"parley/subscriber" must not be "local"'],
      [{ 'parley/pinned': 'yes' }, '"parley/pinned" must be true or false'],
    ]
    for (const [meta, sentence] of wrong) await expect(pin(client, era, INBOX, meta)).rejects.toThrow(sentence)
  })
})

test.each<Era>(['legacy', 'modern'])(
  '[I39] with tokens only an administrator names another subscriber (%s), and it must exist',
  async (era) => {
    const { view, connect } = openSurfaces()
    const [robot, root] = [await connect(ASSISTANT, ROBOT, era), await connect(ASSISTANT, ROOT, era)]
    await expect(pin(robot, era, INBOX, { ...pinned, 'parley/subscriber': 'ada' })).rejects.toThrow(
      'This is for admin, and robot is agent',
    )
    await expect(pin(root, era, INBOX, { ...pinned, 'parley/subscriber': 'nobody' })).rejects.toThrow(
      'Unknown subscriber "nobody"',
    )
    await expect(pin(root, era, `${INBOX}/public`, { ...pinned, 'parley/subscriber': 'bound' })).rejects.toThrow(
      'Unknown resource',
    )
    await pin(robot, era, STATUS, { 'parley/subscriber': 'robot' })
    await pin(root, era, INBOX, { ...pinned, 'parley/subscriber': 'ada' })
    const ada = await connect(ASSISTANT, ADA, era)
    const next = updatesOf(ada)
    await pin(ada, era, STATUS, {})
    await view.say('work', { text: 'Hello' })
    expect((await next()).messages).toMatchObject([{ content: 'Hello' }])
  },
)

describe('in the 2026 era', () => {
  test('[I40] a listen pins what it names, and later ones are told of it until one takes it back', async () => {
    const { view, connect } = openSurfaces()
    const client = await connect(ASSISTANT, ROBOT, 'modern')
    const opened = await listen(client, [INBOX, `${INBOX}/work`], pinned)
    await opened.close()
    const later = await listen(client, [STATUS], {})
    expect(later.honoredFilter).toEqual({ resourceSubscriptions: [STATUS, INBOX, `${INBOX}/work`] })
    const next = updatesOf(client)
    await view.say('other', { text: 'Hello' })
    expect((await next()).messages).toMatchObject([{ content: 'Hello' }])
    await later.close()
    await (await listen(client, [INBOX], { 'parley/pinned': false })).close()
    const last = await client.listen({ toolsListChanged: true })
    expect(last.honoredFilter).toEqual({ resourceSubscriptions: [`${INBOX}/work`] })
  })

  test('[I40] pins with a URI that is unknown are refused, and nothing is stored', async () => {
    const { connect } = openSurfaces()
    const client = await connect(ASSISTANT, ROBOT, 'modern')
    await expect(listen(client, [INBOX, 'ui://nothing'], pinned)).rejects.toThrow('Unknown resource ui://nothing')
    expect((await listen(client, [STATUS], {})).honoredFilter).toEqual({ resourceSubscriptions: [STATUS] })
  })

  test('[I40] pins of both eras are the same', async () => {
    const { connect } = openSurfaces()
    await (await connect(ASSISTANT, ROBOT)).subscribeResource({ uri: INBOX, _meta: pinned })
    const modern = await connect(ASSISTANT, ROBOT, 'modern')
    expect((await listen(modern, [STATUS], {})).honoredFilter).toEqual({ resourceSubscriptions: [STATUS, INBOX] })
    await listen(modern, [INBOX], { 'parley/pinned': false })
    await (await connect(ASSISTANT, ROBOT)).unsubscribeResource({ uri: INBOX })
  })
})
