import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { CommandText } from '../../src/cli/command-text.ts'
import { COMMANDS, partsOf } from '../../src/cli/commands.ts'
import { takeStartupLock } from '../../src/hub/startup-lock.ts'
import type { Entry } from '../../src/protocol/entries/entry.ts'
import { temporaryFolder } from '../support/hub.ts'
import { openerCalled } from '../support/opener.ts'
import { startParley } from '../support/process.ts'
import { connect, connectPage, firstMessage } from '../support/socket.ts'

async function takenPort(): Promise<number> {
  const server = createServer()
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as { port: number }).port
}

test('[C4] help goes to stdout, and what is not understood ends with status 2 and a word on stderr alone', async () => {
  for (const args of [['help'], ['serve', '--help'], ['stdio', '-h'], ['help', 'token']])
    expect(await startParley(args).ended).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Usage: parley /),
      stderr: '',
    })
  const wrong = await startParley(['serve', '--prot', '1']).ended
  expect(wrong).toEqual({ code: 2, stdout: '', stderr: 'Unknown option --prot; did you mean --port?\n' })
})

test('[C5] serve on a port that another program holds says so and ends', async () => {
  const port = await takenPort()
  const { code, stderr } = await startParley(['serve', '--port', `${port}`, '--data', 'memory']).ended
  expect([code, stderr]).toEqual([1, `Port ${port} is used by another program; choose another with --port or PORT\n`])
})

test.each(['serve', 'stdio'])('[C6] %s on a data folder that cannot be written says so and ends', async (command) => {
  const file = join(await temporaryFolder(), 'file')
  await writeFile(file, 'in the way')
  const { code, stderr } = await startParley([command, '--port', '0', '--data', join(file, 'data')]).ended
  expect(code).toBe(1)
  expect(stderr).toMatch(/^\S+data cannot be made \(.+\); choose another folder with --data\n$/)
})

const FOLDERED = Object.entries(COMMANDS).flatMap(([path, { settings, words }]: [string, CommandText]) => {
  const wanted = [...(words ?? '').matchAll(/<[^>]+>/g)].map(() => 'x')
  return settings.includes('data') && partsOf(path).length === 0 ? [[...path.split(' '), ...wanted]] : []
})

test('[C300] a file that --data names is refused in one sentence, by every command', async () => {
  const file = join(await temporaryFolder(), 'file')
  await writeFile(file, 'in the way')
  const refused = { code: 1, stdout: '', stderr: `${file} is a file; name a folder with --data\n` }
  expect(FOLDERED).toContainEqual(['list'])
  for (const words of [...FOLDERED, ['stdio']])
    expect([words, await startParley([...words, '--data', file]).ended]).toEqual([words, refused])
})

test.each([['help'], ['list', '--help'], ['completion', 'bash']])(
  '[C300] who reads no further than the beginning of `%s %s` ends it without a word',
  async (...args) => {
    const { child, ended } = startParley(args)
    child.stdout?.destroy()
    expect(await ended).toEqual({ code: 0, stdout: '', stderr: '' })
  },
)

test.each(['serve', 'stdio'])(
  '[C7] %s on a damaged log says so, ends, and leaves the file as it is',
  async (command) => {
    const data = await temporaryFolder()
    const damage = randomBytes(8192)
    await writeFile(join(data, 'parley.db'), damage)
    const { code, stderr } = await startParley([command, '--port', '0', '--data', data]).ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/^\S+parley\.db is damaged or not a Parley log \(.+\); it was left as it is\n$/)
    expect(await readFile(join(data, 'parley.db'))).toEqual(damage)
  },
)

test('[C8] a second hub on the same data says so and leaves the first alone', async () => {
  const data = await temporaryFolder()
  const first = startParley(['serve', '--port', '0', '--data', data])
  const url = await first.url
  const { code, stderr } = await startParley(['serve', '--port', '0', '--data', data]).ended
  expect([code, stderr]).toEqual([
    1,
    `A hub for ${data} is already running: open ${url}, or choose another folder with --data\n`,
  ])
  const claimed = takeStartupLock({ data, host: '127.0.0.1', ports: [0] })
  await expect(claimed).rejects.toMatchObject({
    code: 'data_in_use',
    message: `${data} is in use by another Parley; choose another folder with --data`,
  })
  await (await connect(url)).next('connected')
})

test('[C9] a call that waits for a hub that cannot open is told why', async () => {
  const data = await temporaryFolder()
  await writeFile(join(data, 'parley.db'), randomBytes(8192))
  const parley = startParley(['stdio', '--data', data])
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  parley.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  const call = { name: 'send_message', arguments: { text: 'Hi' } }
  parley.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call })}\n`)
  const { code, stdout } = await parley.ended
  expect(code).toBe(1)
  const answer = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  expect(answer.id).toBe(2)
  expect(JSON.stringify(answer)).toContain('is damaged or not a Parley log')
})

test.each(['SIGINT', 'SIGTERM'] as const)('[C10] %s closes the hub in good order', async (signal) => {
  const parley = startParley(['serve', '--port', '0', '--data', await temporaryFolder()])
  const client = await connect(await parley.url)
  parley.child.kill(signal)
  expect((await client.closed).code).toBe(1001)
  expect((await parley.ended).code).toBe(0)
})

test('[C11] the demo agent greets, shows, asks, reports, wants a verdict, thanks with the last words, and starts again', async () => {
  const parley = startParley(['demo', '--port', '0', '--data', await temporaryFolder()], { PARLEY_DEMO_PACE: '0' })
  const page = await connectPage(await parley.url)
  const person = await connect(await parley.url, '/ws?session=demo')
  const said: string[] = []
  let shown = await firstMessage(person)
  for (const reply of ['Hello demo', 'Only the tests', 'Not this time', 'Start again', 'Bye']) {
    said.push(shown.text)
    person.say({ type: 'ack', id: shown.ack_id, message: reply })
    if (reply !== 'Bye') shown = (await person.next('agentMessage')) as typeof shown
  }
  expect(said[0]).toContain('Hello')
  expect(said[1]).toContain('| agent |')
  expect(said[2]).toContain('npm test')
  expect(said[3]).toContain('> Not this time')
  expect(said[4]).toBe(said[0])
  const steps: string[] = []
  while (!steps.includes('Reading the project'))
    for (const { body } of (await page.next('entries')).entries as Entry[])
      if (body.kind === 'progress') steps.push(body.text)
})

test('[C301] the demo shows the page in the browser, and then prints its address', async () => {
  const data = await temporaryFolder()
  const url = await startParley(['serve', '--port', '0', '--data', data]).url
  const { path, started } = await openerCalled()
  const demo = startParley(['demo', '--data', data], { PATH: path, DISPLAY: ':7' })
  expect(await started()).toBe(`${url}\n`)
  await demo.said(new RegExp(`^The demo agent is waiting for you: open ${url}$`, 'm'))
})

test('[C11] the demo agent goes to the hub that holds its folder', async () => {
  const data = await temporaryFolder()
  const url = await startParley(['serve', '--port', '0', '--data', data]).url
  const person = await connect(url, '/ws?session=demo')
  startParley(['demo', '--port', '0', '--data', data])
  expect((await person.next('agentMessage')).text).toContain('I am a **demo agent**')
})
