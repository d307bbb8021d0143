import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { lstatSync, readFileSync, statSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { socketPlaces } from '../../src/doors/socket/place.ts'
import { ask } from '../support/chat.ts'
import { startHub, startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { startPeer } from '../support/hub-peer.ts'
import { startParley } from '../support/process.ts'
import { uploaded } from '../support/uploads.ts'

const say = (text: string) => ({ text })

/** A folder with a conversation whose question has expired by now, and no hub. */
async function leftFolder() {
  const data = await temporaryFolder()
  const hub = await startHub(data)
  await hub.view.say('website', say('Hello there'))
  await ask(hub.view, { by: 'codex', text: 'Still there?', expires_at: Date.now() + 60 * 60_000 }, 'website')
  await hub.close()
  return data
}

const run = (data: string, ...args: string[]) => startParley(['export', ...args, '--data', data]).ended

test('[X15] without a hub a conversation is printed from the folder, which stays as it is', async () => {
  const data = await leftFolder()
  const before = readFileSync(join(data, 'parley.db'))
  const files = await readdir(data)
  const { code, stdout, stderr } = await run(data, 'website')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^# website\n[\s\S]*> Hello there\n[\s\S]*> Still there\?\n$/)
  expect(readFileSync(join(data, 'parley.db')).equals(before)).toBe(true)
  expect(await readdir(data)).toEqual(files)
})

test('[X15] beside a running hub it is the hub that gives it away, also one that asks for tokens', async () => {
  const data = await temporaryFolder()
  const { view, tokens } = await startHubWithSocket(data)
  await view.say('website', say('Hello there'))
  for (const _round of ['open', 'closed']) {
    const { code, stdout } = await run(data, 'website', '--format', 'json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout).entries).toHaveLength(1)
    await tokens.create({ name: 'ada' })
  }
  await view.say('website', say('And again'))
  expect(JSON.parse((await run(data, 'website', '--format', 'json')).stdout).entries).toHaveLength(2)
})

test('[X15] files come along with and without a hub, and the folder stays as it is', async () => {
  const data = await temporaryFolder()
  const hub = await startHubWithSocket(data)
  const content = new Uint8Array(randomBytes(5_000_000))
  const file = await uploaded(hub.url, content, { name: 'report.pdf' })
  await hub.view.say('website', { ...say('Look'), attachments: [file] })
  const expected = Buffer.from(content).toString('base64')
  for (const round of ['running', 'gone']) {
    const files = JSON.parse((await run(data, 'website', '--format', 'json')).stdout).files
    expect([round, files[file.hash] === expected]).toEqual([round, true])
    await hub.close()
  }
  await rm(join(data, 'files', file.hash.slice(0, 2), file.hash))
  const before = await readdir(data, { recursive: true })
  const { code, stdout } = await run(data, 'website', '--format', 'html')
  expect([code, stdout.includes('<small>5 MB, missing when this was exported</small>')]).toEqual([0, true])
  expect(await readdir(data, { recursive: true })).toEqual(before)
})

test('[X15] a name that is not known is told with the nearest ones, with and without a hub', async () => {
  const data = await leftFolder()
  const sentence = 'Unknown conversation "wbsite"; did you mean "website"?\n'
  expect(await run(data, 'wbsite')).toEqual({ code: 1, stdout: '', stderr: sentence })
  await startHubWithSocket(data)
  expect(await run(data, 'wbsite')).toEqual({ code: 1, stdout: '', stderr: sentence })
  const nowhere = await temporaryFolder()
  expect(await run(nowhere, 'website')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('holds no log'),
  })
  expect(await readdir(nowhere)).toEqual([])
  expect(await run('memory', 'website')).toMatchObject({ code: 2 })
})

test('[X15] a file is for its owner only, in the format of its ending, and whole or not there', async () => {
  const data = await leftFolder()
  const folder = await temporaryFolder()
  const file = join(folder, 'talk.html')
  await writeFile(file, 'an older export')
  expect(await run(data, 'website', '--output', file)).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(readFileSync(file, 'utf8')).toMatch(/^<!doctype html>[\s\S]*Hello there[\s\S]*<\/html>\n$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['talk.html'])
  const wrong = join(folder, 'nowhere', 'talk.md')
  expect(await run(data, 'website', '--output', wrong)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^\S+talk\.md cannot be written \(.+\)\n$/),
  })
})

test('[X15] a socket that a killed hub left behind, or a file in its place, is no obstacle', async () => {
  const data = await leftFolder()
  const place = socketPlaces(data)[0] ?? ''
  const killed = spawn(process.execPath, [
    '-e',
    `require('net').createServer().listen('${place}', () => console.log(1))`,
  ])
  await once(killed.stdout, 'data')
  killed.kill('SIGKILL')
  await once(killed, 'close')
  expect(lstatSync(place).isSocket()).toBe(true)
  expect((await run(data, 'website')).stdout).toContain('Hello there')
  await rm(place)
  await writeFile(place, 'no socket')
  expect((await run(data, 'website')).stdout).toContain('Hello there')
})

test('[C88] a conversation that the hub does not tell to its end is no export, and that is told', async () => {
  const data = await temporaryFolder()
  await startPeer(data, {
    http(request, response) {
      expect(request.url).toBe('/api/export/my%20site?format=html')
      expect(request.headers.authorization).toBeUndefined()
      response.writeHead(200).write('<!doctype html>half of it', () => request.socket.destroy())
    },
  })
  const folder = await temporaryFolder()
  const half = await run(data, 'my site', '--output', join(folder, 'site.html'))
  expect(half).toEqual({ code: 1, stdout: '', stderr: 'The hub ended before the export was complete; try again\n' })
  expect(await readdir(folder)).toEqual([])
})

test('[X15] whoever reads only the beginning ends it without a complaint', async () => {
  const data = await temporaryFolder()
  const { view } = await startHubWithSocket(data)
  await Promise.all(Array.from({ length: 100 }, (_, n) => view.say('website', say(`${n} ${'x'.repeat(10_000)}`))))
  const { child, ended } = startParley(['export', 'website', '--data', data])
  child.stdout?.once('data', () => child.stdout?.destroy())
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
})
