import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { localPrincipal } from '../../protocol/principal.ts'
import { tool } from './surface.ts'
import { createToolCalls } from './tool-calls.ts'

test('[M30] what a tool brings a caller that speaks no MCP comes back, because nobody sees its answer leave', async () => {
  const told: string[] = []
  const bring = tool({
    name: 'bring',
    title: 'Bring a delivery',
    description: 'Brings a delivery.',
    needs: 'ask',
    input: z.object({}),
    async call(_, { carry }) {
      carry({ arrived: () => told.push('arrived'), returned: () => told.push('returned'), missed() {} })
      return { text: 'Hello' }
    },
  })
  const { call } = createToolCalls({ test: [bring] })
  const { signal } = new AbortController()
  const bringing = { server: 'test', tool: 'bring', input: {}, principalAs: localPrincipal, signal }
  expect(await call(bringing)).toEqual({ text: 'Hello' })
  expect(told).toEqual(['returned'])
})
