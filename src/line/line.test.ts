import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../test/support/hub.ts'
import { lineAndHub as lineAndHubHere } from '../../test/support/lines/line-here.ts'
import { lineAndHub, startLine } from '../../test/support/lines/line-process.ts'
import { MOST_UNREAD } from './client.ts'

const SHUTTING_DOWN = 'Parley is shutting down; come back in a moment'
/**
 * More than a pipe and both its ends hold, so that the rest waits for the client; less than what ends the hub's being
 * read.
 */
const TO_WAIT_FOR = 'x'.repeat(0.75 * MOST_UNREAD)

test('[C60] a line says who it is and what it wants, and carries messages both ways as they were written', async () => {
  const cwd = await temporaryFolder()
  const { line, hub } = await lineAndHub({
    cwd,
    args: ['stdio', '--surface', 'agent', '--max-rate=7', '--log-content', '--port', '5001'],
    env: { PARLEY_SESSION: ' work ', CLAUDE_CODE_SESSION_ID: 'run-1', PARLEY_MAX_WAIT: '9', PARLEY_TOKEN: 't' },
  })
  const end = await hub.connection()
  expect(end.hello).toMatchObject({
    surface: 'agent',
    conversation: 'work',
    title: cwd.split('/').at(-1),
    folder: cwd,
    run: 'run-1',
    port: 5001,
    max_wait_seconds: 9,
    token: 't',
    wants: { 'max-rate': '7', 'log-content': '1' },
  })
  line.write('{"jsonrpc":"2.0", "id":"a", "method":"tools/list", "params":{"n":1e0}}\r\n')
  const { key, mcp } = await end.next()
  expect(key).toBe(`${end.hello.line}:1`)
  expect(mcp).toEqual({ jsonrpc: '2.0', id: 'a', method: 'tools/list', params: { n: 1 } })
  end.socket.write('{"mcp":{"jsonrpc":"2.0","id":0,"method":"ping","params":{"n":1e0}}}\n')
  end.answer('a', { tools: [] })
  expect(await line.next()).toEqual({ jsonrpc: '2.0', id: 0, method: 'ping', params: { n: 1 } })
  expect(await line.next()).toEqual({ jsonrpc: '2.0', id: 'a', result: { tools: [] } })
  expect(line.stdout()).toContain('"n":1e0')
})

test('[C59] a line wants all the origins that its flags name', async () => {
  const flags = ['--allow-origin', 'http://localhost:5173', '--allow-origin=https://app.example']
  const { hub } = await lineAndHub({ args: ['stdio', ...flags], env: { PARLEY_ALLOW_ORIGINS: 'http://other' } })
  const { hello } = await hub.connection()
  expect(hello.wants).toEqual({ 'allow-origin': 'http://localhost:5173 https://app.example' })
})

test('[C61] a line tells once where the page is, which settings are others and which port is taken', async () => {
  const { line, hub } = await lineAndHubHere()
  const first = await hub.connection()
  first.welcome({ other: ['--max-rate'] })
  first.welcome({ other: ['--max-rate', '--log'], port_taken: 5001 })
  const told = [
    'http://localhost:4117',
    'The hub was started with another --max-rate; end it with parley stop to have yours',
    'The hub was started with another --max-rate, --log; end it with parley stop to have yours',
    'Port 5001 is used by another program; choose another with --port or PORT',
  ]
  await line.told(/5001/)
  first.socket.destroy()
  const second = await hub.connection()
  second.welcome({ other: ['--max-rate', '--log'], port_taken: 5001 })
  second.welcome({ port_refused: 'Port 80 is not for you' })
  second.welcome({ url: 'http://localhost:4118' })
  const all = [...told, 'Port 80 is not for you', 'http://localhost:4118']
  expect(await line.told(/4118/)).toBe(`${all.join('\n')}\n`)
})

test('[C62] what the client has is told to the hub once it was written, and not before', async () => {
  const { line, hub } = await lineAndHubHere()
  const end = await hub.connection()
  line.output.pause()
  line.request(1, 'tools/call')
  line.request(2, 'ping')
  const [big, small] = [await end.next(), await end.next()]
  end.answer(1, { text: TO_WAIT_FOR })
  end.welcome()
  await line.told(/4117/)
  line.request(3, 'ping')
  expect((await end.next()).mcp.id).toBe(3)
  expect(end.heard).toEqual([])
  line.output.resume()
  expect(await end.next()).toEqual({ got: big.key })
  end.answer(2)
  expect(await end.next()).toEqual({ got: small.key })
})

test('[C237] an answer that brings nothing is not told to have arrived', async () => {
  const { line, hub } = await lineAndHubHere()
  const end = await hub.connection()
  line.request(1, 'tools/call')
  line.request(2, 'tools/call')
  const [, { key }] = [await end.next(), await end.next()]
  end.say({ mcp: { jsonrpc: '2.0', id: 1, result: {} } })
  end.answer(2)
  expect([await line.next(), await line.next()]).toMatchObject([{ id: 1 }, { id: 2 }])
  expect(await end.next()).toEqual({ got: key })
})

test('[C182] a request with the id of one that waits is refused, and the one that waits keeps its answer', async () => {
  const { line, hub } = await lineAndHubHere()
  const end = await hub.connection()
  line.request(1, 'tools/call', { name: 'first' })
  const { key } = await end.next()
  line.request(1, 'tools/call', { name: 'second' })
  line.request('1', 'ping')
  const message = 'A call with this id still waits for its answer'
  expect(await line.next()).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32600, message } })
  expect((await end.next()).mcp.id).toBe('1')
  end.answer(1, { text: 'Yes' })
  expect(await line.next()).toMatchObject({ id: 1, result: { text: 'Yes' } })
  expect(await end.next()).toEqual({ got: key })
  line.request(1, 'tools/call', { name: 'third' })
  expect((await end.next()).mcp.params).toEqual({ name: 'third' })
})

test('[C63] a refusal of the hub is told on stderr and to whoever asks, and the line ends', async () => {
  const { line, hub } = await lineAndHubHere()
  const end = await hub.connection()
  line.request(1, 'initialize')
  await end.next()
  end.say({ refused: 'Unknown token' })
  end.socket.end()
  const { code, stderr, heard } = await line.ended
  expect([code, stderr]).toEqual([1, 'Unknown token\n'])
  expect(heard).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32004, message: 'Unknown token' } }])
})

test('[C63] a client that asks a moment later is told, too', async () => {
  const { line, hub } = await lineAndHubHere()
  const end = await hub.connection()
  end.say({ refused: 'Not today' })
  end.socket.end()
  await line.told(/Not today/)
  line.request(1, 'initialize')
  expect((await line.ended).heard).toMatchObject([{ id: 1, error: { message: 'Not today' } }])
})

test('[C64] a session that is no name is refused', async () => {
  const line = startLine({ env: { PARLEY_DATA: await temporaryFolder(), PARLEY_SESSION: 'a\tb' } })
  const { code, stderr } = await line.ended
  expect([code, stderr]).toEqual([2, 'A session must not hold control characters; see parley stdio --help\n'])
})

test('[C65] a line that is no message is answered with one sentence, and one without an end ends the line', async () => {
  const { line, hub } = await lineAndHubHere()
  const end = await hub.connection()
  line.write('{"jsonrpc": \n[]\n\n{"id": 1}\n')
  line.request(2, 'ping')
  expect((await end.next()).mcp.id).toBe(2)
  line.write('x'.repeat(9 * 1024 * 1024))
  const { code, heard } = await line.ended
  expect(heard.map(({ id, error }) => [id, error.code, error.message])).toEqual([
    [null, -32700, 'This JSON cannot be read'],
    [null, -32600, 'A JSON-RPC 2.0 message was expected'],
    [null, -32600, 'A JSON-RPC 2.0 message was expected'],
    [null, -32602, 'This is larger than the limit'],
  ])
  expect(code).toBe(0)
  expect(await end.next()).toEqual({ bye: true })
})

test('[C66] when its client closes stdin, a line says goodbye and ends, with what came before written', async () => {
  const { line, hub } = await lineAndHubHere()
  const end = await hub.connection()
  line.request(1, 'tools/call')
  const { key } = await end.next()
  end.answer(1, { text: 'x'.repeat(300_000) })
  expect(await end.next()).toEqual({ got: key })
  line.input.end()
  expect(await end.next()).toEqual({ bye: true })
  const { code, heard } = await line.ended
  expect([code, heard.length]).toEqual([0, 1])
})

test('[C66] a client that cannot be written to is gone', async () => {
  const { line, hub } = await lineAndHubHere()
  const end = await hub.connection()
  line.output.destroy(new Error('Nobody reads'))
  end.say({ mcp: { jsonrpc: '2.0', method: 'notifications/message', params: {} } })
  expect(await end.next()).toEqual({ bye: true })
  expect((await line.ended).code).toBe(0)
})

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '[C67] at %s calls that wait are answered first',
  async (signal) => {
    const { line, hub } = await lineAndHub()
    const end = await hub.connection()
    line.request(1, 'tools/call')
    line.request(2, 'resources/read')
    await end.next()
    await end.next()
    line.child.kill(signal)
    // The hub knows what to say; only it knows the question.
    expect(await end.next()).toEqual({ ending: true })
    const answer = { jsonrpc: '2.0', id: 1, result: { isError: true } }
    end.say({ slips: [], mcp: answer })
    const { code, heard } = await line.ended
    expect([code, heard]).toEqual([0, [answer]])
    expect(await end.next()).toMatchObject({ got: expect.any(String) })
    expect(await end.next()).toEqual({ bye: true })
  },
)

test('[C67] a hub that does not answer keeps no line from ending, and its calls are told', async () => {
  const { line, hub } = await lineAndHubHere()
  const end = await hub.connection()
  line.request(1, 'tools/call')
  await end.next()
  line.end()
  const { code, heard } = await line.ended
  expect([code, heard]).toEqual([0, [{ jsonrpc: '2.0', id: 1, error: { code: -32000, message: SHUTTING_DOWN } }]])
})

test('[C67] a second signal ends a line at once, whoever does not read', async () => {
  const { line, hub } = await lineAndHub()
  const end = await hub.connection()
  line.child.stdout.pause()
  end.say({ mcp: { jsonrpc: '2.0', method: 'notifications/message', params: { text: TO_WAIT_FOR } } })
  end.welcome()
  await line.told(/4117/)
  line.child.kill('SIGTERM')
  line.child.kill('SIGINT')
  expect(await line.exited).toBe(1)
})

test('[C67] a line that is told to end waits for each of its calls, and no longer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { line, hub } = await lineAndHubHere()
  const end = await hub.connection()
  for (const id of [1, 2]) line.request(id, 'tools/call')
  const asked = [await end.next(), await end.next()]
  line.end()
  line.end()
  expect(await end.next()).toEqual({ ending: true })
  for (const [n, { key }] of asked.entries()) {
    end.answer(n + 1)
    expect(await end.next()).toEqual({ got: key })
  }
  expect(await end.next()).toEqual({ bye: true })
  expect((await line.ended).heard.map(({ id }) => id)).toEqual([1, 2])
})

test('[C67] a line for which nothing waits ends at once', async () => {
  const { line, hub } = await lineAndHubHere()
  const end = await hub.connection()
  line.request(1, 'subscriptions/listen')
  await end.next()
  line.end()
  expect(await end.next()).toEqual({ bye: true })
  expect(await line.ended).toMatchObject({ code: 0, heard: [] })
})

test('[C63] a hub that refuses a line twice is told once', async () => {
  const { line, hub } = await lineAndHubHere()
  const end = await hub.connection()
  line.request(1, 'ping')
  await end.next()
  end.say({ refused: 'Not today' })
  end.say({ refused: 'Not today either' })
  end.socket.end()
  expect(await line.ended).toMatchObject({ code: 1, stderr: 'Not today\n' })
})

test('[C66] after its goodbye a line hears nothing more, from either side', async () => {
  const { line, hub } = await lineAndHubHere()
  const end = await hub.connection()
  line.input.destroy()
  expect(await end.next()).toEqual({ bye: true })
  end.say({ mcp: { jsonrpc: '2.0', method: 'notifications/message' } })
  end.socket.end()
  await end.closed
  expect([line.stdout(), (await line.ended).code]).toEqual(['', 0])
})

test('[C168] the next hub hears the conversation that was given, and the last 16 that its agents were in', async () => {
  const { line, hub } = await lineAndHubHere()
  const first = await hub.connection()
  expect(first.hello).toMatchObject({ seats: [], slips: [] })
  first.say({ conversation: 'own' })
  const place = (n: number) => ({ conversation: `place ${n}`, visit: `v${n}` })
  for (let n = 0; n < 17; n++) first.say({ seated: place(n) })
  first.say({ seated: { ...place(1), visit: 'again' } })
  first.welcome()
  await line.told(/4117/)
  first.socket.destroy()
  const { hello } = await hub.connection()
  expect(hello.own).toBe('own')
  const seats = Array.from({ length: 16 }, (_, n) => place(n + 1))
  expect(hello.seats).toEqual([{ ...place(1), visit: 'again' }, ...seats.slice(1)])
})
