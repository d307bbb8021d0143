import { setImmediate as turn } from 'node:timers/promises'
import { promiseHooks } from 'node:v8'
import { expect, test, vi } from 'vitest'
import { lineAndHub } from '../support/lines/line-here.ts'

/** Enough for everything that is made once, and for ids and keys of two digits from then on. */
const WARM_UP = 10
const COUNTED = 20
/** What the test's own client and hub write for each call; they read every frame once, and the answer. */
const OWN_WRITTEN = 2

test('[M107] a line reads what its client and its hub say once each, and says a post in one frame', async () => {
  const { ask, cost } = await openCounted()
  expect(await cost((n) => ask(n, {}))).toEqual({ read: 2, written: 1, promises: 10, frames: 1, bytes: 169 })
})

test('[M107] a line says in one more frame that an answer which brings something has arrived', async () => {
  const { ask, cost } = await openCounted()
  const brings = { slips: [{ conversation: 'work', replies: ['1795051246753000'] }] }
  expect(await cost((n) => ask(n, brings))).toEqual({ read: 3, written: 2, promises: 14, frames: 2, bytes: 219 })
})

async function openCounted() {
  const { line, hub } = await lineAndHub()
  const end = await hub.connection()
  const said = { frames: 0, bytes: 0 }
  end.socket.on('data', (chunk) => {
    said.frames += String(chunk).split('\n').length - 1
    said.bytes += Buffer.byteLength(chunk)
  })
  return { ask, cost }

  async function ask(n: number, brings: object) {
    line.request(n, 'tools/call', { name: 'send_progress', arguments: { text: `Step ${n}` } })
    const { key } = await end.next()
    end.say({ ...brings, mcp: { jsonrpc: '2.0', id: n, result: {} } })
    await line.next()
    if ('slips' in brings) expect(await end.next()).toEqual({ got: key })
  }

  async function cost(act: (n: number) => Promise<void>) {
    for (let n = 1; n <= WARM_UP; n++) await act(n)
    const json = [vi.spyOn(JSON, 'parse'), vi.spyOn(JSON, 'stringify')].map(({ mock }) => mock.calls)
    Object.assign(said, { frames: 0, bytes: 0 })
    let promises = 0
    const stop = promiseHooks.onInit(() => {
      promises++
    })
    const each = []
    for (let n = 1; n <= COUNTED; n++) {
      promises = 0
      await act(WARM_UP + n)
      each.push(promises)
      await turn()
    }
    stop()
    const [read = 0, written = 0] = json.map(({ length }) => length / COUNTED)
    vi.restoreAllMocks()
    const [frames, bytes] = [said.frames / COUNTED, said.bytes / COUNTED]
    return {
      read: read - frames - 1,
      written: written - OWN_WRITTEN,
      // Those of the test's own client and hub included.
      promises: each.toSorted((one, other) => one - other)[COUNTED / 2],
      frames,
      bytes,
    }
  }
}
