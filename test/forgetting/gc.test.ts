import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { collectFiles } from '../../src/chat/conversation/collecting.ts'
import { collectInFolder } from '../../src/export/collect-in-folder.ts'
import { createFileStore } from '../../src/files/file-store.ts'
import type { Attachment } from '../../src/protocol/entries/attachment.ts'
import { newLog, openTestChat } from '../support/chat.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { uploaded } from '../support/uploads.ts'

/** As if it had been uploaded two days ago. */
function age(data: string, { hash }: Attachment) {
  const then = Date.now() / 1000 - 2 * 24 * 60 * 60
  utimesSync(join(data, 'files', hash.slice(0, 2), hash), then, then)
}

test('[S72] what no conversation names is removed, by a hub and without one; what is named or new stays', async () => {
  const data = await temporaryFolder()
  const { view, url, collect, close } = await startHub(data)
  const [said, unsaid, fresh, later] = (await Promise.all(
    ['said', 'unsaid', 'fresh', 'later'].map((content) => uploaded(url, content)),
  )) as [Attachment, Attachment, Attachment, Attachment]
  await view.say('work', { text: 'Look', attachments: [said] })
  for (const file of [said, unsaid]) age(data, file)
  const status = async ({ hash, name }: Attachment) => (await fetch(`${url}/attachments/${hash}/${name}`)).status
  expect(await collect()).toEqual({ files: 1, bytes: 6 })
  expect(await Promise.all([said, unsaid, fresh, later].map(status))).toEqual([200, 404, 200, 200])
  expect(await collect()).toEqual({ files: 0, bytes: 0 })
  await close()
  age(data, later)
  expect(await collectInFolder(data)).toEqual({ files: 1, bytes: 5 })
})

test('[S72] what is said while files are collected stays', async () => {
  const data = await temporaryFolder()
  const log = newLog()
  const files = createFileStore({ folder: join(data, 'files') })
  const { view } = openTestChat({ log, files })
  const { hash } = await files.save([Buffer.from('Hello')])
  age(data, { hash } as Attachment)
  const attachments = [{ hash, name: 'a.txt', mime: 'text/plain' }]
  const reading = {
    read: async (page: Parameters<typeof log.read>[0]) => {
      const entries = await log.read(page)
      await view.say('work', { text: 'Look', attachments }, 'once')
      return entries
    },
  }
  await view.say('other', { text: 'Hello' })
  expect(await collectFiles({ views: reading, files })).toEqual({ files: 0, bytes: 0 })
  expect(files.find(hash).size).toBe(5)
})

test('[S73] all files together have a quota: what is more is refused in one sentence, until there is room', async () => {
  const folder = join(await temporaryFolder(), 'files')
  await createFileStore({ folder }).save([Buffer.alloc(400, 'a')])
  const store = createFileStore({ folder, quotaBytes: 1000 })
  const { hash } = await store.save([Buffer.alloc(500, 'b')])
  const refusal = { code: 'files_full', message: expect.stringContaining('All files together take 1 KB') }
  await expect(store.save([Buffer.alloc(90, 'c'), Buffer.alloc(90, 'c')])).rejects.toMatchObject(refusal)
  // The same again takes nothing, and neither does what was refused.
  for (let n = 0; n < 3; n++) await store.save([Buffer.alloc(50, 'd')])
  await expect(store.save([Buffer.alloc(60, 'e')])).rejects.toMatchObject(refusal)
  expect(await store.remove(hash, Number.POSITIVE_INFINITY)).toBe(true)
  await store.save([Buffer.alloc(500, 'f')])
})
