import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/hub.ts'
import { lastingNode } from './lasting-program.ts'

test('[C234] a Node of Homebrew is named by the link that stays when its version goes', async () => {
  const folder = await temporaryFolder()
  const node = join(folder, 'Cellar/node@26/26.10.0/bin/node')
  mkdirSync(join(node, '..'), { recursive: true })
  mkdirSync(join(folder, 'opt'))
  writeFileSync(node, '')
  expect(lastingNode(node)).toBe(node)
  symlinkSync('../Cellar/node@26/26.10.0', join(folder, 'opt/node@26'))
  expect(lastingNode(node)).toBe(join(folder, 'opt/node@26/bin/node'))
  expect(lastingNode()).toBe(process.execPath)
})
