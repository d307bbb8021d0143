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
}

/** Does with its file what Claude Code does when it is told to. */
const CLAUDE = `#!${process.execPath}
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const file = (process.env.CLAUDE_CONFIG_DIR || process.env.HOME) + '/.claude.json'
const all = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
const [, act, ...rest] = process.argv.slice(2)
all.mcpServers ??= {}
if (act === 'add-json' && all.mcpServers[rest[2]]) { console.error('MCP server already exists'); process.exit(1) }
if (act === 'add-json') all.mcpServers[rest[2]] = JSON.parse(rest[3])
if (act === 'remove') delete all.mcpServers[rest[2]]
writeFileSync(file, JSON.stringify(all, null, 2))
`

/** A home folder with agents in it, whose files are told by where they are in it. */
export async function openHome(clients: (keyof typeof PROGRAMS | 'claude')[]) {
  const home = await temporaryFolder()
  const bin = join(home, 'bin')
  for (const client of clients)
    if (client === 'claude') program('claude', CLAUDE)
    else program(PROGRAMS[client], '#!/bin/sh\n')
  return { home, write, link, read, isThere, connect }

  function program(name: string, text: string) {
    write(`bin/${name}`, text, 0o755)
  }

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
