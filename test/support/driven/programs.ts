import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const AGENT = fileURLToPath(new URL('./acp-agent.ts', import.meta.url))

/** The scripted agent. */
export const ACP = `exec "${process.execPath}" "${AGENT}"`

/** Makes a home folder with programs on its own path, and below it a folder to work in. */
export function machineIn(home: string, programs: Record<string, string>) {
  const [bin, folder, seen] = ['bin', 'work', 'seen'].map((name) => join(home, name)) as [string, string, string]
  for (const each of [bin, folder, seen]) mkdirSync(each)
  for (const [name, script] of Object.entries(programs)) install(bin, name, script)
  // Beside the real one there may be real agents.
  symlinkSync(process.execPath, join(bin, 'node'))
  const env = {
    HOME: home,
    PATH: [bin, '/usr/bin', '/bin'].join(':'),
    ACP_AGENT_FOLDER: seen,
  }
  return { home, bin, folder, seen, env, install: (name: string, script = ACP) => install(bin, name, script), linesOf }

  /** What the agents wrote of what they saw. */
  function linesOf(name: 'prompts' | 'begun' | 'lives'): Record<string, unknown>[] {
    const path = join(seen, `${name}.jsonl`)
    if (!existsSync(path)) return []
    return readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
}

function install(bin: string, name: string, script: string) {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(bin, name), 0o755)
}

/** Writes what it was asked for, and puts a program first on the path of what it runs, as npx does. */
export function fakeNpx(home: string, program: string): string {
  const bin = join(home, 'fetched')
  mkdirSync(bin)
  install(bin, program, ACP)
  return `echo "$@" >> ${home}/npx.asked; while [ "$1" != -- ]; do shift; done; shift; PATH=${bin}:$PATH exec "$@"`
}
