import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { environment, executable } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { startLine } from '../support/lines/line-process.ts'
import { openPage, told } from '../support/page.ts'
import { diaryAt, readDiary } from '../support/upstream/diary-server.ts'

const INFO = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }

test('[G196] a result whose call is cancelled while it is on its way is told with the next call, once', async () => {
  const { line, page, diary, call, answerTo } = await start()
  call(2, 'diary_write', { text: 'one' })
  await page.until(() => told(page, 'question').length === 1)
  // The line finds both, the answer and the cancel.
  line.child.kill('SIGSTOP')
  await page.answer(told(page, 'question')[0]?.id ?? '', 'Allow')
  await page.until(() => told(page, 'tool_result').length === 1)
  // The answer has been sent by the time that the hub has done something else.
  for (const text of ['one', 'two', 'three']) await page.post('elsewhere', text)
  line.notify('notifications/cancelled', { requestId: 2 })
  line.child.kill('SIGCONT')
  await page.until(() => told(page, 'message').some(({ call_id }) => call_id !== undefined))
  call(3, 'diary_read')
  expect((await answerTo(3)).content).toMatchObject([
    { text: '{"text":"one"}' },
    { text: expect.stringContaining('your earlier call of diary_write') },
  ])
  call(4, 'diary_read')
  expect((await answerTo(4)).content).toHaveLength(1)
  expect(readDiary(diary)).toHaveLength(1)
})

test('[G196] what an answer brings besides, and whose call is cancelled on its way, comes with the next', async () => {
  const { line, page, call, answerTo } = await start()
  call(2, 'diary_write', { text: 'one' })
  await page.until(() => told(page, 'question').length === 1)
  line.notify('notifications/cancelled', { requestId: 2 })
  // The hub answers this behind the cancel.
  line.request(9, 'tools/list')
  await answerTo(9)
  await page.answer(told(page, 'question')[0]?.id ?? '', 'Allow')
  await page.until(() => told(page, 'message').some(({ call_id }) => call_id !== undefined))
  call(3, 'diary_write', { text: 'two' })
  await page.until(() => told(page, 'question').length === 2)
  line.child.kill('SIGSTOP')
  await page.answer(told(page, 'question')[1]?.id ?? '', 'Allow')
  await page.until(() => told(page, 'tool_result').length === 2)
  for (const text of ['one', 'two', 'three']) await page.post('elsewhere', text)
  line.notify('notifications/cancelled', { requestId: 3 })
  line.child.kill('SIGCONT')
  // Each is told by itself, in whichever order, and the call after that brings it.
  const brought: (string | undefined)[] = []
  for (let id = 10; brought.length < 2; id++) {
    call(id, 'diary_read')
    const { content } = await answerTo(id)
    brought.push(...content.slice(1).map(({ text }: { text: string }) => /Wrote \w+/.exec(text)?.[0]))
  }
  expect(brought.toSorted()).toEqual(['Wrote one', 'Wrote two'])
})

async function start() {
  const [data, folder] = [await temporaryFolder(), await temporaryFolder()]
  const diary = join(folder, 'diary')
  const mcpServers = { diary: diaryAt(diary) }
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers }))
  const env = environment({ PARLEY_DATA: data, PARLEY_SESSION: 'work' })
  const line = startLine({ program: executable, args: ['stdio', '--surface', 'gateway'], env })
  line.request(1, 'initialize', INFO)
  await line.next()
  line.notify('notifications/initialized')
  const [url] = /^http:\S+$/m.exec(await line.told(/^http:\S+$/m)) ?? ['']
  const page = openPage(url)
  await page.started
  // The server is there before anything is cancelled.
  for (let id = 100; ; id++) {
    line.request(id, 'tools/list')
    const { tools } = await answerTo(id)
    if (tools.some(({ name }: { name: string }) => name === 'diary_write')) break
  }
  return { line, page, diary, call, answerTo }

  function call(id: number, name: string, input: object = {}) {
    line.request(id, 'tools/call', { name, arguments: input })
  }

  async function answerTo(id: number) {
    for (;;) {
      const said = await line.next()
      if (said.id === id) return said.result
    }
  }
}
