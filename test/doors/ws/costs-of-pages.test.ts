import { Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Entry } from '../../../src/protocol/entries/entry.ts'
import { forever, nextQuestion, reached } from '../../support/chat.ts'
import { startHub } from '../../support/hub.ts'
import { type Client, connectPage, type Frame } from '../../support/socket.ts'

const PAGES = 3

/** A hub with pages and an agent in one process, which counts what the pages cost. */
async function openHall() {
  const { view, url, port } = await startHub()
  const pages = await Promise.all(Array.from({ length: PAGES }, () => connectPage(url)))
  const agent = () => reached(view.agentSession({ conversation: 'work', title: 'Work' }))
  const first = agent()
  await first.tell({ kind: 'progress', by: 'agent', text: 'Here' })
  await Promise.all(pages.map((page) => told(page, ({ body }) => body.kind === 'progress')))
  const count = { serialised: 0, writes: 0, bytes: 0 }
  const { stringify } = JSON
  vi.spyOn(JSON, 'stringify').mockImplementation((...args: Parameters<typeof stringify>) => {
    if (['entries', 'agent'].includes(args[0]?.type)) count.serialised++
    return stringify(...args)
  })
  const { write } = Socket.prototype
  vi.spyOn(Socket.prototype, 'write').mockImplementation(function (this: Socket, ...args) {
    if (this.localPort === port) {
      count.writes++
      count.bytes += (args[0] as Buffer).length
    }
    return write.apply(this, args)
  })
  onTestFinished(() => void vi.restoreAllMocks())
  return { view, agent, first, during }

  /** What all pages are told up to an entry, and what that costs: it is the same for each of them. */
  async function during(act: () => unknown, isLast: (entry: Entry) => boolean) {
    Object.assign(count, { serialised: 0, writes: 0, bytes: 0 })
    const heard = Promise.all(pages.map((page) => told(page, isLast)))
    void act()
    const [one = [], ...others] = await heard
    for (const other of others) expect(other).toEqual(one)
    const { serialised, writes, bytes } = count
    return { frames: one.map(kindsIn), serialised, writes: writes / PAGES, bytes: bytes / PAGES }
  }
}

async function told(page: Client, isLast: (entry: Entry) => boolean): Promise<Frame[]> {
  const frames: Frame[] = []
  for (;;) {
    const frame = await page.any()
    frames.push(frame)
    if (frame.type === 'entries' && (frame.entries as Entry[]).some(isLast)) return frames
  }
}

function kindsIn(frame: Frame): string {
  return frame.type === 'entries' ? (frame.entries as Entry[]).map(({ body }) => body.kind).join(' ') : frame.type
}

const isOf = (kind: Entry['body']['kind']) => (entry: Entry) => entry.body.kind === kind
const HALF_DONE = { kind: 'progress', by: 'agent', text: 'Half done' } as const
const GO_ON = [{ by: 'agent', text: 'Go on?' }]

test('[M97] what happens is serialised once for all pages, and leaves for each of them in one write', async () => {
  const { view, first, during } = await openHall()
  const posted = await during(() => first.tell(HALF_DONE), isOf('progress'))
  expect(posted).toMatchObject({ frames: ['progress'], serialised: 1, writes: 1, bytes: 205 })
  const asked = await during(() => first.ask(GO_ON, forever), isOf('question'))
  expect(asked).toMatchObject({ frames: ['agent', 'question'], serialised: 2, writes: 1, bytes: 401 })
  const question = await nextQuestion(view)
  const answered = await during(() => view.answer(question, 'Yes'), isOf('receipt'))
  expect(answered).toMatchObject({ frames: ['agent', 'settlement', 'receipt'], serialised: 3, writes: 2, bytes: 535 })
})

test('[M99] receipts that come together are one frame, and one that a post proves is in its frame', async () => {
  const { view, agent, first, during } = await openHall()
  const other = agent()
  await during(() => view.say('work', { text: 'Hello' }), isOf('message'))
  const delivered = await during(() => Promise.all([first.messages(), other.messages()]), isOf('receipt'))
  expect(delivered).toMatchObject({ frames: ['receipt receipt'], serialised: 1, writes: 1 })
  const posted = await during(() => first.tell(HALF_DONE), isOf('progress'))
  expect(posted).toMatchObject({ frames: ['receipt progress'], serialised: 1, writes: 1 })
})
