import { expect, test } from 'vitest'
import { SOAK } from '../log/contract/place.ts'
import { agentOverStdio, type Era } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { answerAll, expectWhole, openPage, type Page, told } from '../support/page.ts'

const KILLS = SOAK > 1 ? 30 : 2
const AGENTS: [name: string, Era][] = [
  ['ann', 'modern'],
  ['bob', 'legacy'],
  ['cy', 'modern'],
]

test('[C40] [C41] the hub is killed again and again under traffic: nothing is lost or doubled, and its agents live on', {
  timeout: 60_000 + KILLS * 30_000,
}, async () => {
  const data = await temporaryFolder()
  const agents = await Promise.all(
    AGENTS.map(([name, era]) => openBusyAgent(name, era, { PARLEY_DATA: data, PARLEY_SESSION: name })),
  )
  const page = openPage(agents[0]?.url ?? '')
  answerAll(page, (text) => `re: ${text}`)
  const posting = AGENTS.map(([name]) => keepPosting(page, name, () => agents.every(({ isDone }) => isDone())))

  const killed: number[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    await everyoneGetsOn()
    const { pid } = hubOf(data)
    expect(killed).not.toContain(pid)
    killed.push(pid)
    process.kill(pid, 'SIGKILL')
  }
  await everyoneGetsOn()
  for (const agent of agents) agent.finish()
  const posted = await Promise.all(posting)
  const had = await Promise.all(agents.map(({ lastCalls }) => lastCalls()))

  for (const [n, { asked, replies, earlier }] of had.entries()) {
    expect(replies).toEqual(asked.map((text) => `re: ${text}`))
    // What was said meanwhile came along with some call, once and in order, and nothing that was an answer did.
    expect(earlier).toEqual(posted[n])
  }
  const asked = had.flatMap(({ asked }) => asked).toSorted()
  await page.until(() => told(page, 'settlement').length >= asked.length)
  expect(texts(page)).toEqual(asked)
  expect(
    told(page, 'settlement')
      .map(({ reply }) => reply)
      .toSorted(),
  ).toEqual(asked.map((text) => `re: ${text}`).toSorted())
  expect(told(page, 'message').map(({ text }) => text)).toHaveLength(posted.flat().length)
  expectWhole(page)
  expect(page.resumed.length).toBeGreaterThan(KILLS)

  /** Each agent has asked and got a reply since now, over the hub of now. */
  async function everyoneGetsOn() {
    await Promise.all(agents.map(({ replyAfterNext }) => replyAfterNext()))
  }
})

function texts(page: Page): string[] {
  return told(page, 'question')
    .map(({ text }) => text)
    .toSorted()
}

/** An agent that asks one thing after the other, over one line. */
async function openBusyAgent(name: string, era: Era, env: Record<string, string>) {
  const asked: string[] = []
  const replies: string[] = []
  const earlier: string[] = []
  const listeners = new Set<() => void>()
  let done = false
  const agent = await agentOverStdio({ era, env })
  const url = (await agent.url) ?? ''
  const working = work()
  return { url, isDone: () => done, replyAfterNext, finish, lastCalls }

  async function work() {
    while (!done) await ask()
  }

  async function ask() {
    const text = `${name} ${asked.length}`
    asked.push(text)
    const { reply, earlier_messages = [] } = await agent.call({ text })
    replies.push(reply)
    earlier.push(...earlier_messages.map(({ text }) => text))
    for (const listener of [...listeners]) listener()
  }

  /** The next one may have been on its way already; the one after it is new from beginning to end. */
  function replyAfterNext(): Promise<void> {
    const enough = replies.length + 2
    return new Promise((resolve) => {
      const check = () => {
        if (replies.length < enough) return
        listeners.delete(check)
        resolve()
      }
      listeners.add(check)
    })
  }

  function finish() {
    done = true
  }

  /** Until nothing more comes along of what was said. */
  async function lastCalls() {
    await working
    for (let had = -1; had < earlier.length; await ask()) had = earlier.length
    return { asked, replies, earlier }
  }
}

/** A person who talks all the time; the texts that the hub accepted, in their order. */
async function keepPosting(page: Page, conversation: string, isDone: () => boolean): Promise<string[]> {
  const posted: string[] = []
  while (!isDone()) {
    const text = `message ${posted.length} to ${conversation}`
    const answer = await page.post(conversation, text)
    expect(answer.type).toBe('accepted')
    posted.push(text)
  }
  return posted
}
