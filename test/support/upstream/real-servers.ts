import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Client, SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import { MARK } from '../../../src/io/mark.ts'
import { type Era, environment, executable } from '../agent.ts'
import { temporaryFolder } from '../hub.ts'
import { freePort } from '../process.ts'

const { resolve } = createRequire(import.meta.url)

/** A reference server of the registry, as it stands in a file of mounts. */
export function realServer(name: 'everything' | 'filesystem' | 'memory', args: string[] = [], env?: Env) {
  return {
    command: process.execPath,
    args: [resolve(`@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
    env,
  }
}

type Env = Record<string, string>
type Config = ReturnType<typeof realServer> | { url: string; type?: string }

/** The everything server at an address. */
export async function everythingAt(way: 'streamableHttp' | 'sse'): Promise<{ url: string; type: string }> {
  const port = await freePort()
  const { command, args } = realServer('everything', [way])
  const child = spawn(command, args, { env: { ...getDefaultEnvironment(), PORT: String(port) }, stdio: 'pipe' })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'close')
  })
  child.stdout.resume()
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (said) => String(said).includes(String(port)) && resolve())
  })
  const isSse = way === 'sse'
  return { url: `http://127.0.0.1:${port}/${isSse ? 'sse' : 'mcp'}`, type: isSse ? 'sse' : 'http' }
}

/** What the gateway offers servers, so that both get the same. */
export const CAPABILITIES = { sampling: {}, elicitation: { form: {}, url: {} } }

/** A client of the server itself. */
export async function connectDirectly(config: Config): Promise<Client> {
  const client = new Client(
    { name: 'test-client', version: '1' },
    { versionNegotiation: { mode: 'legacy' }, capabilities: CAPABILITIES },
  )
  await client.connect(wayTo(config))
  onTestFinished(() => client.close())
  return client
}

function wayTo(config: Config): Transport {
  if (!('url' in config))
    return new StdioClientTransport({ ...config, env: { ...config.env, [MARK]: '' }, stderr: 'ignore' })
  const url = new URL(config.url)
  return config.type === 'sse' ? new SSEClientTransport(url) : new StreamableHTTPClientTransport(url)
}

/** The same hub's gateway by its line, of an agent that works in a folder. */
export async function connectByLine(data: string, era: Era, cwd?: string): Promise<Client> {
  const client = new Client(
    { name: 'test-client', version: '1' },
    { versionNegotiation: { mode: era === 'modern' ? 'auto' : 'legacy' }, capabilities: CAPABILITIES },
  )
  const args = [executable, 'stdio', '--surface', 'gateway', '--data', data]
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, cwd, env: environment(), stderr: 'ignore' }),
  )
  onTestFinished(() => client.close())
  return client
}

/** A folder whose hub mounts these, and lets every call through that no rule before is about. */
export async function folderWith(servers: Record<string, unknown>, rules: object[] = []): Promise<string> {
  const data = await temporaryFolder()
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: servers }))
  writeFileSync(join(data, 'policy.jsonc'), JSON.stringify({ rules: [...rules, { decision: 'allow' }] }))
  return data
}
