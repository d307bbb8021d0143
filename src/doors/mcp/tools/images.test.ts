import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/support/hub.ts'
import { png } from '../../../../test/support/images.ts'
import { openFiles } from '../../../files/file-store.ts'
import { keepImages } from './images.ts'

test('[M43] a path is one in the folder of the agent, and is shown as the agent wrote it', async () => {
  const folder = await temporaryFolder()
  const plot = join(folder, 'agent', 'out', 'plot.png')
  await mkdir(join(folder, 'agent', 'out'), { recursive: true })
  await writeFile(plot, png(64, 48))
  const store = openFiles(join(folder, 'data'))
  const files = async () => ({
    store,
    mayRead: async () => true,
    sameMachine: true,
    takesPathsFrom: join(folder, 'agent'),
  })
  for (const path of ['out/plot.png', './out/../out/plot.png', plot])
    expect(await keepImages([{ path }], files)).toMatchObject({ attachments: [{ name: 'plot.png', width: 64 }] })
  for (const [path, problem] of [
    ['out/none.png', 'The image out/none.png cannot be read (it is not there)'],
    ['./out', 'The image ./out cannot be read (it is not a file)'],
    ['out/plot.png/x', 'The image out/plot.png/x cannot be read (ENOTDIR: not a directory)'],
  ])
    await expect(keepImages([{ path }], files)).rejects.toThrow(problem)
})
