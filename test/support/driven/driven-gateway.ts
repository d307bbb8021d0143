import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runningHub } from '../../../src/cli/hub/running-hub.ts'
import { startHubWithSocket, temporaryFolder } from '../hub.ts'
import { hubOf } from '../hub-of.ts'
import type { Reply } from '../models/reply.ts'
import { openPage, type Page, told } from '../page.ts'
import { freePort, startParley } from '../process.ts'
import { diaryAt, readDiary } from '../upstream/diary-server.ts'
import { SCRIPTED, scriptedIn } from './driven-agent.ts'
import { type Asked, startModelServer } from './model-servers.ts'

interface Options {
  /** For `parley run`. */
  more?: string[]
  views?: object[]
  /** The hub is a process that the runner started, to be killed; otherwise it is here. */
  apart?: boolean
}

/**
 * A page, a hub, a mounted server whose runs can be counted, and `parley run` with an agent that uses it: each but the
 * hub a process to be killed.
 */
export async function startDrivenGateway(agent: string[], { more = [], views = [], apart = false }: Options = {}) {
  const data = await temporaryFolder()
  const diary = join(data, 'diary')
  const servers = { diary: diaryAt(diary) }
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: servers, views }))
  const port = await freePort()
  const hub = apart ? undefined : await startHubWithSocket(data)
  let runner = run()
  const page = openPage(hub?.url ?? `http://localhost:${port}`)
  await page.started
  await runner.said(/is there for you/)
  return { data, page, written: () => readDiary(diary), card, killRunner, run: runAgain, killHub }

  function run() {
    const args = ['run', ...agent, '--conversation', 'work', '--cwd', data, '--data', data, ...more]
    return startParley(args, { ...scriptedIn(data), PORT: `${port}`, PARLEY_KEEP: '60', OPENAI_API_KEY: 'secret' })
  }

  async function runAgain() {
    runner = run()
    await runner.said(/is there for you/)
  }

  /** And what it drove is gone, too: an answer that is still on its way would be given to an agent that ends. */
  async function killRunner(others = 0) {
    runner.child.kill('SIGKILL')
    await runner.ended
    while (((await runningHub(data))?.lines.length ?? 0) > others) await pause(5)
  }

  /** Whose line comes first starts the next one. */
  async function killHub() {
    const { pid } = hubOf(data)
    process.kill(pid, 'SIGKILL')
    while (isAlive(pid)) await pause(5)
  }

  /** What a person is asked, once so many were. */
  async function card(many = 1): Promise<string> {
    await page.until(() => told(page, 'question').length >= many)
    return told(page, 'question')[many - 1]?.id ?? ''
  }
}

export const acpAgent = ['--acp', SCRIPTED]

/** A model that writes what it is told to, once, and otherwise says what it was told. */
export async function writingModel() {
  const service = await startModelServer('openai', replyTo)
  return { agent: ['--model', 'openai:scripted', '--base-url', service.url], prompts, asked: service.asked }

  /** The last words of a person in each request. */
  function prompts(): string[] {
    return service.asked.map(({ body }) => String(body.messages.findLast(({ role }) => role === 'user')?.content ?? ''))
  }
}

function replyTo({ messages }: Asked['body']): Reply {
  const last = messages.at(-1)
  const words = String(last?.content ?? '')
  if (last?.role === 'tool') return { say: [`called: ${words}`] }
  const [, text] = /write (\w+)$/.exec(words) ?? []
  return text ? { calls: [{ name: 'diary_write', input: { text } }] } : { say: [`You said: ${words}`] }
}

/** How often words were said to the agent, over all its turns. */
export function times(texts: string[], words: string): number {
  return texts.filter((text) => text.includes(words)).length
}

/** Resolves once the agent has said this. */
export function saidBy(page: Page, words: RegExp) {
  return page.until(() => told(page, 'message').find(({ author, text }) => author === 'assistant' && words.test(text)))
}

/** A line that is left may have started the next hub by then, which answers in its place. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
