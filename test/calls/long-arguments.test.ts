import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { canMount, smallDisk } from '../support/faults/small-disk.ts'
import { verified } from '../support/policy/audited.ts'
import { followed, startGoverned } from '../support/policy/governed.ts'

const policy = { rules: [{ decision: 'allow', server: 'diary' }] }
const LONG = 'x'.repeat(256 * 1024)

function fileOf(data: string, hash: string): string {
  return join(data, 'files', hash.slice(0, 2), hash)
}

test('[G193] [G194] long arguments are a file that the entry names by its hash, and its loss is found', async () => {
  const { connect, person, data, close, written } = await startGoverned({ policy })
  const log = followed(person)
  const agent = await connect()
  await agent.callTool({ name: 'diary_write', arguments: { text: LONG, password: 'hunter2' } })
  const { id, body } = await log.until('tool_call')
  const hash = body.args_file ?? ''
  expect(written()).toHaveLength(1)
  expect(body).toMatchObject({ masked: 1, tool_args: expect.stringContaining(hash) })
  const path = fileOf(data, hash)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ text: LONG, password: '[masked]' })
  await log.until('tool_result')
  await close()
  const place = { entry: id, kind: 'tool_call', link: 1, file: hash }
  expect((await verified(data)).problems).toEqual([])
  writeFileSync(path, readFileSync(path, 'utf8').replace('x', 'y'))
  expect((await verified(data)).problems).toEqual([{ problem: 'file_changed', ...place }])
  rmSync(path)
  expect((await verified(data)).problems).toEqual([{ problem: 'file_missing', ...place }])
})

test('[S125] long arguments in which something is masked can be revealed, and are not in the log', async () => {
  const { connect, person } = await startGoverned({ policy })
  const log = followed(person)
  const agent = await connect()
  const input = { text: LONG, password: 'hunter2' }
  await agent.callTool({ name: 'diary_write', arguments: input })
  const { id } = await log.until('tool_call')
  expect(JSON.parse((await person.reveal(id)).input)).toEqual(input)
  expect(JSON.stringify(log.entries)).not.toContain('hunter2')
})

test.skipIf(!canMount)('[G193] where long arguments cannot be kept nothing runs', async () => {
  const disk = await smallDisk()
  const { connect, person, written } = await startGoverned({ data: disk.data, policy })
  const log = followed(person)
  const agent = await connect()
  disk.fill()
  const { isError, content } = await agent.callTool({ name: 'diary_write', arguments: { text: LONG } })
  expect([isError, content]).toMatchObject([true, [{ text: expect.stringContaining('The disk is full') }]])
  expect([written(), log.entries]).toEqual([[], []])
})
