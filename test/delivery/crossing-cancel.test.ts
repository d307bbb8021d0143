import { expect, test } from 'vitest'
import { environment, executable } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { startLine } from '../support/lines/line-process.ts'
import { openPage, questionOf } from '../support/page.ts'

const INFO = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }

test('[M75] a reply whose call was cancelled while it was on its way comes with the next call', async () => {
  const { line, page, call } = await start()
  call(2, 'Deploy?')
  const question = await questionOf(page, 'Deploy?')
  await page.post('work', 'By the way')
  // The line finds both, the answer and the cancel.
  line.child.kill('SIGSTOP')
  await page.answer(question, 'Yes')
  for (const text of ['one', 'two', 'three']) await page.post('elsewhere', text)
  line.notify('notifications/cancelled', { requestId: 2 })
  line.child.kill('SIGCONT')
  call(3, 'And now?')
  await page.answer(await questionOf(page, 'And now?'), 'Rest')
  const result = await answerTo(3)
  expect(result.structuredContent).toEqual({
    reply: 'Rest',
    earlier_messages: [
      expect.objectContaining({ text: 'By the way' }),
      expect.objectContaining({ text: 'Yes', in_reply_to: 'Deploy?' }),
    ],
  })

  async function answerTo(id: number) {
    for (;;) {
      const said = await line.next()
      if (said.id === id) return said.result
    }
  }
})

async function start() {
  const data = await temporaryFolder()
  const line = startLine({ program: executable, env: environment({ PARLEY_DATA: data, PARLEY_SESSION: 'work' }) })
  line.request(1, 'initialize', INFO)
  await line.next()
  line.notify('notifications/initialized')
  const [url] = /^http:\S+$/m.exec(await line.told(/^http:\S+$/m)) ?? ['']
  const page = openPage(url)
  await page.started
  return { line, page, call }

  function call(id: number, text: string) {
    line.request(id, 'tools/call', { name: 'send_message', arguments: { text } })
  }
}
