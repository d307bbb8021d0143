import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { MOST_UNREAD, openClient } from './client.ts'

/** A client whose end of the output reads one write at a time, when it is told to. */
function opened(input = new PassThrough()) {
  const reads: ((error?: Error) => void)[] = []
  const written: string[] = []
  const output = new Writable({
    highWaterMark: 16,
    write(chunk, _, read) {
      written.push(String(chunk))
      reads.push(read)
    },
  })
  const happened: unknown[] = []
  const client = openClient({
    input,
    output,
    said: (raw, { id }) => happened.push([raw, id]),
    gone: () => happened.push('gone'),
    full: (isFull) => happened.push(isFull ? 'full' : 'room'),
  })
  return { ...client, input, output, written, happened, read: (error?: Error) => reads.shift()?.(error) }
}

const turn = () => new Promise(setImmediate)

test('[C65] what is no message is refused, and empty lines are nothing', async () => {
  const { input, written, happened, read } = opened()
  input.write('  \n{"jsonrpc":"2.0","id":1}\nnull\n7\n{"jsonrpc":"1.0"}\n{')
  input.write('\n')
  for (let n = 0; n < 4; n++) {
    await turn()
    read()
  }
  expect(happened.filter((one) => one !== 'room')).toEqual([['{"jsonrpc":"2.0","id":1}', 1]])
  expect(written.map((line) => JSON.parse(line).error.code)).toEqual([-32600, -32600, -32600, -32700])
})

test('[M103] a request whose id is an object or a list is refused with it, and nobody waits', async () => {
  const { input, written, happened, read } = opened()
  for (const id of [{ a: 1 }, [1]]) {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call' })}\n`)
    await turn()
    read()
    expect(JSON.parse(written.pop() ?? '')).toMatchObject({ id, error: { code: -32600 } })
  }
  expect(happened.filter((one) => one !== 'room')).toEqual([])
})

test('[M103] where its id is nested too deep to be written, it is refused without one', async () => {
  const { input, written, read } = opened()
  input.write(`{"jsonrpc":"2.0","id":${'{"0":'.repeat(100_000)}0${'}'.repeat(100_000)},"method":"ping"}\n`)
  await turn()
  read()
  expect(JSON.parse(written.pop() ?? '')).toMatchObject({ id: null, error: { code: -32600 } })
})

test('[C65] of a line without an end one refusal is said, and nothing after it is heard', async () => {
  const { input, written, happened, read } = opened()
  input.write('x'.repeat(9 * 1024 * 1024))
  input.write('x'.repeat(9 * 1024 * 1024))
  input.write('\n{"jsonrpc":"2.0","id":1}\n')
  await turn()
  read()
  await turn()
  expect(happened.filter((one) => one !== 'room')).toEqual(['gone'])
  expect(written).toHaveLength(1)
})

test('[C66] a client is gone when its input ends or breaks, or nobody reads its output', async () => {
  const ways = [
    ({ input }: ReturnType<typeof opened>) => input.end(),
    ({ input }: ReturnType<typeof opened>) => input.destroy(),
    ({ input }: ReturnType<typeof opened>) => input.destroy(new Error('EIO')),
    ({ output }: ReturnType<typeof opened>) => output.destroy(new Error('EPIPE')),
  ]
  for (const way of ways) {
    const client = opened()
    way(client)
    await turn()
    await turn()
    expect(client.happened).toContain('gone')
  }
})

test('[C66] its input is at its end also where it stays open for something else', async () => {
  const { input, happened } = opened(new PassThrough({ autoDestroy: false }))
  input.end()
  await turn()
  await turn()
  expect([happened, input.closed]).toEqual([['gone'], false])
})

test('[C62] what was written is told one after the other, and not what broke', async () => {
  const { write, whenWritten, read, happened, output } = opened()
  output.on('error', () => {})
  whenWritten(() => happened.push('nothing waits'))
  for (const name of ['one', 'two']) write(name, () => happened.push(name))
  whenWritten(() => happened.push('all'))
  whenWritten(() => happened.push('all, too'))
  expect(happened).toEqual(['nothing waits'])
  read()
  await turn()
  expect(happened).toEqual(['nothing waits', 'one'])
  read()
  await turn()
  expect(happened.filter((one) => one !== 'room')).toEqual(['nothing waits', 'one', 'two', 'all', 'all, too'])
  write('three', () => happened.push('three'))
  whenWritten(() => happened.push('over'))
  read(new Error('EPIPE'))
  await turn()
  expect(happened).toContain('over')
  expect(happened).not.toContain('three')
  expect(happened.filter((one) => one === 'all')).toHaveLength(1)
})

test('[M78] a client that leaves more than 1 MiB unread is full until all of it is read', async () => {
  const { write, isFull, happened, read } = opened()
  write('x'.repeat(MOST_UNREAD - 1))
  expect([isFull(), happened]).toEqual([false, []])
  write('')
  expect([isFull(), happened]).toEqual([true, ['full']])
  read()
  await turn()
  read()
  await turn()
  expect([isFull(), happened]).toEqual([false, ['full', 'room']])
})

test('[M78] what a client says is heard when it is not held', async () => {
  const { input, setPaused, happened } = opened()
  setPaused(true)
  input.write('{"jsonrpc":"2.0","id":1}\n')
  await turn()
  expect(happened).toEqual([])
  setPaused(false)
  await turn()
  expect(happened).toHaveLength(1)
})
