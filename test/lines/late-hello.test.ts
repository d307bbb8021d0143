import { expect, onTestFinished, test } from 'vitest'
import { connectToHub } from '../../src/doors/socket/connect.ts'
import { readLines } from '../../src/io/lines.ts'
import { LINK_FORMAT } from '../../src/protocol/frames/link-format.ts'
import { VERSION } from '../../src/protocol/version.ts'
import { agentOverStdio } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'

/** A line by hand, which closes nothing by itself. */
async function rawLine(data: string, line: string) {
  const socket = await connectToHub(data)
  if (!socket) throw new Error('No hub answers')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => socket.destroy())
  const heard: Record<string, unknown>[] = []
  let wake = () => {}
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  readLines(socket, {
    limitLength: 2 ** 20,
    tooLong() {},
    line(text) {
      heard.push(JSON.parse(text))
      wake()
    },
  })
  return { socket, heard, closed, hello, until }

  function hello() {
    const more = { surface: 'bridge', title: line, folder: '/', wants: {} }
    socket?.write(`${JSON.stringify({ hello: { format: LINK_FORMAT, version: VERSION, line, ...more } })}\n`)
  }

  async function until(word: string) {
    while (!heard.some((frame) => word in frame))
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
}

test('[C56] a line that says hello to a hub that is ending is sent to the next one, and never let in', async () => {
  const data = await temporaryFolder()
  const agent = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: 'work', PARLEY_KEEP: '60' } })
  await agent.url
  const [early, late] = [await rawLine(data, 'early'), await rawLine(data, 'late')]
  early.hello()
  await early.until('welcome')
  process.kill(hubOf(data).pid, 'SIGTERM')
  // The hub waits a moment for the last words of those whom it said goodbye to.
  await early.until('bye')
  late.hello()
  late.socket.on('end', () => late.socket.end())
  await late.closed
  expect(late.heard).toEqual([{ bye: 'ending' }])
})
