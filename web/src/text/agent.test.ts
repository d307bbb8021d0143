import { expect, test } from 'vitest'
import { markOf, SHAPES } from './agent.ts'

const look = (by: string, id: string, folder?: string) => JSON.stringify(markOf(by, { id, folder }))

test('[U450] a mark is of the agent and its folder: letters and colour, and a shape of its own in one folder', () => {
  expect(markOf('claude-code', { id: 'a', folder: '/home/ada/website' }).letters).toBe('Cw')
  expect(markOf('codex', { id: 'a' }).letters).toBe('C')
  expect(markOf('__', { id: 'a', folder: '/' })).toMatchObject({ letters: '?' })
  const [one, other] = [markOf('codex', { id: 'a', folder: '/x' }), markOf('codex', { id: 'b', folder: '/x' })]
  expect([one.letters, one.hue]).toEqual([other.letters, other.hue])
  expect(look('codex', 'a', '/x')).toBe(look('codex', 'a', '/x'))
  expect(markOf('codex-mcp-client', { id: 'a', folder: '/x' })).toEqual(one)
})

test('[U450] of ten agents of one kind in ten folders, or in one, next to none look the same', () => {
  const folders = ['api', 'web', 'app', 'docs', 'infra', 'shop', 'site', 'server', 'tools', 'website']
  expect(new Set(folders.map((name) => look('claude-code', name, `/home/ada/${name}`))).size).toBe(10)
  const many = Array.from({ length: 2000 }, (_, n) =>
    markOf('claude-code', { id: `work-${n}`, folder: '/home/ada/web' }),
  )
  const shapes = Map.groupBy(many, ({ shape, open }) => `${shape} ${open}`)
  expect(shapes.size).toBe(2 * SHAPES.length)
  for (const { length } of shapes.values()) expect(length).toBeGreaterThan(90)
})
