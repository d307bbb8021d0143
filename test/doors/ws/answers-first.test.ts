import { Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Entry } from '../../../src/protocol/entries/entry.ts'
import { nextQuestion } from '../../support/chat.ts'
import { startHubWithSocket, temporaryFolder } from '../../support/hub.ts'
import { openLineHere } from '../../support/lines/line-here.ts'
import { type Client, connect, connectPage } from '../../support/socket.ts'

/**
 * A hub with an agent behind a line and clients of two dialects, and what it writes to whom, in order; `durable`
 * is the step after the one in which everybody in the hub is told so.
 */
async function openHall() {
  const data = await temporaryFolder()
  const { view, url, port } = await startHubWithSocket(data)
  const line = openLineHere({ args: ['--surface', 'agent'], env: { PARLEY_DATA: data, PARLEY_SESSION: 'work' } })
  const clientInfo = { name: 'agent', version: '1' }
  line.request(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  await line.next()
  line.notify('notifications/initialized')
  const written: string[] = []
  const steps = { entries: () => queueMicrotask(() => written.push('durable')), failed() {} }
  const following = view.follow({ after: await view.last() }, steps)
  onTestFinished(() => following.close())
  const page = await connectPage(url)
  await connect(url)
  const { write } = Socket.prototype
  vi.spyOn(Socket.prototype, 'write').mockImplementation(function (this: Socket, ...args) {
    const text = String(args[0])
    if (this.localPort === port) written.push('page')
    else if (text.includes('"structuredContent"')) written.push('agent')
    return write.apply(this, args)
  })
  onTestFinished(() => void vi.restoreAllMocks())
  return { view, line, page, written, call }

  function call(id: number, name: string, text: string) {
    line.request(id, 'tools/call', { name, arguments: { text } })
  }
}

async function isTold(page: Client, kind: string) {
  for (;;) {
    const frame = await page.next('entries')
    if ((frame.entries as Entry[] | undefined)?.some(({ body }) => body.kind === kind)) return
  }
}

test('[M109] an agent is answered before pages are told of it, and people are asked at once', async () => {
  const { view, line, page, written, call } = await openHall()
  call(1, 'send_progress', 'Here')
  await Promise.all([line.next(), isTold(page, 'progress')])
  written.length = 0

  call(2, 'send_progress', 'Half done')
  await Promise.all([line.next(), isTold(page, 'progress')])
  expect(written.slice(0, 3)).toEqual(['durable', 'agent', 'page'])
  written.length = 0

  call(3, 'send_message', 'Go on?')
  const question = await nextQuestion(view)
  await isTold(page, 'question')
  expect(written.slice(0, 3)).toEqual(['page', 'page', 'durable'])
  written.length = 0

  await view.answer(question, 'Yes')
  await Promise.all([line.next(), isTold(page, 'settlement')])
  expect(written.slice(0, 3)).toEqual(['durable', 'agent', 'page'])
})
