import { expect, test } from 'vitest'
import { createExports } from '../../src/export/exports.ts'
import { evened, LONGEST_PIECE } from '../../src/export/pieces.ts'
import { EXPORT_FORMATS } from '../../src/protocol/frames/export.ts'
import { HOSTILE_MARKDOWN } from '../support/fuzz/hostile-markdown.ts'
import { startHub } from '../support/hub.ts'

const MEGABYTE = 1024 * 1024

test('[S80] however long a text is, an export passes it on in small pieces, and all of it', async () => {
  const { view, files } = await startHub()
  const texts = ['<', '😀', '`a', ' \n', '&"'].map((part) => `begin${part.repeat(MEGABYTE / 4 / part.length)}end`)
  for (const text of texts) await view.tell('work', { by: 'codex', text })
  await view.record('work', { kind: 'error', by: 'codex', error: texts[0] ?? '' })
  for (const format of EXPORT_FORMATS) {
    const { chunks } = await createExports({ files }).open({ source: view, name: 'work', format })
    let all = ''
    for await (const chunk of chunks) {
      expect(chunk.length).toBeLessThanOrEqual(LONGEST_PIECE)
      expect(chunk.isWellFormed()).toBe(true)
      all += chunk
    }
    expect(all.match(/begin/g)).toHaveLength(texts.length + 1)
    expect(all).toContain('😀'.repeat(MEGABYTE / 8))
  }
})

test('[S80] exports are written on another thread, so that whoever waits for the hub meanwhile does not wait for them', async () => {
  const { view, files } = await startHub()
  for (const make of Object.values(HOSTILE_MARKDOWN)) await view.tell('work', { by: 'codex', text: make(12_000) })
  const { chunks } = await createExports({ files }).open({ source: view, name: 'work', format: 'html' })
  const [all, here] = [process.cpuUsage(), process.threadCpuUsage()]
  let length = 0
  for await (const chunk of chunks) length += chunk.length
  const share = process.threadCpuUsage(here).user / process.cpuUsage(all).user
  expect(length).toBeGreaterThan(1_000_000)
  expect(share).toBeLessThan(0.4)
})

test('[S80] exports that are written at once get nothing of each other, and one that is left ends no other', async () => {
  const { view, files } = await startHub()
  for (const name of ['one', 'two', 'left'])
    for (let n = 0; n < 40; n++) await view.say(name, { text: `${name} ${n} ${'x'.repeat(20_000)}` })
  const exports = createExports({ files })
  const [one, two] = await Promise.all([written('one'), written('two'), leave('left')])
  for (const [name, text] of Object.entries({ one, two }))
    expect(JSON.parse(text).entries.map(({ body }: { body: { text: string } }) => body.text.split(' x')[0])).toEqual(
      Array.from({ length: 40 }, (_, n) => `${name} ${n}`),
    )
  // The thread has gone with them; the next one gets another.
  expect(JSON.parse(await written('left')).entries).toHaveLength(40)

  async function written(name: string) {
    const { chunks } = await exports.open({ source: view, name, format: 'json' })
    return (await Array.fromAsync(chunks)).join('')
  }

  async function leave(name: string) {
    const { chunks } = await exports.open({ source: view, name, format: 'json' })
    for await (const _ of chunks) break
  }
})

test('[S80] pieces are joined up to their size, and files keep their places', () => {
  const half = 'x'.repeat(LONGEST_PIECE / 2)
  const pieces = [...evened([half, 'a', { file: 'f' }, half, half, half, '', 'b'])]
  expect(pieces.map((piece) => (typeof piece === 'string' ? piece.length : piece))).toEqual([
    LONGEST_PIECE / 2 + 1,
    { file: 'f' },
    LONGEST_PIECE,
    LONGEST_PIECE / 2 + 1,
  ])
})
