import { expect, test } from 'vitest'
import { ownerOf, fingerprintOf as printOf, type RawTool } from './fingerprint.ts'

const fingerprintOf = (tool: RawTool, written: unknown = { command: 'a' }) => printOf(tool, ownerOf(written))
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

test('[G292] it changes with the server that a mount starts or reaches, and not with what that is given', () => {
  for (const same of [
    { command: 'a', args: [] },
    { command: 'a', env: { KEY: 'x' }, disabled: true },
  ])
    expect(fingerprintOf(tool, same)).toBe(fingerprintOf(tool))
  const others = [{ command: 'b' }, { command: 'a', args: ['x'] }, { command: 'a', cwd: '/' }, { url: 'http://a' }, {}]
  const all = [{ command: 'a' }, ...others].map((written) => fingerprintOf(tool, written))
  expect(new Set(all).size).toBe(all.length)
  expect(fingerprintOf(tool, { url: 'http://a', headers: { key: 'x' } })).toBe(fingerprintOf(tool, { url: 'http://a' }))
})
