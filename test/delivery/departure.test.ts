import { Client, type FetchLike, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { EventLimits } from '../../src/doors/mcp/http/event-store.ts'
import { localPrincipal } from '../../src/protocol/principal.ts'
import type { Era } from '../support/agent.ts'
import { startDeliveryServer } from '../support/mcp/delivery-server.ts'
import { fetchFrom } from '../support/mcp/fetch-from.ts'
import { rawMcp } from '../support/mcp/raw-mcp.ts'

const MIB = 1024 * 1024
const ANSWER = { structuredContent: { text: 'x'.repeat(10) } }
// More than a connection takes before somebody reads it.
const LARGE = { delivery: 'a', bytes: 16 * MIB }
// More turns of the queue than there are between the end of a tool and the end of its answer.
const MOST_TURNS = 60

describe.each<Era>(['legacy', 'modern'])('over HTTP, what a call of the %s era brings', (era) => {
  test('[M30] has arrived when all of its answer has left', async () => {
    const { url, record, release } = await startDeliveryServer()
    const client = await connect(url, era)
    const call = client.callTool({ name: 'take', arguments: { delivery: 'a' } })
    await record.until('a', 'taken')
    expect(record.of('a')).toEqual([])
    release('a')
    expect(await call).toMatchObject(ANSWER)
    await record.until('a', 'arrived')
    await client.listTools()
    expect(record.of('a')).toEqual(['arrived'])
  })

  test('[M30] has arrived when an answer that took long has left behind signs of life', async () => {
    const { url, record, release } = await startDeliveryServer()
    const agent = await rawMcp(url, era)
    const call = agent.call({ delivery: 'a' })
    // The first event of the older era is one to resume from, and the newer one waits before it makes a stream.
    await call.nextEvent()
    release('a')
    expect(await call.answer()).toMatchObject(ANSWER)
    await record.until('a', 'arrived')
    expect(record.of('a')).toEqual(['arrived'])
  })

  test.each(['refuse', 'fail'])('[M30] comes back when the tool ends with an error (%s)', async (ends) => {
    const { url, record, release } = await startDeliveryServer()
    const client = await connect(url, era)
    const call = client.callTool({ name: 'take', arguments: { delivery: 'a', ends } })
    await record.until('a', 'taken')
    release('a')
    if (ends === 'refuse') expect(await call).toMatchObject({ isError: true })
    else await expect(call).rejects.toThrow('It failed')
    await client.listTools()
    expect(record.of('a')).toEqual(['returned'])
  })

  test.each([true, false])('[M30] comes back when the call is cancelled while it runs (heard: %s)', async (hears) => {
    const { url, record, release } = await startDeliveryServer()
    const client = await connect(url, era)
    const stop = new AbortController()
    const call = client.callTool({ name: 'take', arguments: { delivery: 'a', hears } }, { signal: stop.signal })
    await record.until('a', 'taken')
    stop.abort('changed my mind')
    await expect(call).rejects.toThrow()
    await record.until('a', 'returned')
    release('a')
    await client.listTools()
    expect(record.of('a')).toEqual(['returned'])
  })

  test('[M30] comes back when the connection is gone while the call waits', async () => {
    const { url, record, release, lost } = await startDeliveryServer()
    const agent = await rawMcp(url, era)
    const call = agent.call({ delivery: 'a' })
    await record.until('a', 'taken')
    call.destroy()
    await lost()
    release('a')
    await record.until('a', 'returned')
    await agent.ping()
    expect(record.of('a')).toEqual(['returned'])
  })

  test('[M30] comes back when the connection is gone before all of the answer is written', async () => {
    const { url, record, release } = await startDeliveryServer()
    const agent = await rawMcp(url, era)
    const call = agent.call(LARGE)
    await record.until('a', 'taken')
    release('a')
    await call.response
    await agent.ping()
    expect(record.of('a')).toEqual([])
    call.destroy()
    await record.until('a', 'returned')
    await agent.ping()
    expect(record.of('a')).toEqual(['returned'])
  })

  test('[M30] comes back when the endpoint closes before there is an answer', async () => {
    const { url, record, endpoint } = await startDeliveryServer()
    const agent = await rawMcp(url, era)
    const call = agent.call({ delivery: 'a' })
    await record.until('a', 'taken')
    await endpoint.close()
    expect(await call.answer()).toBeUndefined()
    expect(record.of('a')).toEqual(['returned'])
  })
})

describe('a client of the 2025 era whose connection is gone', () => {
  test('[M31] gets the answer when it resumes, and what it brings has arrived after all', async () => {
    const { record, release, agent, last } = await brokenOff({ delivery: 'a' })
    release('a')
    await record.until('a', 'returned')
    const resumed = await agent.resume(last)
    expect(await resumed.answer()).toMatchObject(ANSWER)
    await record.until('a', 'arrived')
    // Whoever resumes once more gets it once more; it has arrived once.
    expect(await (await agent.resume(last)).answer()).toMatchObject(ANSWER)
    await agent.ping()
    expect(record.of('a')).toEqual(['returned', 'arrived'])
  })

  test('[M31] resumes before there is an answer, which arrives then and never comes back', async () => {
    const { record, release, agent, last } = await brokenOff({ delivery: 'a' })
    const resumed = await agent.resume(last)
    release('a')
    expect(await resumed.answer()).toMatchObject(ANSWER)
    await record.until('a', 'arrived')
    await agent.ping()
    expect(record.of('a')).toEqual(['arrived'])
  })

  test('[M31] has nothing when it breaks off again before all is written, and may resume again', async () => {
    const { record, release, agent, last, lost } = await brokenOff(LARGE, {
      sessionBytes: 64 * MIB,
      totalBytes: 64 * MIB,
    })
    release('a')
    await record.until('a', 'returned')
    const second = await agent.resume(last)
    second.destroy()
    await lost()
    await agent.ping()
    expect(record.of('a')).toEqual(['returned'])
    await (await agent.resume(last)).answer()
    await record.until('a', 'arrived')
    expect(record.of('a')).toEqual(['returned', 'arrived'])
  })

  test('[M31] [M32] cannot resume to an answer that is too large to be kept, which has come back', async () => {
    const { record, release, agent, last } = await brokenOff({ delivery: 'a', bytes: 1000 }, { sessionBytes: 1000 })
    release('a')
    await record.until('a', 'returned')
    expect(await (await agent.resume(last)).answer()).toBeUndefined()
    await agent.ping()
    expect(record.of('a')).toEqual(['returned'])
  })

  test('[M30] ends its session, and what its call was to bring has come back', async () => {
    const { record, agent } = await brokenOff({ delivery: 'a' })
    await agent.end()
    await record.until('a', 'returned')
    expect(record.of('a')).toEqual(['returned'])
  })

  async function brokenOff(input: object, limits: EventLimits = {}) {
    const { url, lost, ...server } = await startDeliveryServer({ limits })
    const agent = await rawMcp(url, 'legacy')
    const call = agent.call(input)
    const { id: last } = await call.nextEvent()
    await server.record.until('a', 'taken')
    call.destroy()
    await lost()
    return { ...server, lost, agent, last }
  }
})

describe('between the end of a tool and its answer', () => {
  test('[M30] a call of the 2025 era is cancelled, and what it was to bring comes back', async () => {
    let requestId = 0
    let turns = 0
    const { url, record, release } = await startDeliveryServer({
      async leaving(_, { transport }) {
        for (let turn = 0; turn < turns; turn++) await undefined
        transport?.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
      },
    })
    const agent = await rawMcp(url, 'legacy')
    const seen = new Set<string>()
    for (; turns < MOST_TURNS; turns++) {
      const delivery = `${turns}`
      const call = agent.call({ delivery, hears: false })
      requestId = call.id
      await record.until(delivery, 'taken')
      release(delivery)
      await record.until(delivery, 'arrived', 'returned')
      await agent.ping()
      seen.add(record.all(delivery).join(', '))
      if (record.of(delivery).includes('arrived')) expect(await call.answer()).toMatchObject(ANSWER)
      call.destroy()
    }
    // Also when it was on its way with the answer.
    for (const course of seen) expect(course).toMatch(/^taken, answered, (returned|arrived(, missed)?)$/)
    expect(seen).toContain('taken, answered, returned')
    expect(seen).toContain('taken, answered, arrived, missed')
  })

  test('[M30] a caller of the 2026 era goes away, and what its call was to bring comes back', async () => {
    let caller = new AbortController()
    let turns = 0
    const { url, record, release, endpoint } = await startDeliveryServer({
      async leaving() {
        for (let turn = 0; turn < turns; turn++) await undefined
        caller.abort()
      },
    })
    const fetch = fetchFrom(endpoint, () => localPrincipal('agent'))
    const seen = new Set<string>()
    for (; turns < MOST_TURNS; turns++) {
      const delivery = `${turns}`
      caller = new AbortController()
      const agent = await connect(url, 'modern', (at, init) => fetch(at, { ...init, signal: caller.signal }))
      const call = agent.callTool({ name: 'take', arguments: { delivery, hears: false } })
      await record.until(delivery, 'taken')
      release(delivery)
      const [{ status }] = await Promise.allSettled([call])
      await record.until(delivery, 'arrived', 'returned')
      await (await connect(url, 'modern')).listTools()
      seen.add(record.all(delivery).join(', '))
      if (record.of(delivery).includes('arrived')) expect(status).toBe('fulfilled')
    }
    expect([...seen]).toEqual(['taken, answered, returned', 'taken, answered, arrived'])
  })
})

async function connect(url: string, era: Era, fetch?: FetchLike) {
  const mode = era === 'modern' ? 'auto' : 'legacy'
  const client = new Client({ name: 'test-agent', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch }))
  onTestFinished(() => client.close())
  return client
}
