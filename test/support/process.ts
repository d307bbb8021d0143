import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { onTestFinished } from 'vitest'
import { environment, executable } from './agent.ts'

/** A Parley process as a shell or an agent starts it. */
export function startParley(args: string[], env: Record<string, string> = {}, program = executable) {
  const child: ChildProcess = spawn(process.execPath, [program, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: environment(env),
  })
  // A process may end while a test still writes to it.
  child.stdin?.on('error', () => {})
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  const url = new Promise<string>((resolve) => {
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
      const address = /^http:\/\/localhost:\d+$/m.exec(stderr)
      if (address) resolve(address[0])
    })
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, url, ended, line, said }

  /** Once it has said this on stderr. */
  async function said(words: RegExp): Promise<void> {
    while (!words.test(stderr)) await once(child.stderr as NodeJS.ReadableStream, 'data')
  }

  /** The next line on stdout that is the answer to this request. */
  async function line(request: Record<string, unknown>): Promise<Record<string, unknown>> {
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`)
    for (;;) {
      const found = stdout.split('\n').find((text) => text && JSON.parse(text).id === request.id)
      if (found) return JSON.parse(found)
      await once(child.stdout as NodeJS.ReadableStream, 'data')
    }
  }
}

/** One that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
