import { describe, expect, test } from 'vitest'
import { INBOX, STATUS } from '../../../src/protocol/frames/inbox.ts'
import { erasOf } from '../../support/eras.ts'
import { startHub } from '../../support/hub.ts'
import { openInspector } from '../../support/mcp/inspector.ts'
import { connectV1, connectV2 } from '../../support/mcp/sdk-clients.ts'

const HELLO = { mime: 'text/markdown', content: 'Hello' }

describe.each([
  { client: 'SDK v1', connect: connectV1 },
  { client: 'SDK v2, 2025 era', connect: (url: string) => connectV2(url, 'legacy') },
  { client: 'SDK v2, 2026 era', connect: (url: string) => connectV2(url, 'auto') },
])('a client of the $client', ({ connect }) => {
  test('[M17] reads the inbox, subscribes to it, and hears of a post with the message itself', async () => {
    const { url } = await startHub()
    const runtime = await connect(`${url}/mcp/assistant`)
    expect(await runtime.resources()).toEqual([INBOX, STATUS])
    expect((await runtime.read(INBOX)).messages).toEqual([])
    await runtime.subscribe(INBOX)
    const person = await connect(`${url}/mcp/human`)
    const { id } = await person.call('chat_human_post', HELLO)
    const { uri, _meta } = await runtime.updated
    const message = { id, author: 'user', ...HELLO }
    expect([uri, _meta?.['parley/messages']]).toMatchObject([INBOX, [message]])
    expect(await runtime.call('chat_read_since', {})).toMatchObject({ messages: [message], last_id: id })
    expect(await runtime.read(INBOX)).toMatchObject({ messages: [message], last_id: id })
  })

  test('[M17] finds the tools of each side and posts for it', async () => {
    const { url } = await startHub()
    const runtime = await connect(`${url}/mcp/assistant`)
    const person = await connect(`${url}/mcp/human`)
    expect(await person.tools()).toEqual(['chat_read_since', 'chat_human_post'])
    expect(await runtime.tools()).toEqual(['chat_read_since', 'chat_assistant_post', 'chat_assistant_event'])
    await person.call('chat_human_post', HELLO)
    await runtime.call('chat_assistant_post', { ...HELLO, content: 'Hi' })
    expect((await person.read(INBOX)).messages).toMatchObject([
      { author: 'user', content: 'Hello' },
      { author: 'assistant', content: 'Hi' },
    ])
  })
})

// Both eras by the SDKs, above.
test.each(erasOf('modern'))(
  '[M17] the Inspector (%s) finds the tools, subscribes, posts, and reads the inbox',
  async (era) => {
    const { url } = await startHub()
    const { connect } = await openInspector()
    const human = await connect('human', `${url}/mcp/human`, era)
    const { tools } = await human.ask('tools/list')
    expect(tools).toMatchObject([{ name: 'chat_read_since' }, { name: 'chat_human_post' }])
    const { updated } = await human.subscribe(INBOX)
    const words = [`mime:=${HELLO.mime}`, `content:=${HELLO.content}`]
    const { structuredContent } = await human.ask('tools/call', 'chat_human_post', ...words)
    await updated
    const { contents } = await human.ask('resources/read', INBOX)
    expect(JSON.parse(contents[0].text).messages).toMatchObject([
      { id: structuredContent.id, author: 'user', ...HELLO },
    ])
  },
)
