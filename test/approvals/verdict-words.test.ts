import { expect, test } from 'vitest'
import type { Approval } from '../../src/protocol/entries/entry.ts'
import { ask } from '../support/chat.ts'
import { eventually } from '../support/eventually.ts'
import { startHub } from '../support/hub.ts'
import { connectHttp } from '../support/mcp/http-client.ts'
import { connect, connectPage, type Frame } from '../support/socket.ts'

const OPTIONS = [
  { id: 'once', label: 'Allow', kind: 'allow_once' },
  { id: 'no', label: 'Reject', kind: 'reject_once' },
] as const

async function waitingHub(more: Partial<Approval> = {}) {
  const hub = await startHub()
  const approval = { tool_name: 'Bash', input: '{"command":"rm -r build"}', ...more }
  const id = await ask(hub.view, { by: 'codex', text: 'Just say Allow', approval })
  return { ...hub, id, isOpen, said }

  async function isOpen() {
    return (await hub.view.conversation('work')).open.some((question) => question.id === id)
  }

  async function said(words: string) {
    await eventually(async () => {
      const { entries } = await hub.view.page(undefined, { limit: 20 })
      expect(JSON.stringify(entries)).toContain(words)
    })
  }
}

test.each([undefined, [...OPTIONS]])(
  '[A54] words that name no question allow nothing, through whatever door',
  async (options) => {
    const { url, view, isOpen, said } = await waitingHub({ options })
    const loop = await connect(url, '/ws?dialect=loop')
    const plain = await connect(url, '/ws?session=work')
    const page = await connectPage(url)
    for (const words of ['Allow', 'allow', 'yes', ' Allow\n']) {
      loop.say({ type: 'chat', message: words, session_id: 'work' })
      loop.say({ type: 'chat', message: words })
      plain.say({ type: 'chat', message: words })
      page.say({ type: 'post', key: crypto.randomUUID(), conversation: 'work', text: words })
    }
    const human = await connectHttp(`${url}/mcp/human`)
    const post = { mime: 'text/plain', content: 'Allow', session_id: 'work' }
    await human.callTool({ name: 'chat_human_post', arguments: post })
    const body = JSON.stringify({
      server: 'human',
      tool: 'chat_human_post',
      arguments: { ...post, content: 'Allow. Over' },
    })
    expect((await fetch(`${url}/api/mcp/call`, { method: 'POST', body })).status).toBe(200)
    loop.say({ type: 'chat', message: 'The end', session_id: 'work' })
    await said('The end')
    expect(await isOpen()).toBe(true)
    const kinds = (await view.page('work', { limit: 100 })).entries.map(({ body }) => body.kind)
    expect(kinds).not.toContain('settlement')
  },
)

test('[A54] a verdict without an id, or with one that is none, is refused in every dialect', async () => {
  const { url, isOpen } = await waitingHub()
  const frames: Frame[] = [
    { type: 'ack', message: 'Allow' },
    { type: 'ack', id: '', message: 'Allow' },
    { type: 'ack', id: '*', message: 'Allow' },
    { type: 'user_response', answer: 'Allow' },
    { type: 'user_response', id: null, answer: 'Allow' },
  ]
  const client = await connect(url)
  for (const frame of frames) {
    client.say(frame)
    await client.next('error')
  }
  const page = await connectPage(url)
  for (const type of ['allow', 'deny', 'answer', 'choose', 'take_option']) {
    page.say({ type, key: 'k', conversation: 'work', text: 'Allow', choices: ['Allow'], option: 'once' })
    await page.next('refused')
  }
  expect(await isOpen()).toBe(true)
})

test('[A54] the options of words and lists of answers are for questions, and allow no call', async () => {
  const { url, id, isOpen } = await waitingHub({ options: [...OPTIONS] })
  const page = await connectPage(url)
  page.say({ type: 'choose', key: 'a', question: id, choices: ['Allow'] })
  expect(await page.next('refused')).toMatchObject({ code: 'unknown_choice' })
  page.say({ type: 'answer_all', key: 'b', answers: [{ question: id, text: 'Allow' }] })
  await page.next('refused')
  expect(await isOpen()).toBe(true)
})

test.each([
  ['bridge', (id: string, message: string) => ({ type: 'ack', id, message })],
  ['router', (id: string, answer: string) => ({ type: 'user_response', id, answer })],
] as const)(
  '[A55] the %s dialect shows a call in the words of the hub, and the word allows what it shows',
  async (dialect, frame) => {
    const { url, id, view } = await waitingHub({ tool_name: 'Ba\u202esh' })
    const client = await connect(url, `/ws?dialect=${dialect}`)
    await eventually(() => expect(JSON.stringify(client.frames)).toContain('rm -r build'))
    const shown = JSON.stringify(client.frames)
    expect(shown).not.toContain('Just say Allow')
    expect(shown).toContain('Ba\\\\u202esh')
    client.say(frame(id, 'Allow'))
    await eventually(async () => expect((await view.conversation('work')).open).toEqual([]))
  },
)

test.each([
  ['is too long', { input: JSON.stringify({ command: 'x'.repeat(5000) }) }],
  ['is too long with what is escaped', { input: JSON.stringify({ command: '\u200b'.repeat(900) }) }],
  ['changes files', { input: '{}', changes: [{ path: 'a', new_text: 'b' }] }],
  ['changes files, and has options', { input: '{}', changes: [{ path: 'a', new_text: 'b' }], options: [...OPTIONS] }],
])('[A55] a call that %s is not shown whole in words, and not allowed by them', async (_, more) => {
  const { url, id, isOpen, view } = await waitingHub(more)
  const client = await connect(url, '/ws?dialect=bridge')
  const { history } = (await client.next('connected')) as unknown as { history: Frame[] }
  expect(history[0]?.quick_replies).toEqual(['options' in more ? 'Reject' : 'Deny'])
  expect(history[0]?.text).toContain('it can only be allowed on the page')
  client.say({ type: 'ack', id, message: 'Allow' })
  expect(await client.next('error')).toMatchObject({ error: expect.stringContaining('Part of this call is not shown') })
  expect(await isOpen()).toBe(true)
  client.say({ type: 'ack', id, message: 'Better not' })
  await eventually(async () => expect((await view.conversation('work')).open).toEqual([]))
})
