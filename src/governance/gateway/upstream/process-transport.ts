import { type ChildProcess, spawn } from 'node:child_process'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import { signal } from '../../../io/descendants.ts'
import { createFamily } from '../../../io/family.ts'
import { endsOf, linesInBytes } from '../../../io/lines.ts'
import { jsonIn } from '../../../protocol/text/json.ts'
import { isRecord } from '../../../protocol/text/record.ts'
import type { ProcessConfig } from '../mounts/mount-config.ts'
import type { MountLog } from '../mounts/mount-log.ts'
import type { Patience } from '../mounts/patience.ts'
import { Gone } from './gone.ts'
import { createReadingRate, readAtRate } from './reading-rate.ts'
import { serverGuard } from './server-guard.ts'
import { tooMuchIn } from './value-count.ts'

export interface UpstreamTransport extends Transport {
  /** One sentence's end that says why it closed, once it did. */
  reason?: string
  /** Ends it at once: it is not to be reasoned with. */
  kill?(): void
  /** Called with an answer that is not taken, by the ends of its text or the id that it has, and why. */
  refused?(answer: { ends: string } | { id: unknown }, why: string): void
  /** A message came that answers nothing. */
  said?(): void
  /** From now on it speaks for a session of the 2025 era. */
  hurry?(): void
}

export type Limits = Pick<Patience, 'messageBytes' | 'mostASecond'>

interface ProcessTransportParts {
  config: ProcessConfig
  /** The data folder that it works for. */
  data: string
  log: MountLog
  limits: Limits
}

// All of it is over before a hub that closes has said goodbye.
const ASKED_MS = 300
const TOLD_MS = 900
/** How long what a server wrote before its end may be on its way. */
const LAST_WORDS_MS = 300
/** A server that reads nothing of so much will not. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024

/** A server that is a process of its own, with everything that it starts. */
export function createProcessTransport({ config, data, log, limits }: ProcessTransportParts) {
  const { messageBytes, mostASecond } = limits
  const rate = createReadingRate(mostASecond, log)
  const family = createFamily({ data })
  let child: ChildProcess | undefined
  let isGone = false
  const lines = linesInBytes({
    most: messageBytes,
    line: receive,
    tooLong: (ends) => transport.refused?.({ ends }, tooLarge(messageBytes)),
  })
  const gone = Promise.withResolvers<void>()
  const transport: UpstreamTransport & { stderr: null; readonly pid: number | null } = {
    // The SDK knows by these two that silence or an end may come from a server of the 2025 era.
    stderr: null,
    get pid() {
      return child?.pid ?? null
    },
    start,
    send,
    close,
    kill: silence,
    said: rate.said,
  }
  return transport

  function start(): Promise<void> {
    const { command, args = [], cwd, env } = config
    const started = spawn(command, args, {
      cwd,
      env: { ...getDefaultEnvironment(), ...env, ...family.environment },
      stdio: 'pipe',
      // The head of a group, so that all of it can be told to end.
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    child = started
    family.headedBy(started.pid)
    if (started.pid !== undefined) serverGuard.there(started.pid)
    const reading = readAtRate(started.stdout, rate, lines.hear)
    started.stderr.setEncoding('utf8').on('data', log.write)
    for (const stream of [started.stdin, started.stdout, started.stderr]) stream.on('error', () => {})
    started.on('exit', (code, by) => {
      transport.reason ??= by ? `it was ended by ${by}` : `it ended with status ${code}`
      // What it started and left behind ends with it.
      kill('SIGKILL')
      // Something may hold its pipes all the same.
      setTimeout(ended, LAST_WORDS_MS).unref()
    })
    started.on('close', () => {
      reading.rest()
      ended()
    })
    return new Promise((resolve, reject) => {
      started.on('spawn', resolve)
      started.on('error', (error) => {
        transport.reason ??= `it cannot be started (${error.message})`
        ended()
        reject(error)
      })
    })
  }

  function receive(line: string) {
    if (line.trim() === '') return
    const tooMuch = tooMuchIn(line)
    if (tooMuch) return transport.refused?.({ ends: endsOf(line) }, tooMuch)
    const message = jsonIn(line)
    if (isRecord(message)) transport.onmessage?.(message as unknown as JSONRPCMessage)
    else log.tell(line)
  }

  async function send(message: JSONRPCMessage) {
    if (!child?.stdin?.writable) throw new Gone('it has just ended')
    child.stdin.write(`${JSON.stringify(message)}\n`)
    if (child.stdin.writableLength > MOST_UNREAD_BYTES) giveUp('it reads nothing of what it is told')
  }

  function giveUp(reason: string) {
    transport.reason ??= reason
    silence()
  }

  function silence() {
    lines.end()
    child?.stdout?.destroy()
    kill('SIGKILL')
  }

  function ended() {
    if (isGone) return
    isGone = true
    log.write('\n')
    if (child?.pid !== undefined) serverGuard.gone(child.pid)
    gone.resolve()
    transport.onclose?.()
  }

  async function close() {
    if (!child) return
    transport.reason ??= 'it was closed'
    child.stdin?.end()
    const timers = [setTimeout(kill, ASKED_MS, 'SIGTERM'), setTimeout(kill, TOLD_MS, 'SIGKILL')]
    await gone.promise
    for (const timer of timers) clearTimeout(timer)
  }

  function kill(by: NodeJS.Signals) {
    if (child?.pid === undefined) return
    family.look()
    signal(process.platform === 'win32' ? child.pid : -child.pid, by)
    // The family includes those that left the group.
    if (by === 'SIGKILL') family.kill()
  }
}

export function tooLarge(bytes: number): string {
  return `it sent a message of more than ${Math.floor(bytes / 1024 / 1024)} MiB`
}
