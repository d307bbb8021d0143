import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { onTestFinished } from 'vitest'
import { readLines } from '../../../src/io/lines.ts'
import { readAsked } from '../../../src/line/asked.ts'
import { openLine } from '../../../src/line/line.ts'
import type { Patience } from '../../../src/line/link.ts'
import { temporaryFolder } from '../hub.ts'
import { listenAsHub, type Said } from './scripted-hub.ts'

interface Opened {
  args?: string[]
  env?: Record<string, string>
  patience?: Patience
}

/** A line in this process, and a hub of its folder that says what the test does. */
export async function lineAndHub({ env, ...more }: Opened = {}) {
  const data = await temporaryFolder()
  const hub = await listenAsHub(data)
  return { data, hub, line: openLineHere({ ...more, env: { PARLEY_DATA: data, ...env } }) }
}

/** What a client has of `parley stdio`, without a process: one whose hub is gone at the end of its test looks for one. */
export function openLineHere({ args = [], env = {}, patience = { tickMs: 1000, ticks: 10 } }: Opened) {
  const input = new PassThrough()
  const output = new PassThrough()
  const heard: Said[] = []
  let stderr = ''
  let stdout = ''
  let wake = () => {}
  const exited = Promise.withResolvers<number>()
  readLines(output, {
    limitLength: 2 ** 30,
    tooLong() {},
    line(text) {
      stdout += `${text}\n`
      heard.push(JSON.parse(text))
      wake()
    },
  })
  const { end } = openLine({
    ...readAsked({ args, env, cwd: process.cwd(), line: randomUUID() }),
    input,
    output,
    patience,
    tell(sentence) {
      stderr += `${sentence}\n`
      wake()
    },
    exit: exited.resolve,
  })
  onTestFinished(async () => {
    output.resume()
    input.end()
    await exited.promise
  })
  const ended = exited.promise.then((code) => ({ code, stderr, heard }))
  return { input, output, write, request, notify, next, told, end, ended, stdout: () => stdout }

  function write(text: string) {
    input.write(text)
  }

  function request(id: number | string, method: string, params: Said = {}) {
    write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  }

  function notify(method: string, params: Said = {}) {
    write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`)
  }

  /** The next message to the client. */
  async function next(): Promise<Said> {
    for (;;) {
      const said = heard.shift()
      if (said) return said
      await woken()
    }
  }

  /** Everything that was told a person, once it matches. */
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
