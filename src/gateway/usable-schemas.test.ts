import { expect, test } from 'vitest'
import { createUsableSchemas } from './usable-schemas.ts'

test('[G211] each schema is compiled once, and none on the thread of the hub', async () => {
  const { isUsable } = createUsableSchemas()
  const schemas = Array.from({ length: 100 }, (_, n) => schemaWith({ [`field${n}`]: { type: 'string' } }))
  let turns = 0
  let isOver = false
  const turn = () => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  turn()
  expect(await Promise.all(schemas.map(isUsable))).toEqual(schemas.map(() => true))
  isOver = true
  expect(turns).toBeGreaterThan(schemas.length)
  expect(isUsable(schemas[0] ?? '')).toBe(isUsable(schemas[0] ?? ''))
  expect(await isUsable(schemaWith({ odd: { type: 'string', pattern: '(' } }))).toBe(false)
  expect(await isUsable(schemaWith({ fine: { type: 'number' } }))).toBe(true)
})

function schemaWith(properties: object): string {
  return JSON.stringify({ type: 'object', properties })
}
