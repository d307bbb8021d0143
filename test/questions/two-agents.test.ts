import { writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { SURFACES, type SurfaceName } from '../../src/protocol/frames/surface-name.ts'
import { agentOverStdio } from '../support/agent.ts'
import { eventually } from '../support/eventually.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { subscribe, updatesOf } from '../support/mcp/updates.ts'
import { openPage, type Page, told } from '../support/page.ts'
import { diaryAt } from '../support/upstream/diary-server.ts'

const INBOX = 'ui://chat/inbox'
/** Those that agents use; people and who drives agents meet in the common conversation. */
const AGENTS = SURFACES.filter((surface) => !['human', 'chat', 'orchestrator'].includes(surface))
const WAYS = [
  ['in two folders', ['one', 'two']],
  ['in one folder', ['one', 'one']],
] as const

/** A hub with a mounted server and a page, and agents that are told nothing but where they work. */
async function openWorkshop() {
  const [data, files] = [await temporaryFolder(), await temporaryFolder()]
  const mcpServers = { diary: diaryAt(join(files, 'diary')) }
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers }))
  const { url } = await startHubWithSocket(data)
  return { page: openPage(url), start }

  async function start(surface: SurfaceName, folder: string, env: Record<string, string> = {}, args: string[] = []) {
    const cwd = join(files, folder)
    await mkdir(cwd, { recursive: true })
    const { client } = await agentOverStdio({
      cwd,
      args: ['stdio', '--surface', surface, ...args],
      env: { PARLEY_DATA: data, ...env },
    })
    return client
  }
}

type Input = Record<string, unknown>
const words = (who: string) => ({ mime: 'text/markdown', content: `Words of ${who}` })
/** A call of each tool that an agent is offered somewhere. */
const CALLS: Record<string, (who: string, surface: SurfaceName) => Input> = {
  send_message: (who, surface) => (surface === 'ui' ? words(who) : { text: 'Deploy?' }),
  ask_user: () => ({ question: 'Which?', options: [{ label: 'This' }] }),
  send_progress: (who) => ({ text: `Progress of ${who}` }),
  check_messages: () => ({}),
  set_title: (who) => ({ title: `Title of ${who}` }),
  approve: () => ({ tool_name: 'Bash', input: { command: 'rm -rf .' } }),
  chat_read_since: () => ({}),
  read_and_advance: () => ({}),
  chat_assistant_post: words,
  chat_assistant_event: (who) => ({ type: 'progress', text: `Progress of ${who}` }),
  yield_turn: () => ({}),
  end_turn: () => ({}),
  diary_write: () => ({ text: 'one' }),
  diary_paint: () => ({ text: 'two' }),
  diary_read: () => ({}),
}
/** Those that a person allows. */
const DECIDED = ['approve', 'diary_write', 'diary_paint']
/** What people and administrators are offered; an agent that calls it is refused, wherever it is. */
const OTHERS = /^(mount|policy|rules|chat_human_post|diary_become)/

const conversationsOf = (page: Page) => [...new Set(page.entries.map(({ conversation }) => conversation))]

test.each(WAYS)(
  '[M60] [G120] two agents %s that were told nothing: nothing of one reaches the other, by any tool of any surface',
  { timeout: 120_000 },
  async (_, folders) => {
    const { page, start } = await openWorkshop()
    for (const surface of AGENTS) {
      const [one, two] = [await start(surface, folders[0]), await start(surface, folders[1])]
      const offered = (await one.listTools()).tools.map(({ name }) => name).filter((name) => !OTHERS.test(name))
      // Whatever is offered is walked.
      expect(offered.filter((name) => !(name in CALLS))).toEqual([])
      const heard: unknown[] = []
      const hasInbox = surface !== 'gateway' && one.getServerCapabilities()?.resources?.subscribe === true
      if (hasInbox) {
        void follow(two, heard)
        await subscribe(two, INBOX, 'modern')
      }
      for (const name of offered) {
        const before = page.entries.length
        const waits = [call(one, name, 'one', surface), call(two, name, 'two', surface)]
        const asks = ['send_message', 'ask_user', ...DECIDED].includes(name) && surface !== 'ui'
        const isNew = () => page.entries.slice(before)
        if (asks) {
          const cards = await page.until(() => {
            const asked = isNew().filter(({ body }) => body.kind === 'question')
            return asked.length === 2 && asked
          })
          expect(new Set(cards.map(({ conversation }) => conversation)).size).toBe(2)
          const [first, second] = cards
          if (DECIDED.includes(name)) {
            await page.command('allow', { question: first?.id ?? '', always: true })
            await Promise.race(waits)
            // It was allowed always, to one of them.
            expect(open(page)).toContain(second?.id)
            await page.command('deny', { question: second?.id ?? '' })
          } else {
            await page.answer(first?.id ?? '', 'For the first')
            expect(await Promise.race(waits)).toContain('For the first')
            expect(open(page)).toContain(second?.id)
            await page.answer(second?.id ?? '', 'For the second')
          }
        }
        const answers = await Promise.all(waits)
        if (name === 'send_message' && surface !== 'ui')
          expect(answers.map((answer) => answer.includes('first')).toSorted()).toEqual([false, true])
        expect(answers[0]).not.toContain('of two')
        expect(answers[1]).not.toContain('of one')
      }
      if (hasInbox) {
        const { contents } = await two.readResource({ uri: INBOX })
        expect(JSON.stringify(contents)).not.toContain('of one')
        const own = conversationsOf(page).find((id) =>
          page.entries.some(
            (entry) => entry.conversation === id && JSON.stringify(entry.body).includes('Words of one'),
          ),
        )
        await page.post(own ?? '', 'Only for one')
        await page.post('chat', 'For everyone')
        await until(heard, 'For everyone')
        expect(JSON.stringify(heard)).not.toContain('Only for one')
      }
      await Promise.all([one.close(), two.close()])
    }
    const mixed = conversationsOf(page).filter((id) => {
      const all = JSON.stringify(page.entries.filter(({ conversation }) => conversation === id))
      return all.includes('of one') && all.includes('of two')
    })
    expect(mixed).toEqual([])
  },
)

function open(page: Page): string[] {
  const settled = told(page, 'settlement').map(({ question }) => question)
  return told(page, 'question').flatMap(({ id }) => (settled.includes(id) ? [] : id))
}

async function call(client: Client, name: string, who: string, surface: SurfaceName): Promise<string> {
  const made = CALLS[name] as (typeof CALLS)[string]
  try {
    return JSON.stringify(await client.callTool({ name, arguments: made(who, surface) }))
  } catch (error) {
    return String(error)
  }
}

async function follow(client: Client, heard: unknown[]) {
  const next = updatesOf(client)
  for (;;) heard.push(await next())
}

function until(heard: unknown[], words: string): Promise<void> {
  return eventually(() => expect(JSON.stringify(heard)).toContain(words))
}
