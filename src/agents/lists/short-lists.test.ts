import { expect, test } from 'vitest'
import { shortLists } from './short-lists.ts'

const ABOUT_LIMIT = 128 * 1024
const items = (many: number, description = '') =>
  Array.from({ length: many }, (_, n) => ({ id: `model-${n}`, name: `Model ${n}`, description }))
const named = (many: number, description: string) =>
  Array.from({ length: many }, (_, n) => ({ name: `command-${n}`, description }))

test('[O218] lists that are short stay as they are', () => {
  const lists = { modes: { current: 'model-1', all: items(3, 'Words') }, commands: named(3, 'Words') }
  expect(shortLists(lists)).toEqual(lists)
})

test('[O218] descriptions are shortened before anything is left out', () => {
  const { commands = [], commands_total } = shortLists({ commands: named(150, 'x'.repeat(5000)) })
  expect(commands).toHaveLength(150)
  expect(commands[149]).toEqual({ name: 'command-149', description: `${'x'.repeat(200)}…` })
  expect(commands_total).toBeUndefined()
})

test('[O218] of what is too much all the same the first ones are told, the present one, and how many there are', () => {
  const { models } = shortLists({ models: { current: 'model-19999', all: items(20_000, 'x') } })
  expect(models?.total).toBe(20_000)
  expect(models?.all[0]).toEqual({ id: 'model-0', name: 'Model 0' })
  expect(models?.all.at(-1)?.id).toBe('model-19999')
  expect(models?.all.length).toBeGreaterThan(500)
})

test('[O218] the longest lists with the longest names fit in one message together', () => {
  const all = items(100).map((one) => ({ ...one, name: '"\u0001'.repeat(1000) }))
  const commands = named(2000, 'x'.repeat(1000))
  const told = shortLists({ modes: { current: 'model-9', all }, models: { current: 'model-9', all }, commands })
  expect(Buffer.byteLength(JSON.stringify(told))).toBeLessThan(ABOUT_LIMIT - 24 * 1024)
  expect(told.models?.all.map(({ id }) => id)).toContain('model-9')
  expect(told.commands_total).toBe(2000)
})
