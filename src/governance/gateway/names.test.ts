import { expect, test } from 'vitest'
import { ownUri, plainOwner, shownName, shownUri } from './names.ts'

const alone = () => false

test('[G28] a tool is called server_tool, and one that clients cannot pass on is cleaned, cut and marked', () => {
  expect(shownName('files', 'read_file', alone)).toBe('files_read_file')
  for (const own of ['read.file', 'lies dich', '\u001b[31mred', 'x'.repeat(60), '']) {
    const shown = shownName('files', own, alone)
    expect(shown).toMatch(/^files_[A-Za-z0-9_-]{0,44}$/)
    expect(shownName('files', own, alone)).toBe(shown)
  }
  expect(shownName('files', 'a.b', alone)).not.toBe(shownName('files', 'a b', alone))
})

test("[G28] a name of the gateway's own is not that of a tool", () => {
  expect(shownName('loop', 'yield_turn', (name) => name === 'loop_yield_turn')).toMatch(
    /^loop_yield_turn_[0-9a-f]{12}$/,
  )
})

test('[G172] a name is that of one tool alone, whatever any server is called and calls its tools', () => {
  const shown = shownName('a_b', 'c', alone)
  expect(shown).toMatch(/^a_b_c_[0-9a-f]{12}$/)
  const parts = ['a', 'b', 'c', 'a_b', 'b_c', 'a_b_c', shown, shown.slice(2), shown.slice(4), '_', 'a_', '_a', '']
  const names = parts.flatMap((server) => (server ? parts.map((own) => shownName(server, own, alone)) : []))
  expect(new Set(names).size).toBe(names.length)
  expect([shownName('a', 'b_c', alone), shownName('a', 'c', alone)]).toEqual(['a_b_c', 'a_c'])
})

test('[G172] where a name leads is told by the name, unless it is marked', () => {
  const servers = ['a', 'a_b', 'files']
  expect(plainOwner('files_read_file', servers)).toEqual({ server: 'files', tool: 'read_file' })
  expect(plainOwner('a_b_c', servers)).toEqual({ server: 'a', tool: 'b_c' })
  for (const name of [shownName('a_b', 'c', alone), 'other_tool', 'files', '_files', ''])
    expect(plainOwner(name, servers)).toBeUndefined()
})

test('[G29] the address of a resource leads back to its server, whatever both are called', () => {
  for (const server of ['files', 'my server/ä%'])
    for (const uri of ['file:///a/../b c', 'memo://{id}', '', 'a/b'])
      expect(ownUri(shownUri(server, uri))).toEqual({ server, uri })
  for (const other of ['file:///a', 'gateway://', 'gateway://files']) expect(ownUri(other)).toBeUndefined()
})
