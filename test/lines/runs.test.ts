import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SOAK } from '../log/contract/place.ts'
import { agentOverStdio, type Era } from '../support/agent.ts'
import { erasOf } from '../support/eras.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { answerAll, expectWhole, openPage, type Page, told, waiting } from '../support/page.ts'

const CRASHES = SOAK > 1 ? 30 : 2

/** Agents of one folder of files, none of which names its conversation, and a hub here or in a process of its own. */
async function openWorkshop({ apart = false } = {}) {
  const data = await temporaryFolder()
  const cwd = join(await temporaryFolder(), 'website')
  await mkdir(cwd)
  const keeper = { PARLEY_DATA: data, PARLEY_SESSION: 'keeper' }
  const { url } = await (apart ? agentOverStdio({ env: keeper }) : startHubWithSocket(data))
  const page = openPage(await url)
  return { data, page, start }

  function start(env: Record<string, string> = {}, era?: Era) {
    return agentOverStdio({ era, cwd, env: { PARLEY_DATA: data, ...env } })
  }
}

function conversationOf(page: Page, text: string): string | undefined {
  return told(page, 'question').find((question) => question.text === text)?.conversation
}

/** They are told apart by a table, and go the same way from there. */
const VARIABLES = ['CLAUDE_CODE_SESSION_ID', 'QWEN_CODE_SESSION_ID', 'COPILOT_AGENT_SESSION_ID']

test.each(SOAK > 1 ? VARIABLES : VARIABLES.slice(0, 1))(
  '[C55] two runs of one folder are two conversations, and a run that starts again goes on in its own (%s)',
  async (variable) => {
    const { page, start } = await openWorkshop()
    answerAll(page, (text) => `re: ${text}`)
    const first = await start({ [variable]: 'run-one' })
    await first.ask('One?')
    const second = await start({ [variable]: 'run-two' })
    await second.ask('Two?')
    await first.client.close()
    const again = await start({ [variable]: 'run-one' })
    expect(await again.ask('One again?')).toBe('re: One again?')
    const [one, two] = [conversationOf(page, 'One?'), conversationOf(page, 'Two?')]
    expect(one).toMatch(/^website-/)
    expect(two).toMatch(/^website-/)
    expect(two).not.toBe(one)
    expect(conversationOf(page, 'One again?')).toBe(one)
  },
)

test.each(erasOf('modern'))('[C41] [C55] each thread of one line has its own conversation (%s era)', async (era) => {
  const { data, page, start } = await openWorkshop({ apart: true })
  answerAll(page, (text) => `re: ${text}`)
  const { client } = await start({}, era)
  for (const [thread, text] of [
    ['one', 'A?'],
    ['two', 'B?'],
  ] as const)
    expect(await askIn(thread, text)).toEqual({ reply: `re: ${text}` })
  process.kill(hubOf(data).pid, 'SIGKILL')
  // What a thread had does not come again, whatever the other one did since.
  expect(await askIn('one', 'C?')).toEqual({ reply: 're: C?' })
  expect(conversationOf(page, 'B?')).not.toBe(conversationOf(page, 'A?'))
  expect(conversationOf(page, 'C?')).toBe(conversationOf(page, 'A?'))
  // Another process of the same thread, too.
  const next = await start({}, era)
  const { structuredContent } = await next.client.callTool({
    name: 'send_message',
    arguments: { text: 'D?' },
    _meta: { threadId: 'two' },
  })
  expect(structuredContent).toMatchObject({ reply: 're: D?' })
  expect(conversationOf(page, 'D?')).toBe(conversationOf(page, 'B?'))

  async function askIn(threadId: string, text: string) {
    const result = await client.callTool({ name: 'send_message', arguments: { text }, _meta: { threadId } })
    return result.structuredContent
  }
})

test('[C55] an agent that says nothing of itself and asks the same again after a crash goes on where it was', {
  timeout: 50_000 + CRASHES * 20_000,
}, async () => {
  const { page, start } = await openWorkshop()
  const agent = await start()
  const { question } = await waiting(agent, page, 'Deploy?')
  let pid = agent.pid
  for (let crash = 0; crash < CRASHES; crash++) {
    process.kill(pid, 'SIGKILL')
    const next = await start()
    pid = next.pid
    const reply = next.call({ text: 'Deploy?' })
    if (crash === CRASHES - 1) {
      await page.answer(question, 'Yes')
      expect(await reply).toEqual({ reply: 'Yes' })
    } else reply.catch(() => {})
  }
  expect(told(page, 'question')).toHaveLength(1)
  expectWhole(page)
})

test('[C55] agents that say nothing of themselves and are both there are two, also with the same question', async () => {
  const { page, start } = await openWorkshop()
  const [one, two] = [await start(), await start()]
  const replies = [one, two].map((agent) => agent.ask('Deploy?'))
  const questions = await page.until(() => told(page, 'question').length === 2 && told(page, 'question'))
  expect(new Set(questions.map(({ conversation }) => conversation)).size).toBe(2)
  for (const { id } of questions) await page.answer(id, 'Yes')
  expect(await Promise.all(replies)).toEqual(['Yes', 'Yes'])
})
