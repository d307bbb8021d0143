import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { patiently } from './patience.ts'

export const PARLEY = fileURLToPath(new URL('../bin/parley.js', import.meta.url))
export const FLOOR = fileURLToPath(new URL('floor.ts', import.meta.url))

export type Running = ReturnType<typeof start>

/** A hub as every measure starts it. */
export function serve(data: string, env: NodeJS.ProcessEnv): Running {
  return start([PARLEY, 'serve', '--port', '0', '--data', data], env)
}

/** A Node process that says its address on stderr. It ends with this one, whatever happens. */
export function start(args: string[], env: NodeJS.ProcessEnv) {
  const started = performance.now()
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, args, { env, cwd: env.HOME })
  const kill = () => child.kill('SIGKILL')
  process.setMaxListeners(0)
  process.on('exit', kill)
  const exited = new Promise<number>((resolve) => {
    child.on('exit', () => {
      process.off('exit', kill)
      resolve(performance.now() - started)
    })
  })
  // Every start has its failure in hand; a caller that does not need the address need not await it.
  const url = patiently('the address', addressOf(child))
  url.catch(() => {})
  return { child, started, exited, url, rssMb, cpuMicros, stop }

  function rssMb(): number {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
  }

  /** What all its threads have used up so far, as exact as the kernel knows it. */
  function cpuMicros(): number {
    const tasks = `/proc/${child.pid}/task`
    const nanos = readdirSync(tasks).map((task) =>
      Number.parseInt(readFileSync(`${tasks}/${task}/schedstat`, 'utf8'), 10),
    )
    return nanos.reduce((sum, more) => sum + more, 0) / 1000
  }

  async function stop() {
    child.stdin.end()
    child.kill('SIGTERM')
    await patiently('the end of the process', exited)
  }
}

function addressOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    child.stderr.on('data', (text) => {
      said += text
      const url = /http:\/\/localhost:(\d+)\s/.exec(said)
      if (url) resolve(`ws://127.0.0.1:${url[1]}`)
    })
    child.on('exit', (code) => reject(new Error(`It ended with ${code} and said: ${said}`)))
  })
}

export function httpOf(url: string): string {
  return url.replace(/^ws/, 'http')
}
