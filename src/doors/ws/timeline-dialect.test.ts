import { expect, test } from 'vitest'
import { openTestChat, until } from '../../../test/support/chat.ts'
import type { TimelineFrame } from '../../protocol/frames/timeline.ts'
import { speakTimeline } from './timeline-dialect.ts'

test('[W15] what an agent does between the welcome and the first news is told', async () => {
  const { view } = openTestChat()
  await view.say('work', { text: 'Hello' })
  await view.say('other', { text: 'Hello' })
  const leaving = view.agentSession({ conversation: 'other', title: 'Other' })
  const reading = Promise.withResolvers<void>()
  const frames: TimelineFrame[] = []
  // The page of the shown conversation comes after the welcome and before the news, and takes its time.
  const slow = {
    ...view,
    page: (...args: Parameters<typeof view.page>) => reading.promise.then(() => view.page(...args)),
  }
  const speaker = speakTimeline({
    view: slow,
    composer: 'always',
    send: (frame) => void frames.push(JSON.parse(String(frame))),
    sendSoon: (frame) => void frames.push(JSON.parse(String(frame))),
    behind: () => undefined,
    fail(error) {
      throw error
    },
  })
  const greeting = speaker.receive(JSON.stringify({ type: 'hello', conversation: 'work' }))
  await until(() => frames.length > 0)
  expect(frames[0]).toMatchObject({ type: 'welcome', agents: { other: { state: 'idle' } } })
  view.agentSession({ conversation: 'work', title: 'Work' })
  leaving.close()
  reading.resolve()
  await greeting
  const told = frames.filter(({ type }) => type === 'agent')
  expect(told).toEqual([
    { type: 'agent', conversation: 'other', state: 'gone', seen: expect.any(Number) },
    { type: 'agent', conversation: 'work', state: 'idle', seen: expect.any(Number) },
  ])
  speaker.close()
})
