import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { SOAK } from '../log/contract/place.ts'
import { agentOverHttp, agentOverStdio, type Era } from '../support/agent.ts'
import { nextQuestion, until } from '../support/chat.ts'
import { erasOf } from '../support/eras.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { openPage, questionOf } from '../support/page.ts'

const BEAT_MS = 10_000
const NAMES = ['claude-code', 'opencode', 'copilot-cli']
/** Each with a client that is known to honour progress, and with all of them in a soak. */
const doors: ['stdio' | 'HTTP', Era, string[]][] = [
  ['stdio', 'legacy', namesOf(0)],
  ['stdio', 'modern', namesOf(1)],
  ['HTTP', 'legacy', namesOf(2)],
  ['HTTP', 'modern', namesOf(0)],
]

function namesOf(place: number): string[] {
  return SOAK > 1 ? NAMES : NAMES.slice(place, place + 1)
}

/** A client of this name that waits for a reply, as patient with a silent call as most of them are. */
async function waiting(door: 'stdio' | 'HTTP', era: Era, name: string, env: Record<string, string> = {}) {
  const data = await temporaryFolder()
  const { url, view } = await startHubWithSocket(data)
  const own = { ...env, PARLEY_DATA: data, PARLEY_SESSION: 'work' }
  const agent = await (door === 'stdio' ? agentOverStdio({ era, name, env: own }) : agentOverHttp(url, { era, name }))
  const beats: number[] = []
  const stop = new AbortController()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const call = agent.client.callTool(
    { name: 'send_message', arguments: { text: 'Deploy now?' } },
    {
      timeout: 60_000,
      resetTimeoutOnProgress: true,
      signal: stop.signal,
      onprogress: ({ progress }) => void beats.push(progress),
    },
  )
  call.catch(() => {})
  await until(() => beats.length === 1)
  return { view, call, beats, stop, question: await nextQuestion(view), pass }

  /** Time, with everything that is said meanwhile. */
  async function pass(ms: number) {
    for (let passed = 0; passed < ms; passed += BEAT_MS) {
      const before = beats.length
      vi.advanceTimersByTime(BEAT_MS)
      await until(() => beats.length > before)
    }
  }
}

describe.each(doors)('over %s, %s era', (door, era, names) => {
  test.each(names)(
    '[M45] %s hears at once and every 10 s that its call is alive, and waits for the reply',
    async (name) => {
      const { view, call, beats, question, pass } = await waiting(door, era, name)
      await pass(30 * 60_000)
      expect(beats).toEqual(Array.from({ length: 181 }, (_, n) => n * 10))
      await view.answer(question, 'Yes')
      expect((await call).structuredContent).toEqual({ reply: 'Yes' })
    },
  )

  test('[M46] a client that is not known comes back after 50 s, whatever it asked for', async () => {
    const { call, beats, question, pass } = await waiting(door, era, 'somebody')
    await pass(40_000)
    vi.advanceTimersByTime(BEAT_MS)
    expect((await call).structuredContent).toMatchObject({ status: 'pending', question_id: question })
    expect(beats.slice(0, 5)).toEqual([0, 10, 20, 30, 40])
  })

  test('[M46] a client that waits with progress and breaks off leaves its question open', async () => {
    const { view, call, question, stop, pass } = await waiting(door, era, 'claude-code')
    await pass(60_000)
    stop.abort()
    await expect(call).rejects.toThrow()
    await until(() => view.agentState('work') !== 'waiting')
    expect((await view.conversation('work')).open).toMatchObject([{ id: question }])
  })
})

test.each(erasOf('legacy'))('[M47] PARLEY_MAX_WAIT takes waiting with progress away (%s)', async (era) => {
  const { call, question, pass } = await waiting('stdio', era, 'claude-code', { PARLEY_MAX_WAIT: '50' })
  await pass(40_000)
  vi.advanceTimersByTime(BEAT_MS)
  expect((await call).structuredContent).toMatchObject({ status: 'pending', question_id: question })
})

test.each(erasOf('modern'))('[M70] progress goes on where it was when the hub is killed (%s)', async (era) => {
  const data = await temporaryFolder()
  const agent = await agentOverStdio({ era, name: 'claude-code', env: { PARLEY_DATA: data, PARLEY_SESSION: 'work' } })
  const page = openPage((await agent.url) ?? '')
  const beats: number[] = []
  const onprogress = ({ progress }: { progress: number }) => void beats.push(progress)
  const options = { onprogress, resetTimeoutOnProgress: true }
  const call = agent.client.callTool({ name: 'send_message', arguments: { text: 'Deploy?' } }, options)
  const question = await questionOf(page, 'Deploy?')
  for (const heard of [1, 2, 3]) {
    await until(() => beats.length === heard)
    if (heard < 3) process.kill(hubOf(data).pid, 'SIGKILL')
  }
  expect(beats[0]).toBe(0)
  expect(beats).toEqual([...new Set(beats)].toSorted((a, b) => a - b))
  await page.answer(question, 'Yes')
  expect((await call).structuredContent).toEqual({ reply: 'Yes' })
})
