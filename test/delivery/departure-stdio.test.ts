import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Era, environment, executable } from '../support/agent.ts'
import { startDeliveryHub } from '../support/mcp/delivery-hub.ts'

const INFO = { name: 'test-agent', version: '1' }
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': INFO,
  'io.modelcontextprotocol/clientCapabilities': {},
}
// More than a pipe takes before somebody reads it.
const LARGE_BYTES = 4 * 1024 * 1024
// Enough lines that the last is read when the answer to what the first one does is written.
const MOST_BETWEEN = 30

describe.each<Era>(['legacy', 'modern'])('over a line, what a call of the %s era brings', (era) => {
  test('[M30] has arrived when its answer is written', async () => {
    const { record, call, release, answer } = await startProgram(era)
    const id = call('take', { delivery: 'a' })
    await record.until('a', 'taken')
    release('a')
    expect(await answer(id)).toMatchObject({ structuredContent: { text: 'x'.repeat(10) } })
    await record.until('a', 'arrived')
    expect(record.of('a')).toEqual(['arrived'])
  })

  test.each(['refuse', 'fail'])('[M30] comes back when the tool ends with an error (%s)', async (ends) => {
    const { record, call, release, ping } = await startProgram(era)
    call('take', { delivery: 'a', ends })
    await record.until('a', 'taken')
    release('a')
    await record.until('a', 'returned')
    await ping()
    expect(record.of('a')).toEqual(['returned'])
  })

  test.each([true, false])('[M30] comes back when the call is cancelled while it runs (heard: %s)', async (hears) => {
    const { record, call, cancel, release, ping, isAnswered } = await startProgram(era)
    const id = call('take', { delivery: 'a', hears })
    await record.until('a', 'taken')
    cancel(id)
    await record.until('a', 'returned')
    release('a')
    await ping()
    expect([record.of('a'), isAnswered(id)]).toEqual([['returned'], false])
  })

  test('[M30] comes back whenever the cancel comes before the answer is written', async () => {
    const { record, call, cancel, together, ping, isAnswered } = await startProgram(era)
    const seen = new Set<string>()
    for (let between = 0; between < MOST_BETWEEN; between++) {
      const delivery = `${between}`
      const id = call('take', { delivery, hears: false })
      await record.until(delivery, 'taken')
      together(() => {
        call('release', { delivery })
        for (let n = 0; n < between; n++) call('release', { delivery: 'none' })
        cancel(id)
      })
      await record.until(delivery, 'arrived', 'returned')
      await ping()
      seen.add([...record.all(delivery), isAnswered(id) ? 'sent' : 'not sent'].join(', '))
    }
    // Nobody is told an answer any more, wherever it was then.
    expect([...seen].filter((course) => course.includes('arrived') || !course.endsWith('not sent'))).toEqual([])
    // On the short way a cancel ends the call at once, also one whose tool is just about to answer.
    const late = era === 'legacy' ? 'taken, returned, answered, not sent' : 'taken, answered, returned, not sent'
    expect([...seen]).toContain(late)
  })

  test('[M30] comes back when stdin ends while the call waits', async () => {
    const { child, record, call } = await startProgram(era)
    call('take', { delivery: 'a' })
    await record.until('a', 'taken')
    child.stdin?.end()
    await record.until('a', 'returned')
    expect(record.of('a')).toEqual(['returned'])
  })

  test('[M30] comes back when stdout breaks before all of the answer is written', async () => {
    const { child, record, call, release } = await startProgram(era)
    call('take', { delivery: 'a', bytes: LARGE_BYTES })
    await record.until('a', 'taken')
    release('a')
    await once(child.stdout as NodeJS.ReadableStream, 'data')
    child.stdout?.destroy()
    await record.until('a', 'returned')
    expect(record.of('a')).toEqual(['returned'])
  })

  test('[M30] has not arrived while nobody reads the answer, and comes back when the call is cancelled then', async () => {
    const { child, record, call, cancel, release, ping } = await startProgram(era)
    const id = call('take', { delivery: 'a', bytes: LARGE_BYTES })
    await record.until('a', 'taken')
    child.stdout?.pause()
    release('a')
    cancel(id)
    await record.until('a', 'returned')
    child.stdout?.resume()
    await ping()
    expect(record.of('a')).toEqual(['returned'])
  })
})

/** A real line, to a hub whose calls take deliveries along. */
async function startProgram(era: Era) {
  const { data, record } = await startDeliveryHub()
  const child: ChildProcess = spawn(process.execPath, [executable, 'stdio', '--data', data], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: environment(),
  })
  // A program may end while a test still writes to it.
  child.stdin?.on('error', () => {})
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const answers = new Map<number, unknown>()
  let wake = () => {}
  let unfinished = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    const lines = (unfinished + chunk).split('\n')
    unfinished = lines.pop() ?? ''
    for (const { id, result, error } of lines.map((line) => JSON.parse(line))) answers.set(id, result ?? error)
    wake()
  })
  let chunk: string | undefined
  let count = 0
  if (era === 'legacy')
    await answer(request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: INFO }))
  return { child, record, call, cancel, release, together, ping, answer, isAnswered: (id: number) => answers.has(id) }

  function write(message: object) {
    const line = `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
    if (chunk === undefined) child.stdin?.write(line)
    else chunk += line
  }

  /** What is written meanwhile arrives at once. */
  function together(work: () => void) {
    chunk = ''
    work()
    child.stdin?.write(chunk)
    chunk = undefined
  }

  function request(method: string, params: object): number {
    const id = ++count
    write({ id, method, params: era === 'modern' ? { ...params, _meta: ENVELOPE } : params })
    return id
  }

  function call(name: string, input: object): number {
    return request('tools/call', { name, arguments: input })
  }

  function release(delivery: string) {
    call('release', { delivery })
  }

  function cancel(requestId: number) {
    write({ method: 'notifications/cancelled', params: { requestId, ...(era === 'modern' && { _meta: ENVELOPE }) } })
  }

  async function answer(id: number): Promise<unknown> {
    while (!answers.has(id))
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    return answers.get(id)
  }

  /** Whatever was on its way before has come. */
  async function ping() {
    await answer(request('tools/list', {}))
  }
}
