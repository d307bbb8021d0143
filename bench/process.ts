import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { cpuMicrosOf } from './cpu-of.ts'
import { rssMbOf } from './memory-of.ts'
import { patiently } from './patience.ts'

/** The program that is measured: of this checkout, or of the one that it is compared with. */
export const PARLEY = process.env.MEASURED_PARLEY ?? besideUs('../bin/parley.js')

export type Running = ReturnType<typeof start>

/** What either happened first: the address was said, or the process ended and had said something else. */
type Start = { url: string } | { ended: string }

/** A hub as every measure starts it. */
export function serve(data: string, env: NodeJS.ProcessEnv, nodeFlags: string[] = []): Running {
  return start([...nodeFlags, PARLEY, 'serve', '--port', '0', '--data', data], env)
}

/** A Node process that says its address on stderr. It ends with this one, whatever happens. */
export function start(args: string[], env: NodeJS.ProcessEnv) {
  const started = performance.now()
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, args, { env, cwd: env.HOME })
  endWithUs(child)
  const exited = new Promise<number>((resolve) => {
    child.on('exit', () => resolve(performance.now() - started))
  })
  const begun = beginningOf(child)
  return {
    child,
    started,
    exited,
    /** Not every process that is started has one, so that only who wants it is told that it never came. */
    get url() {
      return patiently('the address', address(begun))
    },
    rssMb: () => rssMbOf(child.pid),
    cpuMicros: () => cpuMicrosOf(child.pid),
    stop,
  }

  async function stop() {
    child.stdin.end()
    child.kill('SIGTERM')
    await patiently('the end of the process', exited)
  }
}

export function endWithUs(child: ChildProcess) {
  const kill = () => child.kill('SIGKILL')
  process.setMaxListeners(0)
  process.on('exit', kill)
  child.on('exit', () => process.off('exit', kill))
}

function beginningOf(child: ChildProcessWithoutNullStreams): Promise<Start> {
  let said = ''
  return new Promise((resolve) => {
    child.stderr.on('data', (text) => {
      said += text
      const url = /http:\/\/localhost:(\d+)\s/.exec(said)
      if (url) resolve({ url: `ws://127.0.0.1:${url[1]}` })
    })
    child.on('exit', (code) =>
      resolve({ ended: `It ended with ${code} and said: ${said.trim().replace(/\s+/g, ' ')}` }),
    )
  })
}

async function address(begun: Promise<Start>): Promise<string> {
  const beginning = await begun
  if ('ended' in beginning) throw new Error(beginning.ended)
  return beginning.url
}

/** A file of this folder as a process is started with it. */
export function besideUs(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

export function httpOf(url: string): string {
  return url.replace(/^ws/, 'http')
}
