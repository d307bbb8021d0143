import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { View } from '../../../src/chat/view.ts'
import type { Hub } from '../../../src/hub/hub.ts'
import { BEFORE_ALL, type Entry } from '../../../src/protocol/entries/entry.ts'
import { viewOf } from '../hub.ts'
import { connect, type Frame, type Client as Socket } from '../socket.ts'
import type { FailingLog } from './failing-log.ts'

// Nothing here takes a tenth of it; what has not ended by then never will.
const HANG_MS = 15_000
const LONG_MS = 60_000
const MANY = Array.from({ length: 30 }, (_, n) => `${n}`)

/** What work comes to, be it an error. Only what never ends is a failure here. */
export async function ended<Result>(what: string, work: Promise<Result>): Promise<Result | Error> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`Never ended: ${what}`)), HANG_MS)
  const outcome = work.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
  try {
    return await Promise.race([outcome, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** A page, a documented client and an agent talk with each other; whatever is refused is said once more. */
export async function talk(hub: Hub, { inner, failed, broken }: FailingLog) {
  const { url } = hub
  const view = viewOf(hub)
  const page = await ended('greeting a page', pageAt(url))
  const bridge = await ended('greeting a bridge client', bridgeAt(url))
  const agent = await agentAt(`${url}/mcp/agent?session=work`)
  await asking('Deploy?', async (question) => {
    const answer = { type: 'answer', question, text: 'Yes' }
    await settled(answer, () => view.answer(question, 'Yes', 'answer'))
    // Said again with its key, it is looked up what came of it.
    await told(answer)
  })
  await settled({ type: 'post', conversation: 'work', text: 'Hello' }, () => view.say('work', { text: 'Hello' }))
  // The texts are so many that the hub keeps a snapshot when it closes.
  await ended('saying much', Promise.all(MANY.map((text) => view.say('work', { text }))))
  await asking('Next?', () =>
    settled({ type: 'interrupt', conversation: 'work', text: 'Stop' }, () => view.interrupt('work', 'Stop')),
  )
  await ended('checking messages', agent.callTool({ name: 'check_messages', arguments: {} }))
  await asking('By bridge?', async (id) => {
    if (!(bridge instanceof Error)) bridge.say({ type: 'ack', id, message: 'Yes' })
    await ended('settling it once more', view.answer(id, 'Yes'))
  })
  for (const command of [{ type: 'list' }, { type: 'read', conversation: 'work' }, { type: 'search', query: 'Yes' }])
    await told(command)
  await deadline()
  const program = await agentAt(`${url}/mcp/human`, 'legacy')
  await ended('reading since', program.callTool({ name: 'chat_read_since', arguments: {} }))
  for (const client of [agent, program]) await client.close()

  async function asking(text: string, settle: (question: string) => Promise<unknown>) {
    const call = ended(`asking ${text}`, send(agent, text))
    const question = await Promise.race([questionIn(inner, text), call.then(() => undefined)])
    if (question !== undefined) await settle(question)
    await call
  }

  async function settled(command: Record<string, unknown>, again: () => Promise<Entry>) {
    const answer = await told(command)
    if (answer instanceof Error || answer.type !== 'accepted') await ended('saying it once more', again())
  }

  async function told(command: Record<string, unknown>): Promise<Frame | Error> {
    if (page instanceof Error) return page
    const key = `${command.type}`
    page.say({ key, ...command })
    return ended(
      key,
      answerTo(page, (frame) => frame.key === key),
    )
  }

  /** One that cannot be kept is tried again after a while, for which nobody waits here. */
  async function deadline() {
    const wait = new AbortController()
    const due = ended('a deadline', expiring(view, wait.signal))
    const before = failed()
    await Promise.race([due, before === undefined ? broken.then(aWhile) : due])
    wait.abort(new Error('It took too long'))
    await due
  }
}

/** Another conversation, by clients that come now. */
export async function talkElsewhere(hub: Hub, { inner }: FailingLog): Promise<unknown> {
  const page = await pageAt(hub.url)
  const agent = await agentAt(`${hub.url}/mcp/agent?session=elsewhere`)
  const call = send(agent, 'Still there?')
  const question = await questionIn(inner, 'Still there?')
  page.say({ type: 'answer', key: 'k', question, text: 'Yes' })
  await answerTo(page, ({ type }) => type === 'accepted')
  const reply = await call
  await agent.close()
  return reply
}

async function send(agent: Client, text: string): Promise<unknown> {
  const result = await agent.callTool({ name: 'send_message', arguments: { text } }, { timeout: LONG_MS })
  if (result.isError) throw new Error(JSON.stringify(result.content))
  return result.structuredContent
}

async function expiring(view: View, signal: AbortSignal) {
  const { ask, outcome } = view.agentService()
  const asking = { by: 'agent', text: 'Soon?', key: 'soon', expires_at: Date.now() }
  const asked = await ask('work', [asking], { title: 'Work' })
  return outcome('questions' in asked ? (asked.questions[0] ?? '') : '', signal)
}

async function pageAt(url: string): Promise<Socket> {
  const page = await connect(url, '/ws?dialect=timeline')
  page.say({ type: 'hello' })
  const { type, error } = await answerTo(page, ({ type }) => type === 'welcome' || type === 'refused')
  if (type === 'refused') throw new Error(String(error))
  return page
}

async function bridgeAt(url: string): Promise<Socket> {
  const bridge = await connect(url, '/ws?dialect=bridge')
  await bridge.next('connected')
  return bridge
}

async function agentAt(url: string, mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test-agent', version: '1' }, { versionNegotiation: { mode } })
  onTestFinished(() => client.close())
  await ended('connecting an agent', client.connect(new StreamableHTTPClientTransport(new URL(url))))
  return client
}

async function answerTo(client: Socket, fits: (frame: Frame) => boolean): Promise<Frame> {
  for (;;) {
    const frame = await client.any()
    if (fits(frame)) return frame
  }
}

/** Resolves as soon as the log has it. */
async function questionIn(inner: FailingLog['inner'], text: string): Promise<string> {
  const found = Promise.withResolvers<string>()
  const following = inner.follow(
    { after: BEFORE_ALL },
    {
      entries(entries) {
        for (const { id, body } of entries as Entry[])
          if (body.kind === 'question' && body.text === text) found.resolve(id)
      },
      failed: found.reject,
    },
  )
  return found.promise.finally(following.close)
}

async function aWhile() {
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
}
