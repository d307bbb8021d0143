import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished, vi } from 'vitest'
import type { View } from '../../../src/chat/view.ts'
import { startHubWithSocket, temporaryFolder } from '../hub.ts'
import { connectPage } from '../socket.ts'

const AGENT = fileURLToPath(new URL('./acp-agent.ts', import.meta.url))

/** A home folder with programs on its own path, and below it a folder to work in. */
export async function homeWith(programs: Record<string, string>) {
  const home = realpathSync(await temporaryFolder())
  const [bin, folder, seen] = ['bin', 'work', 'seen'].map((name) => join(home, name)) as [string, string, string]
  for (const each of [bin, folder, seen]) mkdirSync(each)
  for (const [name, script] of Object.entries(programs)) install(bin, name, script)
  vi.stubEnv('HOME', home)
  vi.stubEnv('PATH', [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(':'))
  vi.stubEnv('ACP_AGENT_FOLDER', seen)
  onTestFinished(() => void vi.unstubAllEnvs())
  return { home, bin, folder, seen, install: (name: string, script = ACP) => install(bin, name, script), linesOf }

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

/** The scripted agent. */
export const ACP = `exec "${process.execPath}" "${AGENT}"`

export function install(bin: string, name: string, script: string) {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(bin, name), 0o755)
}

/** A hub with a page, on a machine that has these programs. */
export async function openLaunching(programs: Record<string, string>) {
  const machine = await homeWith(programs)
  const data = await temporaryFolder()
  const hub = await startHubWithSocket(data)
  const page = await connectPage(hub.url)
  return { ...machine, data, hub, page, view: hub.view }
}

/** Resolves once the conversation has these words. */
export async function untilSaid(view: View, conversation: string, words: string): Promise<void> {
  const after = await view.last()
  const { entries } = await view.page(conversation, { limit: 100 })
  if (JSON.stringify(entries).includes(words)) return
  await new Promise<void>((resolve, reject) => {
    const following = view.follow(
      { conversation, after },
      { entries: (told) => void (JSON.stringify(told).includes(words) && resolve()), failed: reject },
    )
    onTestFinished(() => void following.close())
  })
}

/** Writes what it was asked for, and puts a program first on the path of what it runs, as npx does. */
export function fakeNpx(home: string, program: string): string {
  const bin = join(home, 'fetched')
  mkdirSync(bin)
  install(bin, program, ACP)
  return `echo "$@" >> ${home}/npx.asked; while [ "$1" != -- ]; do shift; done; shift; PATH=${bin}:$PATH exec "$@"`
}
