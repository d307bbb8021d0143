import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { environment, executable } from '../../support/agent.ts'
import { temporaryFolder } from '../../support/hub.ts'
import { openPage, type Page } from '../../support/page.ts'
import { startParley } from '../../support/process.ts'

type Options = {
  timeout?: number
  onprogress?: (progress: { progress: number }) => void
  resetTimeoutOnProgress?: boolean
}
type Calls = (input: Record<string, unknown>, options?: Options) => Promise<object>
type Door = { url: URL; args: string[]; env: Record<string, string> }

const INFO = { name: 'impatient', version: '1' }
const SHORT_MS = 300
const TIMED_OUT = /timed? ?out/i

async function version1(transport: Transport): Promise<Calls> {
  const client = new ClientV1(INFO)
  onTestFinished(() => client.close())
  await client.connect(transport)
  return (input, options) => client.callTool({ name: 'send_message', arguments: input }, undefined, options)
}

async function version2(transport: HttpV2 | StdioV2, mode: 'legacy' | 'auto'): Promise<Calls> {
  const client = new ClientV2(INFO, { versionNegotiation: { mode } })
  onTestFinished(() => client.close())
  await client.connect(transport)
  return (input, options) => client.callTool({ name: 'send_message', arguments: input }, options)
}

const spawned = ({ args, env }: Door) => ({ command: process.execPath, args: [executable, ...args], env })

describe.each<[string, (door: Door) => Promise<Calls>]>([
  ['v1 over HTTP', ({ url }) => version1(new HttpV1(url))],
  ['v1 over stdio', (door) => version1(new StdioV1({ ...spawned(door), stderr: 'ignore' }))],
  ['v2 over HTTP, 2025 era', ({ url }) => version2(new HttpV2(url), 'legacy')],
  ['v2 over HTTP, 2026 era', ({ url }) => version2(new HttpV2(url), 'auto')],
  ['v2 over stdio, 2026 era', (door) => version2(new StdioV2({ ...spawned(door), stderr: 'ignore' }), 'auto')],
])('a client of the SDK %s whose calls time out', (_, connect) => {
  test('[M29] gets the late reply when it asks the same again, and when it names the question', async () => {
    const { call, page } = await start(connect)
    const question = await timeOut(call, page, 'Deploy?', {})
    await page.answer(question, 'Yes')
    expect(await dataOf(call({ text: 'Deploy?' }))).toEqual({ reply: 'Yes' })

    let heard = 0
    const onprogress = () => {
      heard++
    }
    let other = ''
    // On a busy machine it may have given up before it heard anything: then it asks again.
    while (heard === 0) other = await timeOut(call, page, 'Test?', { onprogress, resetTimeoutOnProgress: true })
    const again = call({ text: 'Test?', question_id: other })
    await page.answer(other, 'Tested')
    expect(await dataOf(again)).toEqual({ reply: 'Tested' })

    const last = await timeOut(call, page, 'Publish?', { onprogress })
    const next = call({ text: 'Anything else?' })
    await page.answer(last, 'Published')
    await page.answer(await asked(page, 'Anything else?'), 'No')
    expect(await dataOf(next)).toMatchObject({
      reply: 'No',
      earlier_messages: [{ text: 'Published', in_reply_to: 'Publish?' }],
    })
    const questions = page.entries.flatMap(({ body }) => (body.kind === 'question' ? [body.text] : []))
    expect(questions).toEqual(['Deploy?', 'Test?', 'Publish?', 'Anything else?'])
  })
})

/** All of them find their hub in a process of its own, the stdio ones by its data folder. */
async function start(connect: (door: Door) => Promise<Calls>) {
  const data = await temporaryFolder()
  const url = await startParley(['serve', '--port', '0', '--data', data]).url
  const env = environment({ PARLEY_DATA: data, PARLEY_SESSION: 'work' })
  const call = await connect({ url: new URL(`${url}/mcp?session=work`), args: ['stdio'], env })
  return { call, page: openPage(url) }
}

/** Until the hub has heard of the question, and then that nobody waits for it any more. */
async function timeOut(call: Calls, page: Page, text: string, options: Options): Promise<string> {
  const waits = async () => {
    await expect(call({ text }, { timeout: SHORT_MS, ...options })).rejects.toThrow(TIMED_OUT)
    // What happened before it is on the page once this is accepted.
    await page.post('aside', 'Time is up')
  }
  await waits()
  // On a busy machine the client may have given up before anybody was asked: it asks again, as agents do.
  while (!page.entries.some(({ body }) => body.kind === 'question' && body.text === text)) await waits()
  await page.until(() => page.agents.get('work') === 'backgrounded')
  return asked(page, text)
}

function asked(page: Page, text: string): Promise<string> {
  return page.until(() => page.entries.find(({ body }) => body.kind === 'question' && body.text === text)?.id)
}

async function dataOf(result: Promise<object>): Promise<unknown> {
  return ((await result) as { structuredContent?: unknown }).structuredContent
}
