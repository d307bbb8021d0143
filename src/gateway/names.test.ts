import { expect, test } from 'vitest'
import { ownUri, shownName, shownUri } from './names.ts'

const alone = { servers: ['files'], taken: () => false }

test('[G28] a tool is called server_tool, and one that clients cannot pass on is cleaned, cut and marked', () => {
  expect(shownName('files', 'read_file', alone)).toBe('files_read_file')
  for (const own of ['read.file', 'lies dich', '\u001b[31mred', 'x'.repeat(60), '']) {
    const shown = shownName('files', own, alone)
    expect(shown).toMatch(/^files_[A-Za-z0-9_-]{0,44}$/)
    expect(shownName('files', own, alone)).toBe(shown)
  }
  expect(shownName('files', 'a.b', alone)).not.toBe(shownName('files', 'a b', alone))
})

test('[G28] names of two servers never clash, whichever of them is there', () => {
  const both = { servers: ['a', 'a_b'], taken: () => false }
  expect(shownName('a_b', 'c', both)).toBe('a_b_c')
  expect(shownName('a', 'b_c', both)).toMatch(/^a_b_c_[0-9a-f]{8}$/)
  expect(shownName('a', 'c', both)).toBe('a_c')
  expect(shownName('loop', 'yield_turn', { servers: ['loop'], taken: (name) => name === 'loop_yield_turn' })).toMatch(
    /^loop_yield_turn_[0-9a-f]{8}$/,
  )
})

test('[G29] the address of a resource leads back to its server, whatever both are called', () => {
  for (const server of ['files', 'my server/ä%'])
    for (const uri of ['file:///a/../b c', 'memo://{id}', '', 'a/b'])
      expect(ownUri(shownUri(server, uri))).toEqual({ server, uri })
  for (const other of ['file:///a', 'gateway://', 'gateway://files']) expect(ownUri(other)).toBeUndefined()
})
