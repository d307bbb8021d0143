import { expect, expectTypeOf, test } from 'vitest'
import type { Era } from '../../test/support/agent.ts'
import { ADA, openSurfaces, ROBOT } from '../../test/support/mcp/surfaces.ts'
import type { InboxPage } from '../protocol/frames/inbox.ts'
import { catchUp, type Page } from './catch-up.ts'

const COUNT = 2500
/** Messages of this length take several answers. */
const LONG = 'x'.repeat(4000)

async function filledInbox(era: Era) {
  const { view, connect } = openSurfaces()
  const say = (text: string, conversation = 'work') => view.say(conversation, { text })
  const said = Array.from({ length: COUNT }, (_, n) => say(`${n} ${LONG}`, n % 5 ? 'work' : 'other'))
  const ids = (await Promise.all(said)).map(({ id }) => id).sort()
  return { say, ids, client: await connect('/mcp/assistant', ROBOT, era) }
}

test.each<Era>(['legacy', 'modern'])(
  '[I13] catchUp brings every message after the watermark once and in order (%s)',
  async (era) => {
    const { say, ids, client } = await filledInbox(era)
    let after_id = ids[99]
    const brought: string[] = []
    for await (const { messages, last_id } of catchUp(client, { after_id })) {
      // Messages that are said meanwhile come too.
      if (brought.length === 0) ids.push((await say('more')).id)
      brought.push(...messages.map(({ id }) => id))
      after_id = last_id
    }
    expect(brought).toEqual(ids.slice(100))
    expect(await Array.fromAsync(catchUp(client, { after_id }))).toEqual([])
  },
)

test('[I13] catchUp without a watermark begins at the first message, and can be kept to one conversation', async () => {
  const { client } = await filledInbox('modern')
  const pages = await Array.fromAsync(catchUp(client, { session_id: 'other' }))
  const texts = pages.flatMap(({ messages }) => messages.map(({ content }) => String(content).split(' ')[0]))
  expect(texts).toEqual(Array.from({ length: COUNT / 5 }, (_, n) => `${n * 5}`))
})

test('[I13] catchUp throws what the hub answers', async () => {
  const client = await openSurfaces().connect('/mcp/human', ADA)
  await expect(Array.fromAsync(catchUp(client, { after_id: 'yesterday' }))).rejects.toThrow('after_id')
})

test('[R33] the library says of messages what their schema says', () => {
  expectTypeOf<Page>().toEqualTypeOf<InboxPage>()
})
