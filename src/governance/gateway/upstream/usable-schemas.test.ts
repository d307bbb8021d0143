import { expect, test } from 'vitest'
import { createUsableSchemas } from './usable-schemas.ts'

const SLOW = 8

test('[G211] each schema is compiled once, and none on the thread of the hub', async () => {
  const { isUsable } = createUsableSchemas().forServer()
  const schemas = Array.from({ length: 100 }, (_, n) => schemaWith({ [`field${n}`]: { type: 'string' } }))
  let turns = 0
  let isOver = false
  const turn = () => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  turn()
  expect(await Promise.all(schemas.map((schema) => isUsable(schema)))).toEqual(schemas.map(() => true))
  isOver = true
  expect(turns).toBeGreaterThan(schemas.length)
  expect(isUsable(schemas[0] ?? '')).toBe(isUsable(schemas[0] ?? ''))
  expect(await isUsable(schemaWith({ odd: { type: 'string', pattern: '(' } }))).toBe(false)
  expect(await isUsable(schemaWith({ fine: { type: 'number' } }))).toBe(true)
})

test('[G303] the schemas of one server hold up no other, and those that come too late are not tried', async () => {
  const { forServer } = createUsableSchemas()
  const [bad, good] = [forServer(), forServer()]
  const ended: string[] = []
  const slow = Array.from({ length: SLOW }, (_, n) => bad.isUsable(slowSchema(n)).then(() => ended.push('bad')))
  const late = bad.isUsable(schemaWith({ late: { type: 'number' } }), performance.now())
  await good.isUsable(schemaWith({ one: { type: 'number' } })).then(() => ended.push('good'))
  expect(ended.indexOf('good')).toBeLessThan(SLOW / 2)
  await Promise.all(slow)
  expect(await late).toBe(false)
  expect(await bad.isUsable(schemaWith({ late: { type: 'number' } }))).toBe(true)
})

test('[G211] that nothing can be compiled is an error, and says nothing about a schema', async () => {
  const { isUsable } = createUsableSchemas(new URL('./no-such-thread.ts', import.meta.url)).forServer()
  await expect(isUsable(schemaWith({ fine: { type: 'number' } }))).rejects.toThrow('no-such-thread')
  await expect(isUsable(schemaWith({ other: { type: 'number' } }))).rejects.toThrow('no-such-thread')
})

function slowSchema(n: number): string {
  const either = { oneOf: [{ type: 'string' }, { type: 'object', properties: { a: { type: 'number' } } }] }
  return schemaWith(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`p${n}-${at}`, either])))
}

function schemaWith(properties: object): string {
  return JSON.stringify({ type: 'object', properties })
}
