import { expect, test } from 'vitest'
import type { Attachment } from '../../../../src/protocol/entries/attachment.ts'
import { sizeInWords } from '../../../../src/protocol/text/size.ts'
import { ask } from '../../../../test/support/chat.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { startHub } from '../../../../test/support/hub.ts'
import { conversationOf, openPageState } from '../../../../test/support/page-state.ts'
import { uploaded } from '../../../../test/support/uploads.ts'
import { filesIn } from '../../composer/pasted.ts'

async function openConversation() {
  const { url, view } = await startHub()
  await view.say('work', { text: 'Hello' })
  const page = await openPageState(url)
  const conversation = await conversationOf(page, 'work')
  return { url, view, page, conversation }
}

test('[F18] a message that is refused gives its words and its files back', async () => {
  const { url, page, conversation } = await openConversation()
  const there = await uploaded(url, 'Notes', { name: 'notes.md' })
  const gone: Attachment = { hash: '0'.repeat(64), name: 'gone.png', mime: 'image/png', size: 9, width: 1, height: 1 }
  conversation.uploads.giveBack([there, gone])
  conversation.draft = 'Look'
  page.person.sendDraft(conversation)
  expect(conversation.rows.at(-1)).toMatchObject({ text: 'Look', attachments: [there, gone], delivery: 'sending' })
  expect([conversation.draft, conversation.uploads.list]).toEqual(['', []])
  conversation.draft = 'And this'
  await eventually(() => expect(conversation.problem).toContain('Unknown file'))
  expect(conversation.draft).toBe('Look\n\nAnd this')
  expect(conversation.uploads.list.map(({ name }) => name)).toEqual(['notes.md', 'gone.png'])
  const [, lost] = conversation.uploads.list
  if (lost) conversation.uploads.remove(lost)
  page.person.sendDraft(conversation)
  await eventually(() => expect(conversation.pending).toEqual([]))
  expect(conversation.rows.at(-1)).toMatchObject({ text: 'Look\n\nAnd this', attachments: [there] })
})

test('[F16] files alone are a message, and nothing at all is none', async () => {
  const { url, view, page, conversation } = await openConversation()
  const question = await ask(view, { by: 'agent', text: 'Which?' })
  await eventually(() => expect(conversation.question?.id).toBe(question))
  expect(conversation.canSend).toBe(false)
  page.person.sendDraft(conversation)
  expect(conversation.pending).toEqual([])
  conversation.uploads.giveBack([await uploaded(url, 'Notes')])
  expect(conversation.canSend).toBe(true)
  page.person.sendDraft(conversation)
  await eventually(() => expect(conversation.pending).toEqual([]))
  expect((await view.conversation('work')).open).toEqual([])
})

test('[F17] the clipboard of a file manager holds files, that of an office program text', () => {
  const clip = (text: string, ...files: File[]) => filesIn({ files: files as unknown as FileList, getData: () => text })
  const [shot, notes] = [new File(['x'], 'image.png'), new File(['x'], 'notes.md')]
  expect(clip('', shot)).toEqual([shot])
  expect(clip('notes.md', notes)).toEqual([notes])
  expect(clip('/home/ada/notes.md\n/home/ada/image.png\n', notes, shot)).toEqual([notes, shot])
  expect(clip('Cell one\tCell two', shot)).toEqual([])
  expect(clip('short')).toEqual([])
  expect(clip('a\n'.repeat(29))).toEqual([])
  expect(clip('a\r\n'.repeat(30)).map(({ name, type }) => [name, type])).toEqual([['pasted.txt', 'text/plain']])
})

test('[F16] sizes are said as people say them', () => {
  expect([1, 640, 1500, 12_345, 999_499, 3_400_000, 20_971_520].map(sizeInWords)).toEqual([
    '1 byte',
    '640 bytes',
    '1.5 KB',
    '12 KB',
    '999 KB',
    '3.4 MB',
    '21 MB',
  ])
})
