import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { attempt } from '../io/attempt.ts'
import { processWith, signal } from '../io/descendants.ts'
import { lastLine } from '../io/programs/last-line.ts'
import { ignoring } from '../io/system-error.ts'
import { ParleyError } from '../protocol/errors.ts'
import { launchEnvironment } from './launch-environment.ts'

/** What a runner process is told when it starts. */
export interface LaunchedRunner {
  name: string
  /** The agent's name as people know it, and the words that start it. */
  agent: string
  words: string[]
  folder: string
  data: string
  /** The settings of a hub that it would have to start. */
  given: Record<string, string>
}

/** What is wanted of a runner's folder. */
export interface LookedAt {
  runner: string
  folder: string
  conversation: string
  /** The only file that is wanted. */
  path?: string
}

/** Asks an agent for its sessions, in a process of its own that ends with that; throws the sentence that says why it cannot. */
export async function listSessions(wanted: Omit<LaunchedRunner, 'name' | 'given'>): Promise<unknown> {
  try {
    return await askOnce({ ...wanted, list: true }, wanted.data)
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    const reason = lastLine(stderr) ?? `it did not answer within ${ANSWER_MS / 1000} s`
    throw new ParleyError('no_sessions', { agent: wanted.agent, reason }, error)
  }
}

/** Compares a folder, in a process of its own that ends with that. */
export function lookAtFolder(lookAt: LookedAt, data: string): Promise<unknown> {
  return askOnce({ data, lookAt }, data)
}

async function askOnce(wanted: object, data: string): Promise<unknown> {
  const options = {
    cwd: data,
    env: launchEnvironment(),
    timeout: ANSWER_MS,
    maxBuffer: ANSWER_BYTES,
    windowsHide: true,
  }
  const args = [fileURLToPath(PROGRAM), JSON.stringify(wanted)]
  const { stdout } = await promisify(execFile)(process.execPath, args, options)
  return JSON.parse(stdout)
}

/** A process, never mistaken for a later one with the same number. */
export interface Pid {
  pid: number
  began: string
}

export interface RunnerProcess extends Pid {
  /** Resolves with what it said last, where it failed. */
  ended: Promise<{ code: number | null; words?: string }>
}

const ANSWER_MS = 60_000
const ANSWER_BYTES = 4 * 1024 * 1024
const STDERR_KEPT = 4096
const LOOK_MS = 20
const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? '../cli/run/launched.ts' : './launched.js', import.meta.url)

/** Starts a runner in a process of its own, which outlives a hub that is killed. */
export function startRunner(runner: LaunchedRunner): RunnerProcess {
  const child = spawn(process.execPath, [fileURLToPath(PROGRAM), JSON.stringify(runner)], {
    cwd: runner.data,
    env: launchEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    windowsHide: true,
  })
  child.unref()
  let told = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    told = (told + text).slice(-STDERR_KEPT)
  })
  const ended = new Promise<Awaited<RunnerProcess['ended']>>((resolve) => {
    child.once('error', ({ message }) => resolve({ code: null, words: message }))
    child.once('close', (code) => resolve({ code, words: lastLine(told) }))
  })
  return { ...pidOf(child.pid ?? 0), ended }
}

/** Linux counts from the start of the machine: the same number and the same moment come again with the next one. */
export function pidOf(pid: number): Pid {
  const { began } = processWith(pid) ?? {}
  return { pid, began: began === undefined ? '' : `${boot() ?? ''} ${began}` }
}

function boot(): string | undefined {
  return attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'), ignoring())?.trim()
}

export function isAlive({ pid, began }: Pid): boolean {
  return pid > 0 && began !== '' && pidOf(pid).began === began
}

/** Of one that this hub did not start nothing else tells. */
export async function untilGone(process: Pid): Promise<void> {
  while (isAlive(process)) await pause(LOOK_MS)
}

/** Tells it to end, or ends it. */
export function endRunner(process: Pid, name: 'SIGTERM' | 'SIGKILL') {
  if (isAlive(process)) signal(process.pid, name)
}
