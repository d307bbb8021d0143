import { execFile } from 'node:child_process'
import { chmod, lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { agentOverStdio } from '../support/agent.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { call } from '../support/mcp/surfaces.ts'
import { startParley } from '../support/process.ts'

test('[S62] pipes and devices as image paths are refused at once, and uploads go on', async () => {
  const folder = await temporaryFolder()
  const pipes = [1, 2, 3, 4].map((n) => join(folder, `pipe-${n}.png`))
  await promisify(execFile)('mkfifo', pipes)
  const link = join(folder, 'link.png')
  await symlink(pipes[0] as string, link)
  const device = join(folder, 'device.png')
  await symlink('/dev/zero', device)
  const env = { PARLEY_DATA: join(folder, 'data'), PARLEY_SESSION: 'work' }
  const agent = await agentOverStdio({ args: ['stdio', '--surface', 'agent'], env, cwd: folder })
  const refused = [...pipes, ...pipes, link, device].map((path) =>
    expect(call(agent.client, 'send_progress', { text: 'x', images: [{ path }] })).rejects.toThrow('it is not a file'),
  )
  await Promise.all(refused)
  const headers = { 'content-type': 'text/plain', 'x-name': 'a.txt' }
  const uploaded = await fetch(`${await agent.url}/api/attachments`, { method: 'POST', headers, body: 'Hello' })
  expect(await uploaded.json()).toMatchObject({ name: 'a.txt', size: 5 })
})

test('[S63] an export never writes through a link that somebody planted', async () => {
  const data = await temporaryFolder()
  const hub = await startHub(data)
  await hub.view.say('website', { text: 'Hello there' })
  await hub.close()
  const victim = join(data, 'victim')
  await writeFile(victim, 'mine')
  const output = join(data, 'talk.md')
  for (const planted of [output, `${output}.part`]) await symlink(victim, planted)
  const { code } = await startParley(['export', 'website', '--output', output, '--data', data]).ended
  expect([code, await readFile(victim, 'utf8'), (await lstat(output)).isFile()]).toEqual([0, 'mine', true])
  expect(await readFile(output, 'utf8')).toContain('Hello there')
})

test('[S64] a data folder that others can write is refused in one sentence by every command', async () => {
  const folder = await temporaryFolder()
  const data = join(folder, 'data')
  await mkdir(data)
  const sentence = (shared: string) =>
    `Others can write in ${shared}: take that from them with chmod go-w, or choose another folder with --data`
  for (const [shared, mode] of [
    [data, 0o770],
    [data, 0o707],
    [data, 0o1777],
    [folder, 0o777],
  ] as const) {
    await chmod(shared, mode)
    for (const command of [['serve', '--port', '0'], ['status'], ['export', 'website']])
      expect((await startParley([...command, '--data', data]).ended).stderr).toContain(sentence(shared))
    await chmod(shared, 0o700)
  }
  await chmod(folder, 0o1777)
  const hub = await startParley(['serve', '--port', '0', '--data', data])
  expect(await hub.url).toContain('http')
})
