import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { startParley } from '../support/process.ts'
import { uploaded } from '../support/uploads.ts'

const gc = (data: string) => startParley(['gc', '--data', data]).ended

test('[C140] gc removes what no conversation names, with a hub running or without, and says how much', async () => {
  const data = await temporaryFolder()
  expect(await gc(data)).toMatchObject({ code: 1, stderr: expect.stringContaining('holds no log') })
  const { url, close } = await startHubWithSocket(data)
  for (const content of ['Hello', 'there']) {
    const { hash } = await uploaded(url, content)
    utimesSync(join(data, 'files', hash.slice(0, 2), hash), 0, 0)
    if (content === 'there') await close()
    expect(await gc(data)).toEqual({ code: 0, stdout: 'Removed 1 file, 5 bytes\n', stderr: '' })
  }
  expect((await gc(data)).stdout).toBe('No files to remove: all are in conversations, or new\n')
})
