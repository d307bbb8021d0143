import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/hub.ts'
import { processWith } from './descendants.ts'
import { digestOf, isOrphan, namespace } from './family.ts'

const { pid, began } = processWith(process.pid) ?? { pid: 0, began: '' }
const proc = { pid: 12, parent: 1, began: '1', command: '/bin/sh /opt/parley/bin/parley.js serve' }
const data = '/home/ada/.parley'
const folder = digestOf(data)

test.runIf(process.platform === 'linux')('[O78] what a process started that is gone is an orphan', () => {
  expect(isOrphan({ proc, value: `${pid}.${began}.${namespace()}.${folder}.x` }, { data })).toBe(false)
  expect(isOrphan({ proc, value: `${pid}.0.${namespace()}.${folder}.x` }, { data })).toBe(true)
})

test.runIf(process.platform === 'linux')(
  '[O78] Parley is none, and nothing of another container or data folder is',
  () => {
    const value = `${pid}.0.${namespace()}.${folder}.x`
    expect(isOrphan({ proc, value }, { data, spared: '/opt/parley/bin/parley.js' })).toBe(false)
    expect(isOrphan({ proc, value }, { data: '/home/ada/other' })).toBe(false)
    expect(isOrphan({ proc, value }, { data: undefined })).toBe(false)
    expect(isOrphan({ proc, value: `${pid}.0.pid:[1].${folder}.x` }, { data })).toBe(false)
    expect(isOrphan({ proc, value: `${pid}.0.0b2e` }, { data })).toBe(false)
  },
)

test('[O78] a data folder is the same by each of its names', async () => {
  const folder = await temporaryFolder()
  symlinkSync(folder, join(folder, 'link'))
  expect(digestOf(join(folder, 'link'))).toBe(digestOf(folder))
})
