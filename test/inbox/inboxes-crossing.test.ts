import { expect, test } from 'vitest'
import { newLog, openTestChat } from '../support/chat.ts'

const VISITOR = { id: 'robot', name: 'robot', role: 'admin' } as const
const HOME = { conversation: 'mine', isNamed: false } as const

test('[I27] a message to a visit is not lost while the common conversation is read and goes on', async () => {
  const log = newLog()
  let pages = 0
  let between: (() => Promise<unknown>) | undefined
  const held = {
    ...log,
    async read(page: Parameters<typeof log.read>[0]) {
      if (between && page.conversation === 'chat' && page.after !== undefined && ++pages === 2) {
        const now = between
        between = undefined
        await now()
      }
      return log.read(page)
    },
  }
  const { chat, view } = openTestChat({ log: held })
  const visitor = chat.as({ ...VISITOR, home: HOME })
  await view.say('mine', { text: 'hello' })
  for (let n = 0; n < 100; n++) await view.say('chat', { text: `news ${n}` })
  between = async () => {
    await view.say('mine', { text: 'for you alone' })
    await view.say('chat', { text: 'more news' })
  }
  const got: unknown[] = []
  for (let more = true; more; ) {
    const page = await visitor.inbox.readAndAdvance(undefined)
    got.push(...page.messages.map(({ content }) => content))
    more = page.has_more
  }
  const rest = await visitor.inbox.readAndAdvance(undefined)
  got.push(...rest.messages.map(({ content }) => content))
  expect(pages).toBeGreaterThanOrEqual(2)
  expect(got).toContain('more news')
  expect(got).toContain('for you alone')
})

test('[I27] nor is it after the newest of both were read', async () => {
  const log = newLog()
  let between: (() => Promise<unknown>) | undefined
  const held = {
    ...log,
    async read(page: Parameters<typeof log.read>[0]) {
      const now = page.conversation === 'chat' && page.after === undefined ? between : undefined
      if (now) between = undefined
      await now?.()
      return log.read(page)
    },
  }
  const { chat, view } = openTestChat({ log: held })
  const visitor = chat.as({ ...VISITOR, home: HOME })
  await view.say('mine', { text: 'hello' })
  await view.say('chat', { text: 'news' })
  between = async () => {
    await view.say('mine', { text: 'for you alone' })
    await view.say('chat', { text: 'more news' })
  }
  const { messages, last_id } = await visitor.inbox.newest()
  const rest = await visitor.inbox.readSince(undefined, last_id)
  expect(between).toBeUndefined()
  const all = [...messages, ...rest.messages].map(({ content }) => content)
  expect(all).toEqual(['hello', 'news', 'for you alone', 'more news'])
})
