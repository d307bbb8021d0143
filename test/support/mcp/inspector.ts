import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../hub.ts'

/** The Inspector's command line, which keeps one connection open over many commands. */
const INSPECTOR = fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector/clients/mcpdo/build/mcp-bin.js'))

export async function openInspector() {
  const home = await temporaryFolder()
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    MCP_INSPECTOR_DAEMON_DIR: home,
    MCP_INSPECTOR_DAEMON_TOKEN: randomUUID(),
    MCP_INSPECTOR_SECRET_STORE: 'memory',
  }
  onTestFinished(async () => void (await run('daemon', 'stop')))
  return { connect }

  async function connect(name: string, url: string, era: 'legacy' | 'modern') {
    await run('--connection', name, 'connect', url, '--transport', 'http', '--era', era)
    return { ask, subscribe }

    async function ask(...words: string[]) {
      return JSON.parse(await run('--format', 'json', '--connection', name, ...words))
    }

    async function subscribe(uri: string) {
      const child = spawn(process.execPath, [INSPECTOR, '--connection', name, 'resources/subscribe', uri], { env })
      onTestFinished(() => void child.kill())
      await printed(child, `Subscribed: ${uri}`)
      return { updated: printed(child, `Resource updated: ${uri}`) }
    }
  }

  async function run(...words: string[]): Promise<string> {
    return (await promisify(execFile)(process.execPath, [INSPECTOR, ...words], { env })).stdout
  }
}

function printed({ stdout }: ChildProcess, line: string): Promise<void> {
  return new Promise((resolve) => {
    let text = ''
    stdout?.on('data', (chunk) => {
      text += chunk
      if (text.includes(line)) resolve()
    })
  })
}
