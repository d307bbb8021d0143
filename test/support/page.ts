/// <reference types="svelte" />
import { expect, onTestFailed, onTestFinished } from 'vitest'
import type { Attachment } from '../../src/protocol/entries/attachment.ts'
import { BEFORE_ALL, type Entry } from '../../src/protocol/entries/entry.ts'
import type { TimelineFrame } from '../../src/protocol/frames/timeline.ts'
import { newKey } from '../../web/src/state/hub/key.ts'
import { Link, type Request } from '../../web/src/state/hub/link.svelte.ts'
import type { Agent } from './agent.ts'

export type Page = ReturnType<typeof openPage>

type Command<Type extends Request['type']> = Omit<Extract<Request, { type: Type }>, 'key' | 'type'>

/** The page's own link, which comes back by itself and resumes, and everything it was told, in order. */
export function openPage(url: string) {
  const entries: Entry[] = []
  /** Whether each greeting went on from what the page had. */
  const resumed: boolean[] = []
  const agents = new Map<string, string>()
  const answers = new Map<string, TimelineFrame>()
  const listeners = new Set<() => void>()
  const started = Promise.withResolvers<void>()
  let cursor: string | undefined = BEFORE_ALL
  const link = new Link({
    url: `${url.replace('http', 'ws')}/ws?dialect=timeline`,
    hello: () => ({ type: 'hello', cursor }),
    receive,
  })
  onTestFinished(() => link.close())
  onTestFailed(() => console.error(soFar()))
  link.open()
  return {
    entries,
    agents,
    resumed,
    started: started.promise,
    answer,
    post,
    interrupt,
    command,
    allow: (question: string) => command('allow', { question }),
    until,
    onChange,
    leave: () => link.close(),
  }

  function receive(frame: TimelineFrame) {
    if (frame.type === 'welcome') {
      resumed.push(frame.resumed)
      agents.clear()
      for (const [conversation, { state }] of Object.entries(frame.agents)) agents.set(conversation, state)
      started.resolve()
    }
    if (frame.type === 'agent') agents.set(frame.conversation, frame.state)
    if (frame.type === 'entries') {
      entries.push(...frame.entries)
      cursor = entries.at(-1)?.id
    }
    if ((frame.type === 'accepted' || frame.type === 'refused') && frame.key) answers.set(frame.key, frame)
    for (const listener of [...listeners]) listener()
  }

  function answer(question: string, text: string, attachments?: Attachment[]) {
    return command('answer', { question, text, attachments })
  }

  function post(conversation: string, text: string) {
    return command('post', { conversation, text })
  }

  function interrupt(conversation: string, text: string) {
    return command('interrupt', { conversation, text })
  }

  /** Resolves with what the hub said to it, over however many connections that took. */
  async function command<Type extends Request['type']>(type: Type, more: Command<Type>): Promise<TimelineFrame> {
    const key = newKey()
    link.send({ type, key, ...more } as Request)
    return until(() => answers.get(key))
  }

  /** Looks again whenever the hub has said something. */
  function until<Found>(look: () => Found | undefined | false): Promise<Found> {
    return new Promise((resolve) => {
      const tryIt = () => {
        const found = look()
        if (found === undefined || found === false) return
        listeners.delete(tryIt)
        resolve(found)
      }
      listeners.add(tryIt)
      tryIt()
    })
  }

  /** What a person would have seen when a test failed. */
  function soFar(): string {
    const last = entries.slice(-10).map(({ conversation, body }) => `${conversation}: ${JSON.stringify(body)}`)
    return [`The page is ${link.status}. Its last entries:`, ...last].join('\n')
  }

  function onChange(listener: () => void) {
    listeners.add(listener)
    listener()
  }
}

/** The question of this text, once it is asked. */
export async function questionOf(page: Page, text: string): Promise<string> {
  const found = await page.until(() => page.entries.find(({ body }) => body.kind === 'question' && body.text === text))
  return found.id
}

/** An agent asks; done when the question is on the page. */
export async function waiting(agent: Pick<Agent, 'call'>, page: Page, text: string) {
  const reply = agent.call({ text })
  // Who waits for it later must not be too late to hear that it failed.
  reply.catch(() => {})
  return { reply, question: await questionOf(page, text) }
}

/** What the page was told of one kind, in order. */
export function told<Kind extends Entry['body']['kind']>({ entries }: Page, kind: Kind) {
  return entries.flatMap(({ id, conversation, body }) =>
    body.kind === kind ? [{ id, conversation, ...(body as Extract<Entry['body'], { kind: Kind }>) }] : [],
  )
}

/** Nothing came twice or out of order, and after each loss the page only went on. */
export function expectWhole({ entries, resumed }: Page) {
  const ids = entries.map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)].toSorted())
  expect(resumed.every(Boolean)).toBe(true)
}

/** A person who answers each question once, a moment after it came. */
export function answerAll(page: Page, reply: (text: string, id: string) => string | undefined) {
  const seen = new Set<string>()
  page.onChange(() => {
    for (const { id, body } of page.entries) {
      if (body.kind !== 'question' || seen.has(id)) continue
      seen.add(id)
      const text = reply(body.text, id)
      if (text !== undefined) void page.answer(id, text)
    }
  })
}
