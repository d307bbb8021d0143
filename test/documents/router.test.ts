import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { openTestHub, startHub } from '../support/hub.ts'
import { connect } from '../support/socket.ts'

/** The document's own words. */
const QUESTION = 'What would you like to do today?'
const ANSWER = "I'd like to analyze some data."
const ORIGIN = 'http://localhost:5173'

const asked = { id: expect.any(String), type: 'ask_user', question: QUESTION }

async function agentAt(url: string) {
  const client = new Client({ name: 'agent', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/agent?session=work`)))
  onTestFinished(() => client.close())
  return { tools, askUser }

  async function tools() {
    return (await client.listTools()).tools.map(({ name }) => name)
  }

  /** What the call returns. */
  async function askUser(more: Record<string, unknown> = {}): Promise<unknown> {
    const result = await client.callTool({ name: 'ask_user', arguments: { question: QUESTION, ...more } })
    if (result.isError) throw new Error((result.content as { text: string }[])[0]?.text)
    return result.structuredContent
  }
}

test('[W36] ask_user goes to all connected frontends, and the answer of the first is the result of the call', async () => {
  const { url } = await startHub()
  const [first, second, third] = [await connect(url), await connect(url), await connect(url, '/ws?dialect=router')]
  const agent = await agentAt(url)
  expect(await agent.tools()).toContain('ask_user')
  const result = agent.askUser()
  const frame = await first.next('ask_user')
  expect(frame).toEqual(asked)
  for (const frontend of [second, third]) expect(await frontend.next('ask_user')).toEqual(frame)
  const { id } = frame
  second.say({ id, type: 'user_response', answer: ANSWER })
  expect(await result).toEqual({ answer: ANSWER })
  first.say({ id, type: 'user_response', answer: 'Something else' })
  expect(await first.next('error')).toEqual({ type: 'error', error: 'This question is no longer open' })
})

test('[W51] every frontend is told what became of a question, wherever that happened', async () => {
  const { url, view } = await startHub()
  const frontends = [await connect(url), await connect(url, '/ws?dialect=router')]
  const agent = await agentAt(url)
  const result = agent.askUser()
  const [asked] = await Promise.all(frontends.map((frontend) => frontend.next('ask_user')))
  const id = String(asked?.id)
  await view.answer(id, ANSWER)
  for (const frontend of frontends)
    expect(await frontend.next('user_response')).toEqual({ id, type: 'user_response', answer: ANSWER })
  expect(await result).toEqual({ answer: ANSWER })
  const withdrawn = agent.askUser({ question: 'And now?', timeout_seconds: 1, on_timeout: 'withdraw' })
  await expect(withdrawn).rejects.toThrow('the question was withdrawn')
  for (const frontend of frontends) {
    const { id } = await frontend.next('ask_user')
    expect(await frontend.next('question_closed')).toEqual({ id, type: 'question_closed', outcome: 'expired' })
  }
})

test('[W36] calls that wait at the same time each get the answer with their own id', async () => {
  const { url } = await startHub()
  const frontend = await connect(url)
  const agent = await agentAt(url)
  const calls = ['One?', 'Two?', 'Three?'].map((question) => agent.askUser({ question }))
  for (const _ of calls) {
    const { id, question } = await frontend.next('ask_user')
    frontend.say({ id, type: 'user_response', answer: `re: ${question}` })
  }
  expect(await Promise.all(calls)).toEqual([{ answer: 're: One?' }, { answer: 're: Two?' }, { answer: 're: Three?' }])
})

test('[W36] a response that cannot be right gets one sentence, and the question stays open', async () => {
  const { url } = await startHub()
  const frontend = await connect(url)
  const agent = await agentAt(url)
  const result = agent.askUser()
  const { id } = await frontend.next('ask_user')
  for (const wrong of [{ id }, { id, answer: 7 }, { answer: ANSWER }, { id: 'unique-request-id', answer: ANSWER }]) {
    frontend.say({ type: 'user_response', ...wrong })
    expect(await frontend.next('error')).toEqual({ type: 'error', error: expect.any(String) })
  }
  frontend.say({ id, type: 'user_response', answer: ANSWER })
  expect(await result).toEqual({ answer: ANSWER })
})

test('[W22] a frontend that connects late gets the open question, also one that was disconnected', async () => {
  const { url } = await startHub()
  const agent = await agentAt(url)
  const result = agent.askUser()
  const gone = await connect(url)
  const { id } = await gone.next('ask_user')
  gone.ws.terminate()
  await gone.closed
  const back = await connect(url)
  expect(await back.next('ask_user')).toEqual({ ...asked, id })
  back.say({ id, type: 'user_response', answer: ANSWER })
  expect(await result).toEqual({ answer: ANSWER })
})

test('[M21] the request remains pending until the user responds or a timeout occurs', async () => {
  const { url } = await startHub()
  const frontend = await connect(url)
  const agent = await agentAt(url)
  const late = agent.askUser({ timeout_seconds: 1 })
  await expect(late).rejects.toThrow('Nobody answered within 1 s. The question stays open')
  const { id } = await frontend.next('ask_user')
  frontend.say({ id, type: 'user_response', answer: ANSWER })
  expect(await agent.askUser({ question: undefined, question_id: id })).toEqual({ answer: ANSWER })
})

test('[M25] a graceful shutdown answers the call and says goodbye to the frontends; the question stays open', async () => {
  const { url, close } = await startHub()
  const frontend = await connect(url)
  const agent = await agentAt(url)
  const result = agent.askUser().catch(({ message }) => message)
  const { id } = await frontend.next('ask_user')
  await close()
  expect(await result).toContain(`The question stays open: come back in a moment with question_id "${id}"`)
  expect((await frontend.closed).code).toBe(1001)
})

test('[S25] a web frontend of an origin that was allowed connects, and answers', async () => {
  const hub = await openTestHub({ host: '127.0.0.1', port: 0, data: 'memory', origins: [ORIGIN] })
  onTestFinished(hub.close)
  const frontend = await connect(hub.url, '/ws', [], { origin: ORIGIN })
  const agent = await agentAt(hub.url)
  const result = agent.askUser()
  frontend.say({ id: (await frontend.next('ask_user')).id, type: 'user_response', answer: ANSWER })
  expect(await result).toEqual({ answer: ANSWER })
})
