import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/hub.ts'
import { createFolders } from './folders.ts'

async function places() {
  const base = realpathSync(await temporaryFolder())
  for (const path of ['root/a/deep', 'root/b', 'root/.hidden', 'rooted', 'elsewhere'])
    mkdirSync(join(base, path), { recursive: true })
  writeFileSync(join(base, 'root/file'), '')
  symlinkSync(join(base, 'elsewhere'), join(base, 'root/out'))
  symlinkSync(join(base, 'root/a'), join(base, 'root/within'))
  symlinkSync('loop', join(base, 'root/loop'))
  return { base, ...createFolders([join(base, 'root')]) }
}

test('[S216] a folder is shown level by level: names of folders, none that lead out of the roots, nothing above them', async () => {
  const { base, browse } = await places()
  const root = join(base, 'root')
  expect(await browse(undefined)).toEqual({ folder: root, names: ['a', 'b', 'within'], has_more: false })
  expect(await browse(join(root, 'a'))).toEqual({
    folder: join(root, 'a'),
    parent: root,
    names: ['deep'],
    has_more: false,
  })
  // A link is shown as what it is.
  expect(await browse(join(root, 'within'))).toMatchObject({ folder: join(root, 'a') })
  for (const folder of [base, join(root, 'out'), join(base, 'rooted'), join(root, 'a', '..', '..')])
    await expect(browse(folder)).rejects.toMatchObject({ code: 'folder_forbidden' })
  for (const folder of [join(root, 'loop'), join(root, 'file'), join(root, 'none')])
    await expect(browse(folder)).rejects.toMatchObject({ code: 'folder_gone' })
})

test('[S216] a large folder is shown page by page, each name once', async () => {
  const { base, browse } = await places()
  const names = Array.from({ length: 450 }, (_, n) => `f${String(n).padStart(3, '0')}`)
  for (const name of names) mkdirSync(join(base, 'root/b', name))
  const seen: string[] = []
  for (let after: string | undefined; ; ) {
    const page = await browse(join(base, 'root/b'), after)
    seen.push(...page.names)
    if (!page.has_more) break
    expect(page.names).toHaveLength(200)
    after = page.names.at(-1)
  }
  expect(seen).toEqual(names)
})
