import { expect, test } from 'vitest'
import { LOOKS } from '../../../src/protocol/look.ts'
import { markOf, SHAPES } from './agent.ts'

const look = (by: string, id: string, folder?: string) => JSON.stringify(markOf(by, { id, folder }))

test('[U450] a mark is of the agent and its folder: letters and colour', () => {
  expect(markOf('claude-code', { id: 'a', folder: '/home/ada/website' }).letters).toBe('Cw')
  expect(markOf('codex', { id: 'a' }).letters).toBe('C')
  expect(markOf('__', { id: 'a', folder: '/' })).toMatchObject({ letters: '?' })
  const [one, other] = [markOf('codex', { id: 'a', folder: '/x' }), markOf('codex', { id: 'b', folder: '/x' })]
  expect([one.letters, one.hue]).toEqual([other.letters, other.hue])
  expect(look('codex', 'a', '/x')).toBe(look('codex', 'a', '/x'))
  expect(markOf('codex-mcp-client', { id: 'a', folder: '/x' })).toEqual(one)
})

test('[U511] each look of a mark is another one, those beyond the shapes with a number', () => {
  const marks = Array.from({ length: 3 * LOOKS }, (_, look) => markOf('codex', { id: 'a', folder: '/x', look }))
  expect(new Set(marks.map((mark) => JSON.stringify(mark))).size).toBe(3 * LOOKS)
  expect(LOOKS).toBe(2 * SHAPES.length)
  expect(marks.map(({ letters }) => letters).filter((letters, n, all) => letters !== all[n - 1])).toEqual([
    'Cx',
    'Cx2',
    'Cx3',
  ])
})
