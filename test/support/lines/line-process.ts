import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { readLines } from '../../../src/io/lines.ts'
import { temporaryFolder } from '../hub.ts'
import { listenAsHub, type Said } from './scripted-hub.ts'

export const LINE = fileURLToPath(new URL('../../../src/line/main.ts', import.meta.url))

interface Start {
  args?: string[]
  env?: Record<string, string>
  cwd?: string
  program?: string
  node?: string
}

/** A line, and a hub of its folder that says what the test does. */
export async function lineAndHub({ env, ...more }: Start = {}) {
  const data = await temporaryFolder()
  const hub = await listenAsHub(data)
  return { data, hub, line: startLine({ ...more, env: { PARLEY_DATA: data, ...env } }) }
}

/** `parley stdio`, as a client starts it. */
export function startLine({ args = [], env = {}, cwd, program = LINE, node = process.execPath }: Start) {
  const child = spawn(node, [program, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  })
  // It may end while a test still writes to it.
  child.stdin.on('error', () => {})
  const heard: Said[] = []
  let stdout = ''
  let stderr = ''
  let wake = () => {}
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
    wake()
  })
  readLines(child.stdout, {
    limitLength: 2 ** 30,
    tooLong() {},
    line(text) {
      stdout += `${text}\n`
      heard.push(JSON.parse(text))
      wake()
    },
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stderr, heard }))
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    child.stdout.destroy()
    await ended
  })
  return { child, write, request, notify, next, told, ended, exited, stdout: () => stdout }

  function write(text: string) {
    child.stdin.write(text)
  }

  function request(id: number | string, method: string, params: Said = {}) {
    write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  }

  function notify(method: string, params: Said = {}) {
    write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`)
  }

  /** The next message on stdout. */
  async function next(): Promise<Said> {
    for (;;) {
      const said = heard.shift()
      if (said) return said
      await woken()
    }
  }

  /** All of stderr, once it matches. */
  async function told(pattern: RegExp): Promise<string> {
    while (!pattern.test(stderr)) await woken()
    return stderr
  }

  function woken() {
    return new Promise<void>((resolve) => {
      const before = wake
      wake = () => {
        before()
        resolve()
      }
    })
  }
}
