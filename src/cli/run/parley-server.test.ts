import { expect, test } from 'vitest'
import { parleyServer } from './parley-server.ts'

test('[O74] an agent is sent to the folder, and gets neither a port nor a token', () => {
  const { stdio, ...more } = parleyServer('/data', 'work', false)
  expect(more).toEqual({})
  expect(stdio.args.slice(1)).toEqual(['stdio', '--surface', 'agent', '--data', '/data'])
  expect(stdio.env).toEqual({ PARLEY_SESSION: 'work' })
})

test('[O130] by default it is sent to the gateway, in its conversation', () => {
  const { stdio, gateway } = parleyServer('/data', 'work', true)
  expect(gateway).toBe(true)
  expect(stdio.args.slice(1)).toEqual(['stdio', '--surface', 'gateway', '--data', '/data'])
  expect(stdio.env).toEqual({ PARLEY_SESSION: 'work' })
})
