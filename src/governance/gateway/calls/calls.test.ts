import { expect, test } from 'vitest'
import { createCalls } from './calls.ts'

test('[G215] what a server asks while calls of two clients are with it waits until it is clear whose it is', async () => {
  const { begin, ask } = createCalls({ unclearMs: 60_000 })
  const asked: string[] = []
  const of = (name: string) => ({
    client: { name },
    ask: async (method: string) => {
      asked.push(`${name}: ${method}`)
      return {}
    },
  })
  const endFirst = begin(of('first'))
  begin(of('second'))
  const asking = ask('elicitation/create', {})
  // It came later, and cannot be the one.
  begin(of('third'))
  expect(asked).toEqual([])
  endFirst()
  await asking
  expect(asked).toEqual(['second: elicitation/create'])
})

test('[G304] of what a server asks for only so much waits for answers at the same time', async () => {
  const { begin, ask } = createCalls({ unclearMs: 60_000 })
  const asked = Promise.withResolvers<Record<string, unknown>>()
  const call = { client: {}, ask: () => asked.promise }
  const end = begin(call)
  const first = Array.from({ length: 32 }, () => ask('elicitation/create', {}))
  await new Promise(setImmediate)
  await expect(ask('elicitation/create', {})).rejects.toThrow('Too much is asked for that has no answer yet')
  asked.resolve({})
  await Promise.all(first)
  expect(await ask('elicitation/create', {})).toEqual({})
  // What another call left without an answer does not count.
  const never = { client: {}, ask: () => new Promise<never>(() => {}) }
  end()
  const endNever = begin(never)
  for (let n = 0; n < 32; n++) ask('elicitation/create', {}).catch(() => {})
  await new Promise(setImmediate)
  endNever()
  begin(call)
  expect(await ask('elicitation/create', {})).toEqual({})
})

test('[G304] nor does more than that wait until it is clear whose it is', async () => {
  const { begin, ask } = createCalls({ unclearMs: 60_000 })
  for (const client of [{}, {}]) begin({ client, ask: async () => ({}) })
  for (let n = 0; n < 32; n++) ask('elicitation/create', {}).catch(() => {})
  await expect(ask('elicitation/create', {})).rejects.toThrow('Too much is asked for that has no answer yet')
})
