import { expect, test } from 'vitest'
import { parleyServer } from './parley-server.ts'

const PARTS = { data: '/data', conversation: 'work', program: '/bin/parley.js' }

test('[O74] an agent is sent to the folder, and gets neither a port nor a token', () => {
  const { stdio, ...more } = parleyServer({ ...PARTS, gateway: false })
  expect(more).toEqual({ data: PARTS.data })
  expect(stdio.args.slice(1)).toEqual(['stdio', '--surface', 'agent', '--data', '/data'])
  expect(stdio.env).toEqual({ PARLEY_SESSION: 'work' })
})

test('[O130] by default it is sent to the gateway, in its conversation', () => {
  const { stdio, gateway } = parleyServer({ ...PARTS, gateway: true })
  expect(gateway).toBe(true)
  expect(stdio.args.slice(1)).toEqual(['stdio', '--surface', 'gateway', '--data', '/data'])
  expect(stdio.env).toEqual({ PARLEY_SESSION: 'work' })
})
