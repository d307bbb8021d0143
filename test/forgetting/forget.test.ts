import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BEFORE_ALL } from '../../src/protocol/entries/entry.ts'
import { TimelineFrame } from '../../src/protocol/frames/timeline.ts'
import { agentOverHttp } from '../support/agent.ts'
import { ask, forever, nextQuestion, person, reached } from '../support/chat.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { connectPage } from '../support/socket.ts'
import { uploaded } from '../support/uploads.ts'

const SECRET = 'zqjxkvword'

test('[S30] people and administrators can forget what they may see; an agent never can, and changes nothing', async () => {
  const { chat, view, url } = await startHub()
  for (const name of ['work', 'home']) await view.say(name, { text: 'Hello' })
  for (const role of ['agent', 'orchestrator'] as const)
    await expect(chat.as({ id: role, name: role, role }).forget('work')).rejects.toMatchObject({
      code: 'forbidden_role',
    })
  const bound = chat.as({ id: 'ada', name: 'ada', role: 'human', conversation: 'home' })
  await expect(bound.forget('work')).rejects.toMatchObject({ code: 'unknown_conversation' })
  await expect(view.forget('none')).rejects.toMatchObject({ code: 'unknown_conversation' })
  expect((await view.conversations({ limit: 9 })).map(({ id }) => id)).toEqual(['home', 'work'])
  // No tool of an agent does it either.
  const agent = await agentOverHttp(url)
  expect(
    (await agent.client.listTools()).tools.map(({ name }) => name).filter((name) => /forget|delete/.test(name)),
  ).toEqual([])
  await person(chat, 'ada').forget('work')
  await bound.forget('home')
  expect(await view.conversations({ limit: 9 })).toEqual([])
})

test('[S31] nothing of it is left: not its words in the log, not its files, not its questions, nor how far anyone had read it', async () => {
  const data = await temporaryFolder()
  const { view, chat, url, close } = await startHub(data)
  const file = await uploaded(url, `${SECRET} in a file`, { name: `${SECRET}.txt` })
  await view.say(SECRET, { text: SECRET, attachments: [file] })
  await ask(view, { by: 'agent', text: `${SECRET}?` }, SECRET)
  await view.rename(SECRET, `${SECRET} title`)
  await view.inbox.readAndAdvance(SECRET)
  await view.say('work', { text: 'Hello' })
  await view.forget(SECRET)
  expect(chat.openQuestions()).toBe(0)
  expect((await view.conversations({ limit: 9 })).map(({ id }) => id)).toEqual(['work'])
  expect((await view.search({ query: SECRET, limit: 9 })).hits).toEqual([])
  await chat.erased()
  expect(filesWith(data, SECRET)).toEqual([])
  await close()
  expect(filesWith(data, SECRET)).toEqual([])
  const again = await startHub(data)
  expect(again.chat.openQuestions()).toBe(0)
  expect((await again.view.conversation(SECRET)).last).toBe(BEFORE_ALL)
})

test('[S31] who waits there is told at once, and an agent that goes on begins anew under the same name', async () => {
  const { view, chat } = await startHub()
  const session = reached(view.agentSession({ conversation: 'work', title: 'Work' }))
  const waits = session.ask([{ by: 'agent', text: 'Deploy?' }], forever)
  const question = await nextQuestion(view)
  await view.say('work', { text: 'And more' })
  await view.forget('work')
  expect((await waits).settlements).toMatchObject([{ outcome: 'withdrawn' }])
  await expect(view.answer(question, 'Yes')).rejects.toMatchObject({ code: 'unknown_question' })
  await expect(session.resume([question], forever)).rejects.toMatchObject({ code: 'unknown_question' })
  // What it got last is no reason to begin: only words are.
  expect((await session.messages()).earlier).toEqual([])
  await chat.erased()
  expect(await view.conversations({ limit: 9 })).toEqual([])
  await session.tell({ kind: 'progress', by: 'agent', text: 'Going on' })
  const { entries } = await view.page('work', { limit: 9 })
  expect(entries.map(({ body }) => body.kind)).toEqual(['title', 'progress'])
})

test('[S31] readers go on behind it, by whatever cursor they had', async () => {
  const { view } = await startHub()
  await view.say('kept', { text: 'One' })
  const { id } = await view.say('work', { text: 'Two' })
  await view.inbox.readAndAdvance(undefined)
  await view.say('work', { text: 'Three' })
  await view.forget('work')
  expect(await view.spokenInLast()).toBe('kept')
  expect((await view.inbox.readSince(undefined, id)).messages).toEqual([])
  await view.say('kept', { text: 'Four' })
  const texts = ({ messages }: { messages: { content?: unknown }[] }) => messages.map(({ content }) => content)
  expect(texts(await view.inbox.readSince(undefined, id))).toEqual(['Four'])
  expect(texts(await view.inbox.readSince(undefined, BEFORE_ALL))).toEqual(['One', 'Four'])
  expect(texts(await view.inbox.readAndAdvance(undefined))).toEqual(['Four'])
  expect(texts(await view.inbox.newest())).toEqual(['One', 'Four'])
})

test('[F20] files go with the last conversation that uses them, and one that is just being attached stays', async () => {
  const { view, chat, files, url } = await startHub()
  const [own, shared, fresh] = await Promise.all(['own', 'shared', 'fresh'].map((text) => uploaded(url, text)))
  if (!own || !shared || !fresh) throw new Error('Nothing was uploaded')
  await view.say('work', { text: 'All', attachments: [own, shared, fresh] })
  await view.say('home', { text: 'One', attachments: [shared] })
  const path = (await files.pathOf(own)) ?? ''
  await uploaded(url, 'fresh')
  await view.forget('work')
  await chat.erased()
  expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined()
  expect(() => files.find(own.hash)).toThrow('Unknown file')
  expect([files.find(shared.hash).size, files.find(fresh.hash).size]).toEqual([6, 5])
  await view.forget('home')
  await chat.erased()
  expect(() => files.find(shared.hash)).toThrow('Unknown file')
})

test('[F21] files that a hub had no time for are removed by the next one', async () => {
  const data = await temporaryFolder()
  const first = await startHub(data)
  const file = await uploaded(first.url, SECRET)
  await first.view.say('work', { text: 'Here', attachments: [file] })
  await first.view.forget('work')
  // Ends before anything of it was erased, or while it is.
  await first.close()
  const { chat } = await startHub(data)
  await chat.erased()
  expect(filesWith(data, SECRET)).toEqual([])
})

test('[U163] every page is told at once, and who was away starts anew instead of resuming', async () => {
  const { view, url } = await startHub()
  await view.say('work', { text: 'Hello' })
  const { id: cursor } = await view.say('home', { text: 'Hello' })
  const [asking, other] = [await connectPage(url), await connectPage(url)]
  await view.say('home', { text: 'More' })
  const request = { type: 'forget', key: 'k', conversation: 'work', up_to: cursor }
  asking.say(request)
  expect(await other.next('forgotten')).toEqual({ type: 'forgotten', conversation: 'work' })
  let answer = await asking.next('forgotten')
  while (!('key' in answer)) answer = await asking.next('forgotten')
  expect(TimelineFrame.safeParse(answer).error).toBeUndefined()
  expect((await connectPage(url, { cursor })).welcome).toMatchObject({
    resumed: false,
    conversations: [{ id: 'home' }],
  })

  // The same request once more, as after a lost connection, leaves alone what has begun since.
  await view.say('work', { text: 'New' })
  asking.say(request)
  expect(await asking.next('forgotten')).toMatchObject({ key: 'k' })
  expect((await view.page('work', { limit: 9 })).entries).toHaveLength(1)
  asking.say({ ...request, up_to: 'never' })
  expect(await asking.next('refused')).toMatchObject({ key: 'k', code: 'invalid' })
})

function filesWith(data: string, word: string): string[] {
  const all = readdirSync(data, { recursive: true, withFileTypes: true })
  return all
    .filter(
      (file) =>
        file.name.includes(word) || (file.isFile() && readFileSync(join(file.parentPath, file.name)).includes(word)),
    )
    .map(({ name }) => name)
}
