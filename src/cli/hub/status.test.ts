import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/hub.ts'
import { STATUS, startPeer } from '../../../test/support/hub-peer.ts'
import { startParley } from '../../../test/support/process.ts'
import type { HubStatus } from '../../protocol/frames/link.ts'
import { runningHub } from './running-hub.ts'

const HOUR_MS = 60 * 60_000

async function statusOf(told: Partial<HubStatus>) {
  const data = await temporaryFolder()
  await startPeer(data, { answer: () => ({ status: { ...STATUS, ...told } }) })
  return { data, ...(await startParley(['status', '--data', data]).ended) }
}

test('[C84] status says where the hub is, since when, which one, and who is connected', async () => {
  const since = Date.now() - 25 * HOUR_MS
  const { data, code, stdout, stderr } = await statusOf({
    since,
    more_ports: [3003],
    keep_seconds: 60,
    lines: [
      { client: 'claude-code', conversation: 'website', folder: '/home/ada/website', since: Date.now() - 2 * HOUR_MS },
      { conversation: 'api', folder: '/home/ada/api', since: Date.now() },
    ],
    agents: ['batch', 'night'],
    pages: 2,
  })
  expect([code, stderr]).toEqual([0, ''])
  const rows = stdout.trimEnd().split('\n')
  expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
    ['A hub runs at http://localhost:4117'],
    ['data', data],
    ['also at', 'http://localhost:3003'],
    ['since', `${new Date(since).toLocaleString('sv')} (1 d 1 h)`],
    ['version', '1.2.3, process 4711'],
    ['stays', 'until 60 s after everybody is gone'],
    ['pages', '2 open'],
    ['agents', '2 by stdio, 2 by HTTP'],
    [''],
    ['client', 'conversation', 'folder', 'for'],
    ['claude-code', 'website', '/home/ada/website', '2 h'],
    ['(not said yet)', 'api', '/home/ada/api', expect.stringMatching(/^\d+ s$/)],
    ['(by HTTP)', 'batch'],
    ['(by HTTP)', 'night'],
  ])
})

test('[C84] status says how long a hub stays that nobody uses, or that it stays', async () => {
  expect((await statusOf({ keep_seconds: 60 })).stdout).toMatch(/^stays +at most 60 s more, unless somebody comes$/m)
  expect((await statusOf({})).stdout).toMatch(/^stays +until it is stopped$/m)
})

test('[C84] what a client says of itself cannot write anywhere else on the terminal', async () => {
  const line = { client: 'evil\u001b[2J\u0007\r', conversation: 'a\nb', folder: '/x', since: Date.now() }
  const { stdout } = await statusOf({ lines: [line] })
  expect(stdout.replaceAll('\n', '')).toMatch(/^\P{Cc}*$/u)
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^evil \[2J +a b +\/x/)
})

test('[C84] [C134] status fails when no hub runs, says so in one sentence, and the mode', async () => {
  const data = await temporaryFolder()
  expect(await startParley(['status', '--data', data]).ended).toEqual({
    code: 1,
    stdout: `No hub is running for ${data}; the first agent starts one, and so does parley open\nIt is open: any program of yours can answer and approve; parley protect ends that\n`,
    stderr: '',
  })
  expect(await startParley(['status', '--data', 'memory']).ended).toMatchObject({ code: 2, stdout: '' })
})

test('[C85] stop says that the hub has ended once it has', async () => {
  const data = await temporaryFolder()
  let ended = false
  await startPeer(data, {
    answer(order, socket) {
      expect(order).toBe('stop')
      socket.write(`${JSON.stringify({ stopping: true })}\n`, () => {
        ended = true
        socket.end()
      })
      return undefined
    },
  })
  const { code, stdout, stderr } = await startParley(['stop', '--data', data]).ended
  expect([code, stdout, stderr, ended]).toEqual([
    0,
    `The hub of ${data} has ended; what was asked stays open\n`,
    '',
    true,
  ])
})

test('[C85] stop is content when no hub runs, and tells what a hub refuses', async () => {
  const data = await temporaryFolder()
  const none = await startParley(['stop', '--data', data]).ended
  expect(none).toEqual({ code: 0, stdout: `No hub is running for ${data}\n`, stderr: '' })
  await startPeer(data, { answer: () => ({ refused: 'Not now' }) })
  for (const command of ['stop', 'status'])
    expect(await startParley([command, '--data', data]).ended).toEqual({ code: 1, stdout: '', stderr: 'Not now\n' })
  await expect(runningHub(data)).rejects.toMatchObject({ code: 'refused_by_hub', message: 'Not now' })
})
