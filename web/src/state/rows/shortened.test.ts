import { expect, onTestFinished, test } from 'vitest'
import { BEFORE_ALL, type Entry } from '../../../../src/protocol/entries/entry.ts'
import { emptyConversation, type OpenQuestion } from '../../../../src/protocol/entries/fold.ts'
import { startDoor } from '../../../../test/support/door.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { idOf } from '../../../../test/support/ids.ts'
import { Hub } from '../hub/hub.svelte.ts'

test('[S68] a question that came shortened is whole once its entry was read, and stays so', async () => {
  const door = await startDoor()
  const page = new Hub({ url: door.url, wait: () => 60_000 })
  onTestFinished(() => page.link.close())
  page.link.open()
  const hub = await door.visit(1)
  const approval = { tool_name: 'Write', input: '' }
  const open: OpenQuestion[] = [{ id: idOf(1), at: 1, by: 'claude', text: 'Write it', approval, shortened: true }]
  const work = { ...emptyConversation('work'), last: idOf(3), open }
  const desk = { since: idOf(3), marks: {}, replies: [] }
  const conversations = [work]
  hub.say({ type: 'welcome', cursor: BEFORE_ALL, resumed: false, conversations, has_more: false, agents: {}, desk })
  await eventually(() => expect(page.roster.get('work')?.question?.shortened).toBe(true))
  const input = '{"path":"a.txt"}'
  const body = { kind: 'question', by: 'claude', text: 'Write it?', approval: { tool_name: 'Write', input } }
  const entries = [{ id: idOf(1), conversation: 'work', at: 1, body }] as Entry[]
  hub.say({ type: 'page', key: 'whole', conversation: work, entries, has_older: false, has_newer: true })
  await eventually(() => expect(page.roster.get('work')?.question?.approval?.input).toBe(input))
  expect(page.roster.get('work')?.question?.shortened).toBeUndefined()
  hub.say({ type: 'page', conversation: work, entries: [], has_older: false, has_newer: false })
  hub.say({ type: 'agent', conversation: 'work', state: 'working', seen: 0 })
  await eventually(() => expect(page.roster.get('work')?.agent).toBe('working'))
  expect(page.roster.get('work')?.question?.approval?.input).toBe(input)
})
