import { expect, test } from 'vitest'
import { areGone, type Proc, processesMarked } from '../../src/io/descendants.ts'
import { MARK } from '../../src/io/mark.ts'
import type { Body, Entry } from '../../src/protocol/entries/entry.ts'
import type { Runner } from '../../src/protocol/frames/driving.ts'
import { temporaryFolder } from '../support/hub.ts'
import { startParley } from '../support/process.ts'
import { connect, type Frame } from '../support/socket.ts'

const RUNNER = 'Demo agent'

test('[C115] the demo offers a runner, and a conversation that is begun with it is driven to its end', async () => {
  const page = await openPage(await startDemo('memory', { PARLEY_DEMO_PACE: '1' }).url)
  await page.offered((runners) => runners[0]?.modes !== undefined)
  const conversation = await page.begin('Hi there')
  expect((await page.told('plan')).body.steps.length).toBeGreaterThan(1)
  const { partials } = (await page.next('partial')) as Frame & { partials: { kind: string }[] }
  // Who is slow is told a thought only when it is whole.
  expect(partials[0]?.kind).toMatch(/^(thinking|message)$/)
  expect((await page.told('thinking')).body.reasoning).toContain('Somebody is here')
  expect(await page.answer()).toContain('“Hi there”')
  const { id, body: question } = await page.told('question')
  expect(question.approval?.changes).toHaveLength(1)
  page.say({ type: 'allow', key: 'o', question: id })
  expect((await page.told('tool_result')).body).toMatchObject({ success: true, changes: question.approval?.changes })
  expect(await page.answer()).toContain('You allowed the change')
  expect(await page.told('turn')).toMatchObject({ conversation, body: { by: RUNNER, outcome: 'ended' } })
})

test('[C116] a driven demo that is stopped ends its turn, and goes on with what is said next', async () => {
  const page = await openPage(await startDemo('memory').url)
  const conversation = await page.begin('Hi there')
  const { id } = await page.told('question')
  page.say({ type: 'interrupt', key: 'stop', conversation })
  expect((await page.told('settlement')).body).toMatchObject({ question: id, outcome: 'withdrawn' })
  expect((await page.told('turn')).body.outcome).toBe('cancelled')
  page.say({ type: 'post', key: 'p', conversation, text: 'And now?' })
  expect(await page.answer()).toContain('“And now?”')
  expect((await page.told('turn')).body.outcome).toBe('ended')
})

test('[C117] SIGTERM ends the demo with its agent, and the hub that was there is told', async () => {
  const data = await temporaryFolder()
  const page = await openPage(await startParley(['serve', '--port', '0', '--data', data]).url)
  const demo = startDemo(data)
  await page.begin('Hi there')
  await page.told('question')
  const agents = agentsOf(demo)
  demo.child.kill('SIGTERM')
  expect((await page.told('turn')).body.outcome).toBe('cancelled')
  await page.offered((runners) => runners.length === 0)
  expect((await demo.ended).code).toBe(0)
  await areGone(agents)
})

test.each([
  ['SIGINT', 0],
  ['SIGKILL', null],
] as const)('[C117] %s ends the demo with its hub and its agent', async (signal, code) => {
  const demo = startDemo(await temporaryFolder())
  const page = await openPage(await demo.url)
  await page.begin('Hi there')
  await page.told('question')
  const agents = agentsOf(demo)
  demo.child.kill(signal)
  expect((await demo.ended).code).toBe(code)
  await areGone(agents)
})

test('[C118] a second demo of a hub leaves the runner to the first', async () => {
  const data = await temporaryFolder()
  const url = await startDemo(data).url
  const page = await openPage(url)
  await page.offered()
  const second = startDemo(data)
  await second.said(/^Nobody can begin .*: another demo offers it already/m)
  await page.begin('Hi there')
  const { id } = await page.told('question')
  page.say({ type: 'deny', key: 'o', question: id })
  expect(await page.answer()).toContain('You said no')
  expect((await page.told('turn')).body.outcome).toBe('ended')
  expect((await openPage(url)).welcome.runners).toHaveLength(1)
  expect(second.child.exitCode).toBeNull()
})

test('[C119] a driven demo that shows a token needs one of an orchestrator, and says so', async () => {
  const tokens = { PARLEY_TOKENS: 'ada:human:one,demo:agent:two,robot:orchestrator:three' }
  const without = startDemo('memory', { ...tokens, PARLEY_TOKEN: 'two' })
  await without.said(/^Nobody can begin .*: This is for orchestrator or admin, and demo is agent/m)
  const url = await startDemo('memory', { ...tokens, PARLEY_TOKEN: 'three' }).url
  const page = await openPage(url, { authorization: 'Bearer one' })
  await page.begin('Hi there')
  expect(await page.answer()).toContain('“Hi there”')
})

test('[C302] the address is in the last line of the start, behind what the hub logs and what the demo says', async () => {
  const told = /^The demo agent is waiting for you/m
  const alone = startDemo('memory')
  const data = await temporaryFolder()
  const first = startDemo(data)
  for (const demo of [alone, first]) await demo.said(told)
  const second = startDemo(data)
  await second.said(told)
  for (const demo of [alone, second]) demo.child.kill('SIGTERM')
  const [before, after] = partsOf((await alone.ended).stderr)
  expect(before).toContain('"tool":"set_title"')
  expect(after).not.toContain('"tool":"set_title"')
  const [said, nothing] = partsOf((await second.ended).stderr)
  expect(said).toContain('another demo offers it already')
  expect(nothing).toBe('')
})

/** What was printed before the line with the address, and after it. */
function partsOf(printed: string): string[] {
  return printed.split(/^The demo agent is waiting for you: open http:\/\/localhost:\d+\n/m)
}

/** One that does not wait for anybody to follow it. */
function startDemo(data: string, env: Record<string, string> = {}) {
  return startParley(['demo', '--data', data], { PARLEY_DEMO_PACE: '0', ...env })
}

/** A page, and what it is told of conversations with the runner, in order. */
async function openPage(url: string, headers?: Record<string, string>) {
  const { say, any } = await connect(url, '/ws?dialect=timeline', undefined, headers)
  const kept: Frame[] = []
  say({ type: 'hello' })
  const welcome = await next('welcome')
  let { runners } = welcome
  const entries: Entry[] = []
  return { welcome, say, next, offered, begin, told, answer }

  /** The next of its type; others are kept, because they come in any order. */
  async function next(type: string): Promise<Frame> {
    for (;;) {
      const place = kept.findIndex((frame) => frame.type === type)
      if (place !== -1) return kept.splice(place, 1)[0] as Frame
      kept.push(await any(type))
    }
  }

  async function offered(isSo = (now: Runner[]) => now.length > 0) {
    while (!isSo(runners as Runner[])) ({ runners } = await next('runners'))
  }

  async function begin(text: string): Promise<string> {
    await offered()
    say({ type: 'start', key: 'start', runner: RUNNER, text })
    return String((await next('started')).conversation)
  }

  /** The next of its kind. */
  async function told<Kind extends Body['kind']>(kind: Kind) {
    for (;;) {
      while (entries.length === 0) entries.push(...((await next('entries')).entries as Entry[]))
      const entry = entries.shift()
      if (entry?.body.kind === kind && entry.conversation.startsWith(RUNNER))
        return { ...entry, body: entry.body as Extract<Body, { kind: Kind }> }
    }
  }

  /** The next words of the agent. */
  async function answer(): Promise<string> {
    for (;;) {
      const { body } = await told('message')
      if (body.author === 'assistant') return body.text
    }
  }
}

/** Those of the conversation that it drives, and of its trial, if that is not over. */
function agentsOf({ child }: ReturnType<typeof startParley>): Proc[] {
  const marked = processesMarked(MARK).filter(({ value }) => value.startsWith(`${child.pid}.`))
  if (process.platform === 'linux') expect(marked).not.toEqual([])
  return marked.map(({ proc }) => proc)
}
