import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as pause } from 'node:timers/promises'
import { attempt } from '../../io/attempt.ts'
import { signal } from '../../io/descendants.ts'
import { createFamily, endOrphans } from '../../io/family.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { ifRefused } from '../../protocol/refusal.ts'
import { agentEnvironment } from '../agent-environment.ts'
import type { DrivenSession, Driver, Prompt, SessionWanted, TurnEnd } from '../driver.ts'
import { mustBeFolder } from '../work-folder.ts'

const PATIENCE_MS = 500
/** The time for the last words of a program that has ended, where somebody whom nobody finds holds its pipes. */
const LAST_WORDS_MS = 1000
/** The length of a failed program's last words that is shown. */
const LAST_WORDS = 500

/**
 * A program, as it would be typed into a shell, that reads what was said on stdin and writes its answer to stdout. It is
 * started for each turn and keeps nothing of the one before, unless it does so itself: `PARLEY_SESSION` names the
 * conversation.
 */
export function commandDriver(command: string): Driver {
  let haveLooked = false
  return { name: wordIn(command), start }

  async function start(wanted: SessionWanted): Promise<DrivenSession> {
    const { data, stdio } = wanted.parley
    if (!haveLooked) endOrphans({ data, spared: stdio.args[0] })
    haveLooked = true
    const program = programIn(command)
    if (program !== undefined && !isThere(program, wanted.folder))
      throw new ParleyError('no_program', { program, reason: 'it is not there' })
    return openSession(command, wanted)
  }
}

/** The first word, where it is plainly the name or path of a program. */
function programIn(command: string): string | undefined {
  const [word = ''] = command.trim().split(/\s+/)
  return process.platform !== 'win32' && /^[\w./-]+$/.test(word) ? word : undefined
}

/** Looks it up as the shell that will run it does. */
function isThere(program: string, cwd: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'command -v "$1"', 'sh', program], { cwd }).status === 0
}

function openSession(command: string, { conversation, folder, parley, happens }: SessionWanted): DrivenSession {
  const env = { ...agentEnvironment(), ...parley.stdio.env, PARLEY_SESSION: conversation }
  let running: { over: Promise<unknown>; end(by: NodeJS.Signals): void } | undefined
  let interrupted = false
  return {
    // There is nothing to go on with.
    remembers: true,
    prompt,
    interrupt,
    choose: async () => {},
    stop: interrupt,
    lost: new Promise(() => {}),
  }

  async function prompt({ text, giving }: Prompt): Promise<TurnEnd> {
    if ((await giving?.()) === false) return { outcome: 'cancelled' }
    interrupted = false
    const problem = attempt(
      () => void mustBeFolder(folder),
      ifRefused(({ message }) => message),
    )
    if (problem !== undefined) return { outcome: 'failed', problem }
    const family = createFamily({ data: parley.data, spared: parley.stdio.args[0] })
    const started = spawn(command, {
      shell: true,
      cwd: folder,
      env: { ...env, ...family.environment },
      // A group of its own, so that all of it can be told to end.
      detached: process.platform !== 'win32',
    })
    family.headedBy(started.pid)
    const words = new StringDecoder('utf8')
    const complaint = new StringDecoder('utf8')
    let said = ''
    started.stdout.on('data', (chunk: Buffer) => happens({ type: 'text', text: words.write(chunk) }))
    started.stderr.on('data', (chunk: Buffer) => {
      said = (said + complaint.write(chunk)).slice(-LAST_WORDS)
    })
    // A program may answer without having read everything.
    started.stdin.on('error', () => {})
    started.stdin.end(text)
    const closed = once(started, 'close').catch(() => {})
    const over = new Promise<TurnEnd>((resolve) => {
      started.on('error', ({ message }) => resolve({ outcome: 'failed', problem: `${command} cannot run: ${message}` }))
      started.on('exit', async (code, signal) => {
        // Its pid may be another process's by now.
        family.headedBy(undefined)
        family.kill()
        await Promise.race([Promise.all([closed, family.areGone()]), pause(LAST_WORDS_MS)])
        running = undefined
        if (interrupted) resolve({ outcome: 'cancelled' })
        else if (code === 0) resolve({ outcome: 'ended' })
        else resolve({ outcome: 'failed', problem: problemOf(code, signal, said) })
      })
    })
    running = { over, end }
    return over

    function end(by: NodeJS.Signals) {
      family.look()
      if (process.platform === 'win32') started.kill(by)
      else if (started.pid !== undefined) signal(-started.pid, by)
      // The signal to the group does not reach a process in a session of its own, which may hold the pipes.
      if (by === 'SIGKILL') family.kill()
    }
  }

  function problemOf(code: number | null, signal: string | null, said: string): string {
    const how = code === null ? `was ended by ${signal}` : `ended with code ${code}`
    return `${command} ${how}${said.trim() ? `: ${said.trim()}` : ''}`
  }

  async function interrupt() {
    if (!running) return
    interrupted = true
    const { over, end } = running
    end('SIGTERM')
    await Promise.race([over, pause(PATIENCE_MS)])
    end('SIGKILL')
    await over
  }
}

/** The program, without its path and arguments. */
function wordIn(command: string): string {
  return /[^/\\\s]+(?=\s|$)/.exec(command.trim())?.[0] ?? 'command'
}
