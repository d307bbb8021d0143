import { expect, test } from 'vitest'
import type { MountedCalls } from '../../chat/approvals/mounted-calls.ts'
import type { ToolResultBody } from '../../protocol/entries/entry.ts'
import type { MountedCall } from '../../protocol/tools/gateway.ts'
import { createLateResults } from './late-results.ts'

test('[G306] a call made again just when its end is told gets it once', async () => {
  const result = { kind: 'tool_result', tool_name: 'x', result: 'done', success: true } as ToolResultBody
  const calls = {
    // Nobody knew of the message when the call was made again.
    stateOf: () => ({ conversation: 'chat', phase: 'done' }),
    resultOf: async () => result,
    carry: () => () => {},
    isCarried: () => false,
    untold: async () => [
      { message: '1', text: 'About it', call_id: 'it' },
      { message: '2', text: 'About another', call_id: 'another' },
    ],
  } as unknown as MountedCalls
  const recall = async ({ result: text }: ToolResultBody) => ({ content: [{ type: 'text', text }] })
  const { bring, withLateResults, isAnswering } = createLateResults({ calls, recall, report() {} })
  const { signal } = new AbortController()
  const call = { shown: 'x', subject: { conversation: 'chat' }, signal, carry() {} } as unknown as MountedCall
  const bringing = bring('it', call)
  expect(isAnswering('it')).toBe(true)
  const { content } = await withLateResults(call, await bringing)
  expect((content as { text: string }[]).map(({ text }) => text)).toEqual(['done', 'About another'])
})
