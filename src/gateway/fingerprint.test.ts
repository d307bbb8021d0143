import { expect, test } from 'vitest'
import { fingerprintOf } from './fingerprint.ts'

const tool = { name: 'a', description: 'Reads', inputSchema: { type: 'object', properties: { a: 1, b: 2 } } }

test('[G31] a fingerprint changes with the description, a schema or the annotations of a tool, and with nothing else', () => {
  const same = {
    inputSchema: { properties: { b: 2, a: 1 }, type: 'object' },
    description: 'Reads',
    name: 'b',
    title: 'B',
  }
  expect(fingerprintOf(same)).toBe(fingerprintOf(tool))
  for (const other of [
    { description: 'Writes' },
    { inputSchema: { type: 'object' } },
    { outputSchema: {} },
    { annotations: { readOnlyHint: true } },
  ])
    expect(fingerprintOf({ ...tool, ...other })).not.toBe(fingerprintOf(tool))
})
