import { expect, test } from 'vitest'
import { fingerprintOf } from './fingerprint.ts'

const tool = { name: 'a', description: 'Reads', inputSchema: { type: 'object', properties: { a: 1, b: 2 } } }

test('[G31] a fingerprint changes with whatever a server says of its tool, and not with the order of it', () => {
  const same = { inputSchema: { properties: { b: 2, a: 1 }, type: 'object' }, description: 'Reads', name: 'a' }
  expect(fingerprintOf(same)).toBe(fingerprintOf(tool))
  for (const other of [
    { name: 'b' },
    { title: 'B' },
    { description: 'Writes' },
    { inputSchema: { type: 'object' } },
    { outputSchema: {} },
    { annotations: { readOnlyHint: true } },
    { icons: [] },
    { _meta: {} },
    { unknown: null },
  ])
    expect(fingerprintOf({ ...tool, ...other })).not.toBe(fingerprintOf(tool))
})
