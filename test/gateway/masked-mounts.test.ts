import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { followed, startGoverned } from '../support/policy/governed.ts'

const SECRET = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`

test('[G70] [S113] secrets of a call are neither shown nor in the log, and reach their tool all the same', async () => {
  const { connect, person, written, data, close } = await startGoverned()
  const log = followed(person)
  const client = await connect()
  const call = client.callTool({
    name: 'diary_write',
    arguments: { text: `push with ${SECRET}`, password: 'open sesame' },
  })
  const { id, body } = await log.until('question')
  expect(body.approval?.masked).toBe(2)
  const shown = JSON.parse(body.approval?.input ?? '') as { text: string; password: string }
  await person.allow(id, JSON.stringify({ ...shown, text: `${shown.text} now` }))
  await call
  expect(JSON.parse(written()[0] ?? '')).toEqual({ text: `push with ${SECRET} now`, password: 'open sesame' })
  expect((await log.until('tool_call')).body.masked).toBe(2)
  expect((await log.until('tool_result')).body).toMatchObject({ masked: 1, success: true })
  await close()
  const stored = readdirSync(data, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  for (const { parentPath, name } of stored) {
    const bytes = readFileSync(join(parentPath, name)).toString('latin1')
    const isBeside = basename(parentPath) === 'masked'
    expect([name, bytes.includes(SECRET), bytes.includes('open sesame')]).toEqual([name, isBeside, isBeside])
    if (isBeside) expect([0o600, 0o700]).toEqual([modeOf(join(parentPath, name)), modeOf(parentPath)])
  }
})

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}

test('[G70] a mask that was put elsewhere is no value', async () => {
  const { connect, person, written } = await startGoverned()
  const log = followed(person)
  const call = (await connect()).callTool({ name: 'diary_write', arguments: { text: 'x', password: 'open sesame' } })
  const { id, body } = await log.until('question')
  const { password } = JSON.parse(body.approval?.input ?? '') as { password: string }
  await expect(person.allow(id, JSON.stringify({ text: password }))).rejects.toThrow('stands for no secret there')
  await person.deny(id, undefined)
  await expect(call).rejects.toMatchObject({ code: -32951 })
  expect(written()).toEqual([])
})
