import { expect, test } from 'vitest'
import { parleyServer } from './parley-server.ts'

test('[O74] an agent is never given the token of the orchestrator', () => {
  const { http, stdio } = parleyServer('http://localhost:1', { data: '/data', ownToken: 'secret' }, 'work')
  expect(http).toBeUndefined()
  expect(JSON.stringify(stdio)).not.toContain('secret')
  expect(stdio.env).toEqual({ PARLEY_SESSION: 'work' })
  const open = parleyServer('http://localhost:1', { data: '/data', ownToken: undefined }, 'a b')
  expect(open.http).toEqual({ url: 'http://localhost:1/mcp/agent?session=a%20b' })
})
