import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { PACKAGE } from '../../src/protocol/version.ts'
import { environment } from './agent.ts'
import { temporaryFolder } from './hub.ts'
import { freePort, startParley } from './process.ts'

export const GUIDES = 'docs/guides'
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export function pageOf(guide: string): string {
  return readFileSync(`${GUIDES}/${guide}.md`, 'utf8')
}

/** The pieces of code that a guide shows, in its order, in this language. */
export function codeIn(guide: string, language: string): string[] {
  return [...pageOf(guide).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , text = '']) => text)
}

/** The commands that a guide shows, each as its words, without what is said about it. */
export function commandsIn(guide: string): string[][] {
  const lines = codeIn(guide, 'sh').flatMap((text) => text.split('\n'))
  return lines.flatMap((line) => line.replace(/ +#.*/, '').split(' && ')).map((command) => command.split(' '))
}

/** Does what a guide says, but for the service, which is a process here. */
export async function followGuide(guide: string) {
  const [data, port] = [await temporaryFolder(), await freePort()]
  const tokens = new Map<string, string>()
  const links: string[] = []
  for (const [program, ...words] of commandsIn(guide).filter(([program]) => program === 'parley')) {
    const [first, second, name = ''] = words
    if (first === 'service') {
      const options = words.slice(2).map((word) => word.replace('4117', `${port}`))
      await startParley(['serve', ...options, '--data', data]).said(/^http:\/\/127\.0\.0\.2:\d+$/m)
      continue
    }
    const { code, stdout, stderr } = await startParley([...words, '--data', data]).ended
    expect([code, program], stderr).toEqual([0, 'parley'])
    if (second === 'create') tokens.set(name, stdout.trim())
    else links.push(stdout)
  }
  return { data, port, tokens, links }
}

/** A project whose dependencies are those that the guides name. */
export async function projectFolder(): Promise<string> {
  const folder = await temporaryFolder()
  const modules = join(folder, 'node_modules')
  await mkdir(modules)
  await symlink(ROOT, join(modules, PACKAGE))
  await symlink(join(ROOT, 'node_modules/@modelcontextprotocol'), join(modules, '@modelcontextprotocol'))
  return folder
}

/** Code of a guide as a program of its own, as it was pasted, but for the address of the hub. */
export async function runPasted(code: string, url: string, folder: string, env: Record<string, string> = {}) {
  const { host } = new URL(url)
  await writeFile(join(folder, 'pasted.mjs'), code.replaceAll('localhost:4117', host))
  const child = spawn(process.execPath, ['pasted.mjs'], { cwd: folder, env: environment(env) })
  const ended = once(child, 'close')
  let output = ''
  const news = new EventEmitter()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
      news.emit('news')
    })
  onTestFinished(end)
  return { said, end }

  /** Resolves once it has said this. */
  async function said(words: string): Promise<void> {
    const isOver = ended.then(() => {
      if (!output.includes(words)) throw new Error(`It ended without saying ${words}: ${output}`)
    })
    while (!output.includes(words)) await Promise.race([once(news, 'news'), isOver])
  }

  async function end() {
    child.kill('SIGKILL')
    await ended
  }
}
