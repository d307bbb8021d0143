import { expect, test } from 'vitest'
import { emptyConversation } from '../../../../src/protocol/entries/fold.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { canMount, smallDisk } from '../../../../test/support/faults/small-disk.ts'
import { startHub } from '../../../../test/support/hub.ts'
import { conversationOf, openPageState } from '../../../../test/support/page-state.ts'
import { Conversation } from '../conversation/conversation.svelte.ts'
import { Notices } from './notices.svelte.ts'

test.skipIf(!canMount)(
  '[U242] what a full disk refused says so until there is room, and what was written stays',
  async () => {
    const disk = await smallDisk()
    const { url, view } = await startHub(disk.data)
    await view.say('work', { text: 'Hello' })
    const page = await openPageState(url)
    const conversation = await conversationOf(page, 'work')
    disk.fill()
    page.person.say(conversation, 'Go on')
    await eventually(() => expect(conversation.problem).toMatch(/^The disk is full/))
    await eventually(() => expect(page.notices.trouble).toBe(conversation.problem))
    disk.empty()
    await eventually(() => expect([page.notices.trouble, conversation.problem]).toEqual([undefined, undefined]))
    expect(conversation.draft).toBe('Go on')
  },
)

test('[U242] a refusal goes with the trouble it was for, whose words may change; any other stays', () => {
  const notices = new Notices()
  const [refused, other, none] = ['a', 'b', 'c'].map((id) => new Conversation(emptyConversation(id))) as [
    Conversation,
    Conversation,
    Conversation,
  ]
  const conversations = [refused, other, none]
  const problems = () => conversations.map(({ problem }) => problem)
  refused.refuse(undefined, 'The disk cannot be written')
  other.refuse(undefined, 'This question already has its answer')
  notices.take({ type: 'trouble', reason: 'The disk cannot be written' }, conversations)
  notices.take({ type: 'trouble', reason: 'The disk is full' }, conversations)
  expect(problems()).toEqual(['The disk is full', 'This question already has its answer', undefined])
  notices.take({ type: 'trouble' }, conversations)
  expect(problems()).toEqual([undefined, 'This question already has its answer', undefined])
})
