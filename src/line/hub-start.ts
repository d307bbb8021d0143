import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { connectToHub } from '../doors/socket/connect.ts'
import { makeDataFolder } from '../doors/socket/folder.ts'
import { attempt } from '../io/attempt.ts'
import { readLines } from '../io/lines.ts'
import { MARK } from '../io/mark.ts'
import { retrying } from '../io/retrying.ts'
import { ignoring } from '../io/system-error.ts'
import { type ErrorCode, ParleyError } from '../protocol/errors.ts'
import { isRefusal } from '../protocol/refusal.ts'
import type { Given } from '../protocol/settings.ts'
import { hubNode, hubProgram } from './hub-program.ts'
import { growingPause } from './pause.ts'
import { takeTurn } from './start-turn.ts'

export interface HubOptions {
  data: string
  /** The settings it is started with. */
  given: Given
  /** Zero for any; absent for the usual one if that is free. */
  port?: number
}

/** A connection to a hub that runs now, or why another process is in its place. */
type Raised = { socket: Socket; open: Promise<void> } | { inUse: string }

const LONGEST_WORD = 64 * 1024
/** Several starts in a row that end without a word are no accident. */
const MOST_STARTS = 3
const OWNER_ONLY = 0o600
/**
 * A young generation of 4 MB in each half holds what a busy hub has in hand. By itself Node lets it grow to 16, which are
 * never given back: 20 MB more after 6,000 posts, and no faster.
 */
const HUB_FLAGS = ['--max-semi-space-size=4']
/** The first and the longest pause until the next look whose turn it is. */
const LOOK_AGAIN_MS = [10, 50] as const

/** What a hub says on its stdout: that it listens, and then how its opening ended. */
type Said = { listening: true } | { ready: true } | { failed: { code: ErrorCode; text: string } }

/** Called with the reason why a hub that listened already did not come to be. */
type FailedLater = (sentence: string) => void

/** Starts the hub of a folder, in a process of its own that outlives this one. */
export async function startHub(options: HubOptions): Promise<'ready' | 'in_use'> {
  let failed: FailedLater = () => {}
  const failure = new Promise<never>((_, reject) => {
    failed = (reason) => reject(new ParleyError('refused_by_hub', { reason }))
  })
  const raised = await raiseHub(options, failed)
  if ('inUse' in raised) return 'in_use'
  raised.socket.destroy()
  await Promise.race([raised.open, failure])
  return 'ready'
}

/** The hub of a folder, started by this process or by another one that was faster. */
export async function raiseHub(options: HubOptions, failedLater: FailedLater): Promise<Raised> {
  makeDataFolder(options.data)
  const pause = growingPause(...LOOK_AGAIN_MS)
  const mayTryAgain = afterAccidents()
  for (;;) {
    const raised = await retrying(() => raiseInTurn(options, failedLater), mayTryAgain, pause)
    if (raised) return raised
    await pause()
  }
}

/** Nothing while it is the turn of another process. */
async function raiseInTurn(options: HubOptions, failedLater: FailedLater): Promise<Raised | undefined> {
  const endTurn = takeTurn(options.data)
  try {
    const socket = await connectToHub(options.data)
    if (socket) return { socket, open: Promise.resolve() }
    return endTurn && (await start(options, failedLater))
  } finally {
    endTurn?.()
  }
}

/** A hub that was ended while it started says nothing about the next one. */
function afterAccidents(): (error: unknown) => boolean {
  let starts = 0
  return (error) => isRefusal(error, 'hub_failed') && ++starts < MOST_STARTS
}

async function start(options: HubOptions, failedLater: FailedLater): Promise<Raised> {
  const log = openLog(options.data)
  let open: Promise<void>
  try {
    const child = await spawnHub(options, ['ignore', 'pipe', log ?? 'ignore'])
    const listening = await wordOf(child, join(options.data, 'hub.log'), failedLater)
    if ('inUse' in listening) return listening
    open = listening.open
  } finally {
    if (log !== undefined) closeSync(log)
  }
  const socket = await connectToHub(options.data)
  if (!socket) throw new ParleyError('hub_failed', { log: join(options.data, 'hub.log') })
  return { socket, open }
}

/** A hub that keeps nothing: for the one who holds the connection, and no longer. */
export async function startMemoryHub(options: HubOptions, failedLater: FailedLater): Promise<Socket> {
  return retrying(() => startInMemory(options, failedLater), afterAccidents())
}

async function startInMemory(options: HubOptions, failedLater: FailedLater): Promise<Socket> {
  const child = await spawnHub(options, ['ignore', 'pipe', 'inherit', 'pipe'])
  const socket = child.stdio[3] as Socket
  socket.on('error', () => socket.destroy())
  await wordOf(child, 'what it said', failedLater)
  return socket
}

/** A log that cannot be written keeps no hub from running. */
function openLog(data: string): number | undefined {
  return attempt(() => openSync(join(data, 'hub.log'), 'a', OWNER_ONLY), ignoring())
}

async function spawnHub(options: HubOptions, stdio: ('ignore' | 'pipe' | 'inherit' | number)[]): Promise<ChildProcess> {
  // Most lines find a hub that runs.
  const { spawn } = await import('node:child_process')
  const cwd = options.data === 'memory' ? undefined : options.data
  try {
    // The hub outlives whoever started this line.
    const env = { ...process.env, [MARK]: '' }
    return spawn(hubNode(), [...HUB_FLAGS, hubProgram(), JSON.stringify(options)], {
      cwd,
      env,
      stdio,
      detached: true,
      windowsHide: true,
    })
  } catch (error) {
    throw notStarted(error)
  }
}

function notStarted(error: unknown): unknown {
  const { syscall, code = '' } = error as NodeJS.ErrnoException
  // The second one is Node's own: it was started with `--permission`.
  const isRefused = syscall?.startsWith('spawn') || code === 'ERR_ACCESS_DENIED'
  return isRefused ? new ParleyError('no_process', { reason: code }, error) : error
}

/** The process's own report: rejects with its sentence when it cannot run; another running hub is no problem. */
function wordOf(child: ChildProcess, log: string, failedLater: FailedLater) {
  let isOpen = () => {}
  const open = new Promise<void>((resolve) => {
    isOpen = resolve
  })
  return new Promise<{ open: Promise<void> } | { inUse: string }>((resolve, reject) => {
    const stdout = child.stdout as Readable
    let listens = false
    child.on('error', (error) => reject(notStarted(error)))
    readLines(stdout, { limitLength: LONGEST_WORD, line: hear, tooLong: () => stdout.destroy() })
    stdout.on('close', () => {
      // Nothing, where no process was started: that is told by its own event.
      if (child.pid !== undefined) reject(new ParleyError('hub_failed', { log }))
    })

    function hear(line: string) {
      const said = JSON.parse(line) as Said
      if (!('failed' in said)) {
        listens = true
        resolve({ open })
        if ('ready' in said) isOpen()
      } else if (said.failed.code === 'data_in_use' && !listens) resolve({ inUse: said.failed.text })
      else if (listens) failedLater(said.failed.text)
      else reject(new ParleyError('refused_by_hub', { reason: said.failed.text }))
      if (!('listening' in said)) {
        // It goes on without us.
        stdout.destroy()
        child.unref()
      }
    }
  })
}
