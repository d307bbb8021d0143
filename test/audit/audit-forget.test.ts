import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { forgetInFolder } from '../../src/export/forget-in-folder.ts'
import { auditPath } from '../../src/governance/audit/audit-file.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { changeLines, decidedCalls, forgetHead, linesOf, mountedCalls, verified } from '../support/policy/audited.ts'

const NO_SALT = '0'.repeat(32)

test('[G88] what is forgotten is missing rightly: the chain says whose entries, by whom, and nothing of them', async () => {
  const data = await temporaryFolder()
  const hub = await startHub(data)
  await decidedCalls(hub, 'private')
  await mountedCalls(hub, 'work')
  await decidedCalls(hub, 'private')
  await hub.view.forget('private')
  await mountedCalls(hub, 'after')
  await hub.close()
  const lines = linesOf(data)
  const { forgotten, by } = lines.find((line) => 'forgotten' in line)
  expect([forgotten.length, by]).toEqual([8, expect.any(String)])
  for (const { id, salt } of lines.filter((line) => 'id' in line))
    expect([id, salt === NO_SALT]).toEqual([id, forgotten.includes(id)])
  expect(readFileSync(auditPath(data), 'utf8')).not.toContain('private')
  expect(await verified(data)).toMatchObject({ links: 18, problems: [], forgotten: 8 })
})

test('[G88] the same in a folder that no hub uses', async () => {
  const data = await temporaryFolder()
  const hub = await startHub(data)
  await decidedCalls(hub, 'private')
  await mountedCalls(hub, 'work')
  await hub.close()
  await forgetInFolder(data, 'private')
  expect(linesOf(data).filter(({ salt }) => salt === NO_SALT)).toHaveLength(4)
  expect(await verified(data)).toMatchObject({ problems: [], forgotten: 4 })
})

test('[G88] salts that a crash left are erased by the next hub', async () => {
  const data = await temporaryFolder()
  const hub = await startHub(data)
  await decidedCalls(hub, 'private')
  await hub.close()
  const before = readFileSync(auditPath(data), 'utf8').split('\n').slice(0, -1)
  await forgetInFolder(data, 'private')
  changeLines(data, (lines) => [...before, ...lines.slice(before.length, before.length + 1)])
  forgetHead(data)
  expect(linesOf(data).at(-1)).toHaveProperty('forgotten')
  const next = await startHub(data)
  await mountedCalls(next, 'after')
  await next.close()
  expect(linesOf(data).filter(({ salt }) => salt === NO_SALT)).toHaveLength(4)
  expect(await verified(data)).toMatchObject({ problems: [], links: 10 })
})
