import { expect, test } from 'vitest'
import { processWith } from './descendants.ts'
import { isOrphan, namespace } from './family.ts'

const { pid, began } = processWith(process.pid) ?? { pid: 0, began: '' }
const proc = { pid: 12, parent: 1, began: '1', command: '/bin/sh /opt/parley/bin/parley.js serve' }

test.runIf(process.platform === 'linux')('[O78] what a process started that is gone is an orphan', () => {
  expect(isOrphan({ proc, value: `${pid}.${began}.${namespace()}.x` })).toBe(false)
  expect(isOrphan({ proc, value: `${pid}.0.${namespace()}.x` })).toBe(true)
})

test.runIf(process.platform === 'linux')('[O78] Parley is none, and nothing of another container is', () => {
  expect(isOrphan({ proc, value: `${pid}.0.${namespace()}.x` }, '/opt/parley/bin/parley.js')).toBe(false)
  expect(isOrphan({ proc, value: `${pid}.0.pid:[1].x` })).toBe(false)
  expect(isOrphan({ proc, value: `${pid}.0.0b2e` })).toBe(false)
})
