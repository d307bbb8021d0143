import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../test/support/hub.ts'
import { openLogFile } from './log-file.ts'
import { createLogbook } from './logbook.ts'

const MIB = 1024 * 1024
const PROCESS = fileURLToPath(new URL('../../test/support/faults/log-file-process.ts', import.meta.url))

async function logbookIn(data: string) {
  const out = openLogFile(data)
  const logbook = createLogbook({ level: 'info', content: false, out })
  onTestFinished(() => {
    logbook.close()
    out.close()
  })
  return {
    async tell(fields: Record<string, unknown>) {
      logbook.tell('info', 'call', fields)
      await new Promise(setImmediate)
    },
  }
}

function linesOf(path: string): Record<string, unknown>[] {
  const text = readFileSync(path, 'utf8').trimEnd()
  return text.split('\n').map((line) => JSON.parse(line))
}

/** Runs a process as a line starts a hub, with a limit on the size of files where one is given. */
async function runProcess(what: string, data: string, blocks: number | 'unlimited' = 'unlimited') {
  const stderr = openSync(join(data, 'hub.log'), 'a', 0o600)
  const words = ['-c', `ulimit -f ${blocks} && exec "$@"`, 'sh', process.execPath, PROCESS, what, data]
  const child = spawn('sh', words, { stdio: ['ignore', 'ignore', stderr] })
  closeSync(stderr)
  return (await once(child, 'exit'))[0] as number
}

test('[C100] the log of a hub in the background is a file that only its owner can read, and one older one', async () => {
  const data = await temporaryFolder()
  const [file, older] = [join(data, 'hub.log'), join(data, 'hub.log.1')]
  const { tell } = await logbookIn(data)
  await tell({ n: -1 })
  expect([statSync(file).mode & 0o777, existsSync(older)]).toEqual([0o600, false])
  for (let n = 0; n < 3500; n++) await tell({ n, text: 'x'.repeat(1000) })
  const kept = [...linesOf(older), ...linesOf(file)].map(({ n }) => n as number)
  expect(kept.at(-1)).toBe(3499)
  expect(kept).toEqual(Array.from(kept, (_, place) => (kept[0] as number) + place))
  expect(kept.length).toBeGreaterThan(1000)
  for (const path of [file, older]) {
    expect(statSync(path).size).toBeLessThan(MIB + 2000)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  }
})

test('[C101] a full disk stops no hub: what could not be told is counted, and no line is torn for good', async () => {
  const data = await temporaryFolder()
  expect(await runProcess('full', data, 64)).toBe(0)
  const lines = readFileSync(join(data, 'hub.log'), 'utf8').trimEnd().split('\n')
  const [dropped, after] = lines.slice(-2).map((line) => JSON.parse(line))
  const before = lines.slice(0, -2).filter((line) => line.endsWith('}'))
  expect(dropped).toMatchObject({ level: 'warn', event: 'dropped' })
  expect(dropped.lines).toBeGreaterThan(500)
  expect(before.length + dropped.lines).toBeLessThanOrEqual(1000)
  expect(after).toMatchObject({ event: 'after' })
})

test('[C101] a log whose folder is gone stops no hub, and goes on when the folder is back', async () => {
  const data = await temporaryFolder()
  const { tell } = await logbookIn(data)
  await tell({ n: 1 })
  rmSync(data, { recursive: true })
  await tell({ n: 2 })
  await tell({ n: 3 })
  mkdirSync(data)
  await tell({ n: 4 })
  expect(linesOf(join(data, 'hub.log'))).toMatchObject([{ event: 'dropped', lines: 2 }, { n: 4 }])
})

test('[C102] what ends a hub by surprise stands at the end of its log, once, however long that is', async () => {
  const data = await temporaryFolder()
  expect(await runProcess('thrown', data)).toBe(1)
  const text = readFileSync(join(data, 'hub.log'), 'utf8')
  expect(text.split('Error: It is over')).toHaveLength(2)
  expect(text.indexOf('"n":4999')).toBeGreaterThan(0)
  expect(text.indexOf('Error: It is over')).toBeGreaterThan(text.indexOf('"n":4999'))
})
