import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import type { Patience } from '../../src/governance/gateway/mounts/patience.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryFolder } from '../support/hub.ts'
import { followed } from '../support/policy/governed.ts'
import { startParley } from '../support/process.ts'
import { connectTo, raw, said, startGateway, upstream } from '../support/upstream/gateway.ts'
import { hostileProgram } from '../support/upstream/hostile-upstream.ts'
import { mountOf } from '../support/upstream/mount-of.ts'

const KEY = 'plain-words-as-a-key-1'

function hostile(deed: string, env: Record<string, string> = {}) {
  return mountOf([hostileProgram, deed], env)
}

async function beside(deed: string, patience: Partial<Patience> = {}) {
  const servers = { bad: hostile(deed, { SERVICE_TOKEN: KEY }), good: upstream() }
  const { connect, gateway, view } = await startGateway({ servers, patience })
  const [one, other] = await Promise.all([connect('legacy'), connect('legacy')])
  await one.listTools()
  return { one, other, gateway, view, connect }
}

test.each([
  ['is too long', 'large beside', 'it sent a message of more than 32 MiB'],
  ['has too many values', 'values beside', 'it sent a message of more than 250000 values'],
])('[G210] an answer that %s ends its own call, and no other call of its server', async (_, deed, why) => {
  const { one, other, gateway } = await beside(deed)
  const first = said(one, 'bad_fine')
  await expect.poll(() => gateway.logs('bad').join('\n')).toContain('has the first')
  const second = said(other, 'bad_fine')
  expect(await second).toBe(`The server "bad" gave no answer that can be used: ${why}`)
  expect(await first).toBe('still here')
  expect(gateway.logs('bad').filter((line) => line.endsWith(' ready'))).toHaveLength(1)
  expect(gateway.logs('bad').join('\n')).toContain(why)
})

test('[G213] a list of resources waits for no slow server: it is named, and comes with a change of the list', async () => {
  const { one } = await beside('slow resources', { lateMs: 50 })
  const changed = Promise.withResolvers<void>()
  one.setNotificationHandler('notifications/resources/list_changed', () => changed.resolve())
  const before = await listing(one, 'gateway://good/memo://one', { 'parley/late': ['bad'] })
  expect(urisIn(before)).not.toContain('gateway://bad/slow://one')
  await said(one, 'bad_fine')
  await changed.promise
  await listing(one, 'gateway://bad/slow://one', undefined)
})

test('[G216] a server that ends for nothing but a kill does not outlive a hub that was killed', async () => {
  const data = await temporaryFolder()
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { bad: hostile('stubborn') } }))
  const hub = startParley(['serve', '--data', data, '--port', '0'])
  const url = await hub.url
  await expect.poll(() => stubbornIn(url)).toBeGreaterThan(0)
  const pid = await stubbornIn(url)
  hub.child.kill('SIGKILL')
  await hub.ended
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('[G217] the key of a mount that its server says in an error reaches neither an agent nor the timeline nor a log', async () => {
  const { one, gateway, view } = await beside('says its key')
  const { entries, until } = followed(view)
  expect(await said(one, 'bad_fine')).toBe('no such key: [masked]')
  await expect(said(one, 'bad_fine')).rejects.toThrow('refused [masked]')
  await until('tool_result', 2)
  expect(JSON.stringify(entries)).not.toContain(KEY)
  expect(gateway.logs('bad').join('\n')).toContain('started with [masked]')
  expect(gateway.logs('bad').join('\n')).not.toContain(KEY)
})

test('[G305] a key that a server says anywhere in an error, meanwhile or in a log is nowhere', async () => {
  const { one, gateway, view } = await beside('says its key anywhere')
  const heard: unknown[] = []
  one.fallbackNotificationHandler = async (notification) => void heard.push(notification)
  await raw(one, 'logging/setLevel', { level: 'debug' })
  const { entries, until } = followed(view)
  const call = { name: 'bad_fine', arguments: {} }
  for (let n = 0; n < 2; n++) heard.push(await raw(one, 'tools/call', call))
  await raw(one, 'tools/call', call).catch(({ message, data }) => heard.push({ message, data }))
  await raw(one, 'tools/call', call, { onprogress: (progress) => void heard.push(progress) })
  await expect.poll(() => gateway.logs('bad').join('\n')).toContain('in two [masked]')
  expect(JSON.stringify(heard)).toContain('"data":{"key":"[masked]"}')
  expect(JSON.stringify(heard)).toContain('"message":"[masked]"')
  expect(JSON.stringify(heard)).not.toContain(KEY)
  expect(gateway.logs('bad').join('\n')).not.toMatch(/plain-wo/)
  // Its caller has what a tool gives, and the log has it without.
  expect(await said(one, 'bad_fine')).toBe(`it is ${KEY}`)
  expect((await until('tool_result', 5)).body.result).toBe('it is [masked]')
  expect(JSON.stringify(entries)).not.toContain(KEY)
})

/** All resources, once this is one of them: on a busy machine the other server may be late for a while, too. */
function listing(client: Client, uri: string, late: object | undefined) {
  return eventually(async () => {
    const listed = await raw(client, 'resources/list')
    expect([listed._meta, urisIn(listed)]).toEqual([late, expect.arrayContaining([uri])])
    return listed
  })
}

function urisIn({ resources }: Record<string, unknown>): string[] {
  return (resources as { uri: string }[]).map(({ uri }) => uri)
}

/** Its number is the name of its tool. */
async function stubbornIn(url: string): Promise<number> {
  const client = await connectTo(url, 'legacy')
  const { tools } = await client.listTools()
  return Number(tools.map(({ name }) => /^bad_(\d+)$/.exec(name)?.[1]).find((pid) => pid) ?? 0)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
