import { expect, test } from 'vitest'
import { Name } from '../../protocol/text/text.ts'
import { conversationOfRun, isNamedAfter, newConversationName } from './conversation-name.ts'

test('[M39] a run of an agent has one conversation, and no two runs have the same', () => {
  const name = conversationOfRun('shop', 'run 1')
  expect(name).toMatch(/^shop-[0-9a-f]{8}$/)
  expect(conversationOfRun('shop', 'run 1')).toBe(name)
  expect(conversationOfRun('shop', 'run 2')).not.toBe(name)
  expect(conversationOfRun('blog', 'run 1')).not.toBe(name)
  expect(newConversationName('shop')).not.toBe(newConversationName('shop'))
})

test('[M39] the longest title still leaves a name', () => {
  const title = `${'x'.repeat(189)}😀${'x'.repeat(9)}`
  expect(Name.parse(title)).toBe(title)
  for (const name of [conversationOfRun(title, 'run 1'), newConversationName(title)]) {
    expect(Name.parse(name)).toBe(name)
    expect(name.isWellFormed()).toBe(true)
    expect(isNamedAfter(title, name)).toBe(true)
  }
})

test('[M44] a name that somebody chose is named after nothing', () => {
  expect(isNamedAfter('shop', newConversationName('shop'))).toBe(true)
  for (const name of ['shop', 'shop-2', 'work', newConversationName('shop-2'), newConversationName('workshop')])
    expect(isNamedAfter('shop', name)).toBe(false)
})
