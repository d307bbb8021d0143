import { expect, test } from 'vitest'
import { assistantSurface } from '../../src/doors/mcp/surfaces/assistant-surface.ts'
import { ANSWER_BYTES, INBOX } from '../../src/protocol/frames/inbox.ts'
import { newLog, openTestChat } from '../support/chat.ts'
import { connectLine } from '../support/lines/line.ts'
import { ADA, BOUND, call, openSurfaces, ROBOT, readJson, SUBSCRIBERS } from '../support/mcp/surfaces.ts'

const HUMAN = '/mcp/human'
const ASSISTANT = '/mcp/assistant'
const MIB = 1024 * 1024
const contents = ({ messages }: { messages: { content: unknown }[] }) => messages.map(({ content }) => content)

test('[I27] one answer holds 1 MiB of messages and says when there are more, and at least one message', async () => {
  const { view, connect } = openSurfaces()
  const program = await connect(ASSISTANT, ROBOT)
  const sizes = [1, 1, 1, 0.9, 1, 0.1].map((size) => Math.floor((size * MIB) / 4))
  for (const size of sizes) await view.say('chat', { text: 'x'.repeat(size) })
  const first = await call(program, 'chat_read_since', {})
  expect([first.messages.length, first.has_more]).toEqual([4, true])
  expect(JSON.stringify(first.messages).length).toBeLessThanOrEqual(ANSWER_BYTES)
  const second = await call(program, 'chat_read_since', { after_id: first.last_id })
  expect([second.messages.length, second.has_more]).toEqual([2, false])
  // As JSON this one alone takes more than an answer may.
  await view.say('chat', { text: '\u0001'.repeat(MIB) })
  await view.say('chat', { text: 'the last' })
  const third = await call(program, 'chat_read_since', { after_id: second.last_id })
  expect([third.messages.length, third.has_more]).toEqual([1, true])
  expect(contents(await call(program, 'chat_read_since', { after_id: third.last_id }))).toEqual(['the last'])
})

test('[I27] the inbox holds no more than that, the newest, and says that there are older ones', async () => {
  const { view, connect } = openSurfaces()
  const human = await connect(HUMAN, ADA)
  for (const name of ['a', 'b', 'c', 'd', 'e']) await view.say('chat', { text: name.repeat(0.2 * MIB) })
  const { body } = await readJson(human, INBOX)
  expect([body.messages.map(({ content }) => String(content)[0]), body.has_older]).toEqual([['b', 'c', 'd', 'e'], true])
  expect(body.last_id).toBe(await view.last())
})

test('[I27] however much there is to read, few entries are in memory at once', async () => {
  const log = newLog()
  const limits: number[] = []
  const noting: typeof log = {
    ...log,
    read(page) {
      limits.push(page.limit)
      return log.read(page)
    },
  }
  const { view, connect } = openSurfaces({ log: noting })
  await Promise.all(Array.from({ length: 1200 }, (_, n) => view.say('chat', { text: `${n}` })))
  const program = await connect(ASSISTANT, ROBOT)
  limits.length = 0
  expect((await call(program, 'chat_read_since', { limit: 5_000_000 })).messages).toHaveLength(1200)
  expect((await readJson(program, INBOX)).body.messages).toHaveLength(1000)
  expect(Math.max(...limits)).toBeLessThanOrEqual(65)
})

test('[I28] a watermark is any number of at most 16 digits; none, null and an empty text are the beginning', async () => {
  const { view, connect } = openSurfaces()
  const program = await connect(ASSISTANT, ROBOT)
  const { id } = await view.say('chat', { text: 'one' })
  await view.say('chat', { text: 'two' })
  const after = async (after_id: unknown) => contents(await call(program, 'chat_read_since', { after_id }))
  for (const beginning of [undefined, null, '', '0', '7', '1700000012344', '0000000000000000'])
    expect(await after(beginning)).toEqual(['one', 'two'])
  expect(await after(id)).toEqual(['two'])
  expect(await after(String(Number(id) - 1))).toEqual(['one', 'two'])
  expect(await after('9999999999999999')).toEqual([])
})

test('[I28] null and an empty text are as good as nothing for what may be left out', async () => {
  const { view, connect } = openSurfaces()
  const [human, assistant] = [await connect(HUMAN, ADA), await connect(ASSISTANT, ROBOT)]
  const hello = { mime: 'text/plain', content: 'Hello' }
  for (const nothing of [null, '']) {
    const blank = { session_id: nothing, subscriber: nothing, key: nothing }
    await call(human, 'chat_human_post', { ...hello, ...blank })
    await call(assistant, 'chat_assistant_post', { ...hello, ...blank })
    await call(assistant, 'chat_assistant_event', { type: 'progress', text: 'Half', ...blank })
    await call(await connect('/mcp/loop', ROBOT), 'yield_turn', blank)
    await call(human, 'read_and_advance', { limit: nothing, session_id: nothing, subscriber: nothing })
    expect((await call(human, 'chat_read_since', { limit: nothing, ...blank })).messages).not.toEqual([])
  }
  const { entries } = await view.page(undefined, { limit: 20 })
  expect(entries.map(({ conversation }) => conversation)).toEqual(Array(8).fill('chat'))
})

test('[I28] what clients are shown of the inputs is plain: one type for each field, but content, which may be anything', async () => {
  const { tools } = await (await openSurfaces().connect('/mcp/chat', { ...ROBOT, role: 'admin' })).listTools()
  const fields = tools.flatMap(({ inputSchema }) => Object.entries(inputSchema.properties ?? {}))
  const types = fields.filter(([name]) => name !== 'content').map(([, field]) => (field as { type?: unknown }).type)
  expect(types.every((type) => typeof type === 'string')).toBe(true)
  const read = tools.find(({ name }) => name === 'chat_read_since')
  expect(read?.inputSchema.properties?.after_id).toMatchObject({ type: 'string', pattern: '^\\d{1,16}$' })
})

test('[I32] read_and_advance brings each message once, also to calls at the same time and after a restart', async () => {
  const log = newLog()
  const before = openSurfaces({ log })
  const program = await before.connect(ASSISTANT, ROBOT)
  const texts = Array.from({ length: 40 }, (_, n) => `${n}`)
  for (const text of texts) await before.view.say('chat', { text })
  const advance = () => call(program, 'read_and_advance', { limit: 4 })
  const pages = await Promise.all(Array.from({ length: 9 }, advance))
  expect(pages.flatMap(contents)).toEqual(texts.slice(0, 36))
  expect(pages.every(({ has_more }) => has_more)).toBe(true)
  const after = openSurfaces({ log })
  const again = await after.connect(ASSISTANT, ROBOT)
  const rest = await call(again, 'read_and_advance', {})
  expect([contents(rest), rest.has_more]).toEqual([texts.slice(36), false])
  expect(await call(again, 'read_and_advance', {})).toEqual({ messages: [], last_id: rest.last_id, has_more: false })
})

test('[I80] calls that are repeated bring the same pages, whatever was read and said since, also after a restart', async () => {
  const log = newLog()
  const before = openSurfaces({ log })
  const texts = Array.from({ length: 6 }, (_, n) => `${n}`)
  for (const text of texts) await before.view.say('chat', { text })
  const advance = ({ view }: Pick<typeof before, 'view'>, key: string) =>
    view.inbox.readAndAdvance(undefined, 2, `line:${key}`)
  const pages = [await advance(before, 'a'), await advance(before, 'b')]
  const after = openSurfaces({ log })
  await after.view.say('chat', { text: 'Later' })
  expect([await advance(after, 'a'), await advance(after, 'b')]).toEqual(pages)
  const last = await advance(after, 'c')
  expect(contents(last)).toEqual(['4', '5'])
  expect(contents(await advance(after, 'd'))).toEqual(['Later'])
  expect([await advance(after, 'b'), await advance(after, 'c')]).toEqual([pages[1], last])
})

test('[I32] it is kept for each subscriber and each conversation, and chat_read_since moves nothing', async () => {
  const { view, connect } = openSurfaces()
  const [robot, ada, bound] = [await connect(ASSISTANT, ROBOT), await connect(HUMAN, ADA), await connect(HUMAN, BOUND)]
  await view.say('private', { text: 'one' })
  await view.say('public', { text: 'two' })
  const next = async (client: typeof robot, session_id?: string) =>
    contents(await call(client, 'read_and_advance', { session_id }))
  expect(await next(robot)).toEqual(['one', 'two'])
  expect(await next(robot)).toEqual([])
  expect(await next(robot, 'public')).toEqual(['two'])
  expect(contents(await call(ada, 'chat_read_since', {}))).toEqual(['one', 'two'])
  expect(await next(ada)).toEqual(['one', 'two'])
  expect(await next(bound)).toEqual(['one'])
  expect(await next(bound, 'private')).toEqual([])
  await expect(next(bound, 'public')).rejects.toThrow('Unknown conversation "public"')
})

test('[I32] a call that is repeated because its answer was lost brings the same messages again', async () => {
  const { chat, view } = openTestChat()
  const parts = { viewOf: chat.as, subscribers: SUBSCRIBERS }
  const advance = async (key: string) => {
    const client = await connectLine(chat, {
      principal: ROBOT,
      surface: () => assistantSurface(parts),
      repeatOf: () => ({ key }),
    })
    return contents(await call(client, 'read_and_advance', {}))
  }
  await view.say('chat', { text: 'one' })
  expect(await advance('k-1')).toEqual(['one'])
  expect(await advance('k-1')).toEqual(['one'])
  await view.say('chat', { text: 'two' })
  expect(await advance('k-2')).toEqual(['two'])
})
