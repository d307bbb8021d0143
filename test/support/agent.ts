import { tmpdir } from 'node:os'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import { outputSchemas } from './mcp/output-schemas.ts'

export type Era = 'legacy' | 'modern'

/** The time is longer than any test, whose own limit counts. */
const LONG_MS = 600_000

/** The base class itself would start another process first, only to learn the era, which may outlive the beginning of a test. */
class OneProcess extends StdioClientTransport {}

/** A real MCP client that calls `send_message`. */
export type Agent = ReturnType<typeof agentOf>

export async function agentOverHttp(
  url: string,
  { era = 'modern', session = 'work', name }: { era?: Era; session?: string; name?: string } = {},
) {
  const client = newClient(era, name)
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp?session=${encodeURIComponent(session)}`)))
  return agentOf(client)
}

export async function agentOverStdio(options: {
  era?: Era
  /** What its client calls itself. */
  name?: string
  args?: string[]
  env: Record<string, string>
  cwd?: string
  program?: string
}) {
  const { era = 'modern', name, args = ['stdio'], env, cwd, program = executable } = options
  const transport = new OneProcess({
    command: process.execPath,
    args: [program, ...args],
    env: environment(env),
    cwd,
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const url = said(/^http:\/\/localhost:\d+$/m).then(([address]) => address)
  const client = newClient(era, name)
  await client.connect(transport)
  return { ...agentOf(client), url, pid: transport.pid as number, said, stderr: () => stderr }

  /** Resolves once it has said this on stderr. */
  function said(words: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve) => {
      const listen = () => {
        const found = words.exec(stderr)
        if (!found) return
        transport.stderr?.off('data', listen)
        resolve(found)
      }
      transport.stderr?.on('data', listen)
      listen()
    })
  }
}

/**
 * What a process of a test is started with: it knows nothing of the person's own Parley, takes nobody's port, and a hub
 * ends with its last agent and page, also when nobody is left to end it.
 */
export function environment(more: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: tmpdir(), TMPDIR: tmpdir(), PARLEY_KEEP: '0', PORT: '0', ...more }
}

export const executable = new URL('../../bin/parley.js', import.meta.url).pathname

function newClient(era: Era, name = 'test-agent') {
  const versionNegotiation = { mode: era === 'modern' ? ('auto' as const) : ('legacy' as const) }
  return new Client({ name, version: '1' }, { versionNegotiation, jsonSchemaValidator: outputSchemas })
}

function agentOf(client: Client) {
  onTestFinished(() => client.close())
  return { client, ask, call }

  async function ask(text: string, more: Record<string, unknown> = {}): Promise<string> {
    return (await call({ text, ...more })).reply
  }

  async function call(input: Record<string, unknown>, options: { signal?: AbortSignal } = {}) {
    const result = await client.callTool({ name: 'send_message', arguments: input }, { timeout: LONG_MS, ...options })
    if (result.isError) throw new Error((result.content as { text: string }[])[0]?.text)
    return result.structuredContent as { reply: string; earlier_messages?: { text: string; in_reply_to?: string }[] }
  }
}
