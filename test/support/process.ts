import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { onTestFinished } from 'vitest'
import { environment, executable } from './agent.ts'

/** A Parley process as a shell or an agent starts it. */
export function startParley(args: string[], env: Record<string, string> = {}, program = executable, cwd?: string) {
  const child: ChildProcess = spawn(process.execPath, [program, ...args], {
    cwd,
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

  /** Resolves once it has said this on stderr. */
  async function said(words: RegExp): Promise<void> {
    while (!words.test(stderr)) await once(child.stderr as NodeJS.ReadableStream, 'data')
  }

  /** The next line on stdout that is the answer to this request. */
  async function line(request: Record<string, unknown>): Promise<Record<string, unknown>> {
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`)
    for (;;) {
      // The last one may not be all there yet.
      const found = stdout
        .split('\n')
        .slice(0, -1)
        .find((text) => text && JSON.parse(text).id === request.id)
      if (found) return JSON.parse(found)
      await once(child.stdout as NodeJS.ReadableStream, 'data')
    }
  }
}

/** Below what any system gives to who asks for just any, so that nobody is given it before it is used, or between. */
const FIRST_PORT = 20_000
/** Each worker has its own, so that none takes what another has just found. */
const PORTS_OF_WORKER = 1500

/** One that nobody listens on now, nor will but the test. */
export async function freePort(): Promise<number> {
  for (;;) {
    const worker = Number(process.env.VITEST_POOL_ID ?? 0) % 8
    const port = FIRST_PORT + worker * PORTS_OF_WORKER + Math.floor(Math.random() * PORTS_OF_WORKER)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return false
  }
  await new Promise((resolve) => server.close(resolve))
  return true
}
