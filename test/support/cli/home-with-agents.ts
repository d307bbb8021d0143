import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { executable } from '../agent.ts'
import { temporaryFolder } from '../hub.ts'
import { startParley } from '../process.ts'

/** The clients that are found by a program, and the program. */
export const PROGRAMS = {
  codex: 'codex',
  gemini: 'gemini',
  qwen: 'qwen',
  opencode: 'opencode',
  copilot: 'copilot',
  kimi: 'kimi',
  pi: 'pi',
  cline: 'cline',
  continue: 'cn',
  amp: 'amp',
  droid: 'droid',
}

/** A home folder with agents in it, whose files are told by where they are in it. */
export async function openHome(clients: (keyof typeof PROGRAMS | 'claude')[]) {
  const home = await temporaryFolder()
  const bin = join(home, 'bin')
  for (const client of clients) write(`bin/${client === 'claude' ? client : PROGRAMS[client]}`, '#!/bin/sh\n', 0o755)
  return { home, write, link, read, isThere, connect }

  function write(file: string, text: string | Buffer, mode = 0o600) {
    mkdirSync(dirname(join(home, file)), { recursive: true })
    writeFileSync(join(home, file), text)
    chmodSync(join(home, file), mode)
  }

  function link(to: string, file: string) {
    mkdirSync(dirname(join(home, file)), { recursive: true })
    symlinkSync(join(home, to), join(home, file))
  }

  function read(file: string): string {
    return readFileSync(join(home, file), 'utf8')
  }

  function isThere(file: string): boolean {
    return existsSync(join(home, file))
  }

  function connect(words: string[] = [], env: Record<string, string> = {}) {
    return startParley(['connect', ...words], { HOME: home, PATH: bin, ...env }, executable, home).ended
  }
}
