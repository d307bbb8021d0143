import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  Client,
  type ClientOptions,
  type RequestOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { expect, onTestFinished } from 'vitest'
import type { Gateway } from '../../../src/governance/gateway/gateway.ts'
import type { Patience } from '../../../src/governance/gateway/mounts/patience.ts'
import type { MountState } from '../../../src/protocol/tools/gateway.ts'
import type { Era } from '../agent.ts'
import { eventually } from '../eventually.ts'
import { openTestHub, temporaryFolder, viewOf } from '../hub.ts'
import { outputSchemas } from '../mcp/output-schemas.ts'
import { mountOf } from './mount-of.ts'
import { program } from './upstream.ts'

export function upstream(env: Record<string, string> = {}) {
  return mountOf([program], env)
}

/** Its place in a config. */
export function variable(name: string): string {
  return `\${${name}}`
}

interface GatewayOptions {
  /** Its data folder, if it is not just any. */
  data?: string
  servers?: Record<string, unknown>
  views?: unknown
  /** What stands in the policy file; everything is allowed without it. */
  policy?: object
  patience?: Partial<Patience>
  env?: Record<string, string>
  tokens?: string
  maxWaitSeconds?: number
}

const ALLOW_ALL = { rules: [{ decision: 'allow' }] }

/** A real hub with these mounts. */
export async function startGateway({
  servers = {},
  views,
  policy = ALLOW_ALL,
  tokens,
  maxWaitSeconds,
  data: given,
  ...more
}: GatewayOptions = {}) {
  const data = given ?? (await temporaryFolder())
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: servers, views }))
  writeFileSync(join(data, 'policy.jsonc'), JSON.stringify(policy))
  const calls = followCalls()
  const log = { level: 'info', content: false, out: calls.out } as const
  // Servers that start are waited for, however long that takes.
  const gateway = { ...more, patience: { firstTryMs: 60_000, lateMs: 60_000, ...more.patience } }
  const hub = await openTestHub({ host: '127.0.0.1', port: 0, data, tokens, maxWaitSeconds, log }, { gateway })
  onTestFinished(hub.close)
  return {
    ...hub,
    data,
    view: viewOf(hub),
    ended: calls.ended,
    connect: (era?: Era, more?: Connecting) => connectTo(hub.url, era, more),
  }
}

interface Connecting extends Pick<ClientOptions, 'capabilities'> {
  token?: string
  path?: string
  /** What it calls itself. */
  name?: string
}

export async function connectTo(
  url: string,
  era: Era = 'modern',
  { token, path = '/mcp/gateway?session=chat', name = 'test-client', ...more }: Connecting = {},
): Promise<Client> {
  const mode = era === 'modern' ? 'auto' : 'legacy'
  const client = new Client(
    { name, version: '1' },
    { versionNegotiation: { mode }, jsonSchemaValidator: outputSchemas, ...more },
  )
  const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(url + path), { requestInit: { headers } }))
  onTestFinished(() => client.close())
  return client
}

/** Resolves once a mount is like this. */
export function untilMount(gateway: Gateway, name: string, is: (state: MountState) => boolean): Promise<MountState> {
  return new Promise((resolve) => {
    const following = gateway.onChange(look)
    look()

    function look() {
      const state = gateway.states().find((state) => state.name === name)
      if (!state || !is(state)) return
      following.close()
      resolve(state)
    }
  })
}

/** The same, as a client of a hub in another process learns it. */
export async function untilTool(client: Client, name: string): Promise<void> {
  await eventually(async () => {
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toContain(name)
  })
}

/** The first text of a tool's answer. */
export async function said(client: Client, name: string, input: Record<string, unknown> = {}): Promise<string> {
  const { content } = await client.callTool({ name, arguments: input })
  return (content as { text: string }[])[0]?.text ?? ''
}

/** What a client gets, before its SDK leaves out what it does not know. */
export function raw(
  client: Client,
  method: string,
  params: Record<string, unknown> = {},
  options?: RequestOptions,
): Promise<Record<string, unknown>> {
  const validate = (value: unknown) => ({ value: value as Record<string, unknown> })
  const anything = { '~standard': { version: 1 as const, vendor: 'test', validate } }
  return client.request({ method, params }, anything, options) as Promise<Record<string, unknown>>
}

/** Learns from the hub's log when calls end, however they do. */
function followCalls() {
  const ends: string[] = []
  let look = () => {}
  return { out: { writableLength: 0, write }, ended }

  function write(lines: string) {
    for (const line of lines.split('\n').filter(Boolean)) {
      const { event, tool } = JSON.parse(line) as { event?: string; tool?: string }
      if (event === 'call' && tool !== undefined) ends.push(tool)
    }
    look()
  }

  /** Resolves once a call of this tool has ended that was not asked for before. */
  function ended(tool: string): Promise<void> {
    return new Promise((resolve) => {
      look = () => {
        const place = ends.indexOf(tool)
        if (place === -1) return
        ends.splice(place, 1)
        resolve()
      }
      look()
    })
  }
}
