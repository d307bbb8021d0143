import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFileStore } from '../../src/files/file-store.ts'
import type { Attachment } from '../../src/protocol/entries/attachment.ts'
import type { Entry } from '../../src/protocol/entries/entry.ts'
import { localPrincipal } from '../../src/protocol/principal.ts'
import { agentOverHttp, agentOverStdio, type Era } from '../support/agent.ts'
import { ask } from '../support/chat.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { png } from '../support/images.ts'
import { outputSchemas } from '../support/mcp/output-schemas.ts'
import { call, openSurfaces, person, ROBOT } from '../support/mcp/surfaces.ts'
import { connectPage, type Client as Page } from '../support/socket.ts'
import { uploaded } from '../support/uploads.ts'

const ERAS: Era[] = ['legacy', 'modern']
const PICTURE = png(64, 48)
const BINARY = Buffer.from([0, 1, 2, 255])
const WAIT = { timeout: 60_000 }

interface Block {
  type: string
  text?: string
  data?: string
  mimeType?: string
  uri?: string
  name?: string
  size?: number
  resource?: { uri: string; text: string; mimeType: string }
}

async function uploadThree(url: string): Promise<Attachment[]> {
  return Promise.all([
    uploaded(url, new Uint8Array(PICTURE), { name: 'shot.png', mime: 'image/png' }),
    uploaded(url, '# Notes', { name: 'notes.md', mime: 'text/markdown' }),
    uploaded(url, new Uint8Array(BINARY), { name: 'data.bin', mime: 'application/octet-stream' }),
  ])
}

/** Answers the first question that the page is shown. */
async function answer(page: Page, text: string, attachments: Attachment[]) {
  for (;;) {
    const { entries } = (await page.next('entries')) as unknown as { entries: Entry[] }
    const asked = entries.find(({ body }) => body.kind === 'question')
    if (!asked) continue
    page.say({ type: 'answer', key: asked.id, question: asked.id, text, attachments })
    return page.next('accepted')
  }
}

/** What every agent gets of the three files, however it is connected. */
async function expectThree(result: object, [picture, notes, data]: Attachment[], text: string) {
  const { content, structuredContent } = result as { content: Block[]; structuredContent: { attachments: Block[] } }
  const uri = (file?: Attachment) => `parley://attachments/${file?.hash}/${file?.name}`
  expect(content).toEqual([
    { type: 'text', text: JSON.stringify(structuredContent) },
    { type: 'image', data: PICTURE.toString('base64'), mimeType: 'image/png' },
    { type: 'resource', resource: { uri: uri(notes), mimeType: 'text/markdown', text: '# Notes' } },
    { type: 'resource_link', uri: uri(data), name: 'data.bin', mimeType: 'application/octet-stream', size: 4 },
  ])
  expect(structuredContent).toMatchObject({ reply: text })
  const handed = structuredContent.attachments as unknown as { name: string; size: number; path: string }[]
  expect(handed.map(({ name, size }) => [name, size])).toEqual([
    ['shot.png', picture?.size],
    ['notes.md', 7],
    ['data.bin', 4],
  ])
  expect(handed.map(({ path }) => path.split('/').at(-1))).toEqual(['shot.png', 'notes.md', 'data.bin'])
  expect(await readFile(handed[0]?.path ?? '')).toEqual(PICTURE)
}

const show = (client: Client) => client.callTool({ name: 'send_message', arguments: { text: 'Show me?' } }, WAIT)

describe.each(ERAS)('an agent (%s)', (era) => {
  test('[F12] gets images to see, texts to read and the rest as a link, over HTTP', async () => {
    const { url } = await startHub()
    const page = await connectPage(url)
    const files = await uploadThree(url)
    const { client } = await agentOverHttp(url, { era })
    const asking = show(client)
    await answer(page, 'Here', files)
    await expectThree(await asking, files, 'Here')
  })

  test('[F12] gets the same over stdio, from its own hub and from that of another process', async () => {
    const data = await temporaryFolder()
    const first = await agentOverStdio({ era, env: { PARLEY_DATA: data, PARLEY_SESSION: 'one' } })
    const url = await first.url
    const second = await agentOverStdio({ era, env: { PARLEY_DATA: data, PARLEY_SESSION: 'two' } })
    expect(await second.url).toBe(url)
    const files = await uploadThree(url)
    for (const { client } of [first, second]) {
      const page = await connectPage(url)
      const asking = show(client)
      await answer(page, '', files)
      await expectThree(await asking, files, '[Attached: shot.png, notes.md, data.bin]')
    }
  })

  test('[F12] gets the files of what was said before and of late replies', async () => {
    const { url, chat, view } = await startHub()
    const files = await uploadThree(url)
    const client = await agentAt(url, era)
    await view.say('work', { text: '', attachments: files.slice(0, 1) })
    const told = await client.callTool({ name: 'send_progress', arguments: { text: 'On it' } })
    const [earlier] = (told.structuredContent as { earlier_messages: object[] }).earlier_messages
    expect(earlier).toMatchObject({ text: '[Attached: shot.png]', attachments: [{ name: 'shot.png' }] })
    expect((told.content as Block[]).map(({ type }) => type)).toEqual(['text', 'image'])
    const id = await ask(chat.as(localPrincipal('agent')), { by: 'test-agent', text: 'Which?' })
    await view.answer(id, 'This', undefined, files.slice(1, 2))
    const looked = await client.callTool({ name: 'check_messages', arguments: {} })
    expect(looked.structuredContent).toMatchObject({
      messages: [{ text: 'This', in_reply_to: 'Which?', attachments: [{ name: 'notes.md' }] }],
    })
    expect((looked.content as Block[]).map(({ type }) => type)).toEqual(['text', 'resource'])
  })

  test('[F14] reads files as resources, and nothing else', async () => {
    const { url, view } = await startHub()
    const files = await uploadThree(url)
    const [picture, notes] = files
    const client = await agentAt(url, era)
    await view.say('work', { text: 'Look', attachments: files })
    const uri = `parley://attachments/${notes?.hash}/notes.md`
    expect((await client.readResource({ uri })).contents).toEqual([{ uri, mimeType: 'text/plain', text: '# Notes' }])
    const shot = `parley://attachments/${picture?.hash}/shot.png`
    expect((await client.readResource({ uri: shot })).contents).toEqual([
      { uri: shot, mimeType: 'image/png', blob: PICTURE.toString('base64') },
    ])
    for (const bad of [
      `parley://attachments/${'0'.repeat(64)}/x`,
      'parley://attachments/../../etc/passwd',
      'file:///etc/passwd',
    ])
      await expect(client.readResource({ uri: bad })).rejects.toThrow('Unknown resource')
  })
})

async function agentAt(url: string, era: Era, path = '/mcp/agent?session=work'): Promise<Client> {
  const mode = era === 'modern' ? 'auto' : 'legacy'
  const client = new Client(
    { name: 'test-agent', version: '1' },
    { versionNegotiation: { mode }, jsonSchemaValidator: outputSchemas },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(url + path)))
  onTestFinished(() => client.close())
  return client
}

test('[F14] programs find the files of messages in the inbox and read them there', async () => {
  const { url, view } = await startHub()
  const attachments = (await uploadThree(url)).slice(1, 2)
  await view.say('work', { text: 'Read this', attachments })
  const client = await agentAt(url, 'modern', '/mcp/assistant')
  const { messages } = await call(client, 'chat_read_since', {})
  const [file] = (messages[0] as unknown as { attachments: { uri: string }[] }).attachments
  expect((await client.readResource({ uri: file?.uri ?? '' })).contents).toMatchObject([{ text: '# Notes' }])
})

test('[F13] what is too large to come along comes as a link and a path', async () => {
  const { url, view } = await startHub()
  const large = Buffer.concat([png(9, 9), Buffer.alloc(3 * 1024 * 1024)])
  const shots = await Promise.all(
    [1, 2].map((n) => uploaded(url, new Uint8Array(Buffer.concat([large, Buffer.alloc(n)])), { name: `${n}.png` })),
  )
  const text = await uploaded(url, 'x'.repeat(300 * 1024), { name: 'long.txt' })
  const client = await agentAt(url, 'modern')
  await view.say('work', { text: 'Look', attachments: [...shots, text] })
  const { content, structuredContent } = await client.callTool({ name: 'check_messages', arguments: {} })
  expect((content as Block[]).map(({ type }) => type)).toEqual(['text', 'image', 'resource_link', 'resource_link'])
  const { messages } = structuredContent as { messages: { attachments: { path: string }[] }[] }
  expect((await readFile(messages[0]?.attachments[1]?.path ?? '')).length).toBe(shots[1]?.size)
})

test('[F13] an agent of another machine is told no path of this one', async () => {
  const store = createFileStore({})
  onTestFinished(store.close)
  const { hash } = await store.save([PICTURE])
  const { view, connect } = openSurfaces({ files: { store, sameMachine: false } })
  const agent = await connect('/mcp/agent', { ...ROBOT, conversation: 'work' }, 'modern')
  await view.say('work', { text: 'Look', attachments: [{ hash, name: 'a.png', mime: 'x/y' }] })
  const uri = `parley://attachments/${hash}/a.png`
  expect((await call(agent, 'check_messages', {})).messages).toMatchObject([
    { attachments: [{ name: 'a.png', mime: 'image/png', size: PICTURE.length, uri }] },
  ])
})

test('[F12] [A11] approve stays one text: files come as paths in the words', async () => {
  const { url, view } = await startHub()
  const [picture] = await uploadThree(url)
  person(view, ({ id }) => view.answer(id, 'This one', undefined, picture && [picture]))
  const client = await agentAt(url, 'modern')
  const input = { questions: [{ question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }] }
  const { content, structuredContent } = await client.callTool(
    { name: 'approve', arguments: { tool_name: 'AskUserQuestion', input } },
    WAIT,
  )
  expect(structuredContent).toBeUndefined()
  expect(content).toHaveLength(1)
  const { updatedInput } = JSON.parse((content as Block[])[0]?.text ?? '')
  expect(updatedInput.answers['Which?']).toMatch(/^This one\n\n\[Attached: \/.*\/shot\.png\]$/)
})

test('[F15] an agent shows images with its messages, questions and progress', async () => {
  const { url, view } = await startHub()
  person(view, ({ id, body }) => view.answer(id, `re: ${body.text}`))
  const client = await agentAt(url, 'modern')
  const images = [{ data: PICTURE.toString('base64'), name: 'plot.png' }]
  expect(await call(client, 'send_message', { text: 'Look', images })).toMatchObject({ reply: 're: Look' })
  const dataUrl = [{ data: `data:image/png;base64,${PICTURE.toString('base64')}` }]
  await call(client, 'ask_user', { question: 'Better?', images: dataUrl })
  await call(client, 'ask_user', { questions: [{ question: 'One?', images }, { question: 'Two?' }] })
  await call(client, 'send_progress', { text: 'Drawn', images })
  const { entries } = await view.page('work', { limit: 100 })
  const shown = entries.flatMap(({ body }) =>
    'attachments' in body && body.attachments && 'text' in body
      ? [[body.kind, body.text, body.attachments[0]?.name]]
      : [],
  )
  expect(shown).toEqual([
    ['question', 'Look', 'plot.png'],
    ['question', 'Better?', 'image-1.png'],
    ['question', 'One?', 'plot.png'],
    ['progress', 'Drawn', 'plot.png'],
  ])
})

test('[F15] over stdio an image can be a file of this machine', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'plot.png')
  await writeFile(path, PICTURE)
  const args = ['stdio', '--surface', 'agent']
  const env = { PARLEY_DATA: join(folder, 'data'), PARLEY_SESSION: 'work' }
  const agent = await agentOverStdio({ args, env, cwd: folder })
  const page = await connectPage(await agent.url)
  await call(agent.client, 'send_progress', { text: 'Drawn', images: [{ path: 'plot.png' }] })
  for (;;) {
    const { entries } = (await page.next('entries')) as unknown as { entries: Entry[] }
    const told = entries.find(({ body }) => body.kind === 'progress')
    if (!told) continue
    expect(told.body).toMatchObject({ attachments: [{ name: 'plot.png', mime: 'image/png', width: 64, height: 48 }] })
    break
  }
  for (const [image, problem] of [
    [{ path: join(folder, 'nothing.png') }, 'nothing.png cannot be read (it is not there)'],
    [{ path: folder }, 'cannot be read'],
    [{ path: join(folder, 'data', 'parley.db') }, '"parley.db" is not a PNG, JPEG, GIF or WebP image'],
  ] as const)
    await expect(call(agent.client, 'send_progress', { text: 'x', images: [image] })).rejects.toThrow(problem)
})

test('[F15] what is no image is refused, and nobody is asked', async () => {
  const { url, view } = await startHub()
  const client = await agentAt(url, 'modern')
  const data = PICTURE.toString('base64')
  const bad: [unknown, string][] = [
    [
      [{ data: Buffer.from('<svg/>').toString('base64'), name: 'a.svg' }],
      '"a.svg" is not a PNG, JPEG, GIF or WebP image',
    ],
    [[{ data: '' }], 'This file is empty'],
    [[{}], '"images.0" needs either "path" or "data"'],
    [[{ data, path: '/tmp/a.png' }], '"images.0" needs either "path" or "data"'],
    [[{ path: '/etc/passwd' }], '"images.0.path" is for agents that use stdio'],
    [Array(11).fill({ data }), '"images" has more than 10 images'],
    [data, '"images" must be a list of images'],
  ]
  for (const [images, problem] of bad)
    for (const [name, input] of [
      ['send_message', { text: 'Look' }],
      ['ask_user', { question: 'Better?' }],
      ['send_progress', { text: 'Drawn' }],
    ] as const)
      await expect(call(client, name, { ...input, images })).rejects.toThrow(problem)
  expect(await view.last()).toBe('0'.repeat(16))
})

test('[F15] [M1] the documented tool of the bridge takes what it always took', async () => {
  const { url } = await startHub()
  const parameters = async (path: string) => {
    const { tools } = await (await agentAt(url, 'modern', path)).listTools()
    return Object.keys(tools[0]?.inputSchema.properties ?? {})
  }
  expect(await parameters('/mcp')).toEqual(['text', 'quick_replies', 'question_id'])
  expect(await parameters('/mcp/agent')).toEqual(['text', 'quick_replies', 'question_id', 'images'])
})
