import { expect, onTestFinished, test } from 'vitest'
import { forever, nextQuestion, openTestChat, until } from '../../../test/support/chat.ts'
import { png } from '../../../test/support/images.ts'
import { createFileStore } from '../../files/file-store.ts'

test('[Q37] two questions of one call are one exchange, and what is asked alone is none', async () => {
  const { view } = openTestChat()
  const session = view.agentSession({ conversation: 'work', title: 'Work' })
  for (const texts of [['Colour?', 'Size?'], ['Name?']])
    session
      .ask(
        texts.map((text) => ({ by: 'agent', text, key: text })),
        forever,
      )
      .catch(() => {})
  await until(async () => (await view.conversation('work')).open.length === 3)
  const exchanges = (await view.conversation('work')).open.map(({ text, exchange }) => [text, exchange])
  expect(Object.fromEntries(exchanges)).toEqual({ 'Colour?': 'Colour?', 'Size?': 'Colour?', 'Name?': undefined })
})

test('[F15] an image that comes with progress is kept as its store knows it', async () => {
  const files = createFileStore({})
  onTestFinished(files.close)
  const image = png(64, 32)
  const { hash } = await files.save([image])
  const { view } = openTestChat({ files })
  const session = view.agentSession({ conversation: 'work', title: 'Work' })
  const said = { hash, name: 'plan.png', mime: 'text/plain', size: 0 }
  await session.tell({ kind: 'progress', by: 'agent', text: 'Look', attachments: [said] })
  const { entries } = await view.page('work', { limit: 10 })
  const known = { hash, name: 'plan.png', mime: 'image/png', size: image.length, width: 64 }
  expect(entries.at(-1)?.body).toMatchObject({ kind: 'progress', attachments: [known] })
})

test('[C67] the calls of an agent that is about to end come back, and name their questions', async () => {
  const { view } = openTestChat()
  const session = view.agentSession({ conversation: 'work', title: 'Work' })
  const asked = ['Deploy?', 'Where?'].map((text) => ({ by: 'agent', text }))
  const call = session.ask(asked, forever)
  await until(async () => (await view.conversation('work')).open.length === 2)
  const question = (await view.conversation('work')).open.map(({ id }) => id).join('", then "')
  const cameBack = expect(call).rejects.toMatchObject({ code: 'come_back', details: { question } })
  let isBack = false
  void cameBack.finally(() => {
    isBack = true
  })
  // It is asked, and begins to wait in one of the next moments.
  await until(() => {
    session.dismiss()
    return isBack
  })
  await cameBack
})

test('[A24] what a call left that was cut off is withdrawn when its agent is gone', async () => {
  const { view } = openTestChat()
  const session = view.agentSession({ conversation: 'work', title: 'Work' })
  const cut = new AbortController()
  const approval = { tool_name: 'Bash', input: '{}' }
  const wait = { signal: cut.signal, alone: true, isCutOff: () => true }
  const call = session.ask([{ by: 'agent', text: 'May I?', approval }], wait)
  const question = await nextQuestion(view)
  cut.abort(new Error('cut off'))
  await expect(call).rejects.toThrow('cut off')
  expect((await view.conversation('work')).open).toMatchObject([{ id: question }])
  session.close()
  await until(async () => (await view.conversation('work')).open.length === 0)
})
