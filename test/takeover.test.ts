import { expect, test } from 'vitest'
import { readCard } from '../src/join/hub-card.ts'
import { SOAK } from '../src/log/contract/place.ts'
import { agentOverStdio, type Era } from './support/agent.ts'
import { temporaryFolder } from './support/hub.ts'
import { answerAll, openPage, type Page } from './support/page.ts'
import { freePort } from './support/process.ts'

const KILLS = SOAK > 1 ? 10 : 3
const AGENTS: [name: string, Era][] = [
  ['ann', 'modern'],
  ['bob', 'legacy'],
  ['cy', 'modern'],
]

test(`[C40] the hub of three processes is killed again and again under traffic, and nothing is lost or doubled`, {
  timeout: KILLS * 30_000,
}, async () => {
  const data = await temporaryFolder()
  const PORT = `${await freePort()}`
  const agents = AGENTS.map(([name, era]) =>
    openBusyAgent(name, era, { PORT, PARLEY_DATA: data, PARLEY_SESSION: name }),
  )
  const page = openPage(`http://localhost:${PORT}`)
  answerAll(page, (text) => `re: ${text}`)
  const posting = keepPosting(page, () => agents.every(({ isDone }) => isDone()))

  const killed: number[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    await everyoneGetsOn()
    const owner = readCard(data)?.pid ?? 0
    expect(agents.map(({ pid }) => pid())).toContain(owner)
    expect(killed).not.toContain(owner)
    killed.push(owner)
    process.kill(owner, 'SIGKILL')
  }
  await everyoneGetsOn()
  const told = await Promise.all(agents.map(({ finish }) => finish()))
  const posted = await posting

  for (const { asked, replies } of told) expect(replies).toEqual(asked.map((text) => `re: ${text}`))
  const asked = told.flatMap(({ asked }) => asked)
  await page.until(() => of(page, 'settlement').length >= asked.length)
  expect(
    of(page, 'question')
      .map(({ text }) => text)
      .toSorted(),
  ).toEqual(asked.toSorted())
  expect(
    of(page, 'settlement')
      .map(({ reply }) => reply)
      .toSorted(),
  ).toEqual(asked.map((text) => `re: ${text}`).toSorted())
  expect(of(page, 'message').map(({ text }) => text)).toEqual(posted)
  const ids = page.entries.map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)].toSorted())
  // The page never had to start anew.
  expect(page.resumed.every(Boolean)).toBe(true)
  expect(page.resumed.length).toBeGreaterThan(KILLS)

  /** Each agent has asked and got a reply since now, over the hub of now. */
  async function everyoneGetsOn() {
    await Promise.all(agents.map(({ replyAfterNext }) => replyAfterNext()))
  }
})

/** An agent that asks one thing after the other. When its process dies the next one asks the same again. */
function openBusyAgent(name: string, era: Era, env: Record<string, string>) {
  const asked: string[] = []
  const replies: string[] = []
  const listeners = new Set<() => void>()
  let pid = 0
  let done = false
  const working = work()
  return { pid: () => pid, isDone: () => done, replyAfterNext, finish }

  async function work() {
    let agent = await start()
    while (!done) {
      const text = `${name} ${asked.length}`
      asked.push(text)
      for (;;) {
        try {
          replies.push(await agent.ask(text))
          break
        } catch (error) {
          expect(String(error)).toContain('Connection closed')
          agent = await start()
        }
      }
      for (const listener of [...listeners]) listener()
    }
  }

  async function start() {
    const agent = await agentOverStdio({ era, env })
    pid = agent.pid
    return agent
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

  async function finish() {
    done = true
    await working
    return { asked, replies }
  }
}

/** A person who talks all the time; the texts that the hub accepted, in their order. */
async function keepPosting(page: Page, isDone: () => boolean): Promise<string[]> {
  const posted: string[] = []
  while (!isDone()) {
    const text = `message ${posted.length}`
    const answer = await page.post('aside', text)
    expect(answer.type).toBe('accepted')
    posted.push(text)
  }
  return posted
}

function of<Kind extends 'question' | 'settlement' | 'message'>({ entries }: Page, kind: Kind) {
  return entries.map(({ body }) => body).filter((body) => body.kind === kind) as Extract<
    Page['entries'][number]['body'],
    { kind: Kind }
  >[]
}
