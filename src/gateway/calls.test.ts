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
