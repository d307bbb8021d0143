import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { signal } from '../io/descendants.ts'
import { createFamily } from '../io/family.ts'
import { ifSystemError } from '../io/system-error.ts'
import { ParleyError } from '../protocol/errors.ts'
import { commandWords } from '../protocol/text/command-words.ts'
import { mustBeFolder } from './work-folder.ts'

const STDERR_KEPT = 4096
const LAST_WORDS_MS = 1000

interface ProcessWanted {
  command: string
  folder: string
  environment: NodeJS.ProcessEnv
  /** The data folder that it works for. */
  data: string | undefined
  /** Its processes outlive the agent: Parley itself, which the agent may start. */
  spared?: string
  /** How long it may take to end by itself, and again after it was told to. */
  endMs: number
}

export interface AgentProcess {
  stdin: Writable
  stdout: Readable
  /** Resolves when it is gone with all that it started, with how it ended. */
  readonly ended: Promise<string>
  /** The last line that it wrote to stderr, or else to `stdout` where that was no message. */
  lastWords(): string
  /** Something on stdout that was no message. */
  said(line: string): void
  /** Gives what ends everything that it has started since. */
  watchStarted(): () => void
  /** Lets it end, then ends it. Nothing that it started outlives it. */
  stop(): Promise<void>
  kill(): Promise<void>
  /** Kills at once, for a process that itself ends now. */
  killNow(): void
}

/** Starts the program of a command line, without a shell. */
export async function startProcess({ command, folder, environment, data, spared, endMs }: ProcessWanted) {
  const [program = '', ...args] = commandWords(command)
  const family = createFamily({ data, spared })
  const child = await spawned(program, args, folder, { ...environment, ...family.environment })
  const { pid = 0, stdin, stdout, stderr } = child
  family.headedBy(pid)
  // Text for an agent that ends reaches nobody, and its end is told anyway.
  stdin.on('error', () => {})
  let stderrTail = ''
  let noMessage = ''
  stderr.setEncoding('utf8').on('data', (text: string) => {
    stderrTail = (stderrTail + text).slice(-STDERR_KEPT)
  })
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const closed = once(child, 'close')
  const ended = exited.then(async ([code, by]) => {
    killNow()
    // Its last words, and the end of the rest; but somebody who was spared may hold the pipe.
    await Promise.race([Promise.all([closed, family.areGone()]), pause(LAST_WORDS_MS)])
    return by ? `it was ended by ${by}` : `it ended with code ${code}`
  })
  return {
    stdin,
    stdout,
    ended,
    lastWords,
    said,
    watchStarted: family.watchStarted,
    stop,
    kill,
    killNow,
  } satisfies AgentProcess

  function lastWords(): string {
    const lines = stripVTControlCharacters(stderrTail).split('\n')
    return (lines.map((line) => line.trim()).findLast((line) => line !== '') ?? noMessage).slice(0, 300)
  }

  function said(line: string) {
    noMessage = stripVTControlCharacters(line).trim() || noMessage
  }

  async function stop() {
    family.look()
    stdin.end()
    if (await endsWithin()) return
    family.look()
    signal(pid, 'SIGTERM')
    if (await endsWithin()) return
    await kill()
  }

  async function endsWithin(): Promise<boolean> {
    return Promise.race([ended.then(() => true), pause(endMs, false)])
  }

  async function kill() {
    family.look()
    signal(pid, 'SIGKILL')
    await ended
  }

  function killNow() {
    family.look()
    if (child.exitCode === null && child.signalCode === null) signal(pid, 'SIGKILL')
    family.kill()
  }
}

async function spawned(program: string, args: string[], cwd: string, env: NodeJS.ProcessEnv) {
  // A group of its own: an interrupt in the terminal is for the orchestrator, which ends its agents itself.
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(program, args, {
    cwd,
    env,
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
  await once(child, 'spawn').catch(
    ifSystemError((error) => {
      const { code = '' } = error
      mustBeFolder(cwd)
      throw new ParleyError('no_program', { program, reason: code === 'ENOENT' ? 'it is not there' : code }, error)
    }),
  )
  return child
}
