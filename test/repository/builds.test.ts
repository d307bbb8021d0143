import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openBuilds } from '../../scripts/builds.ts'
import { temporaryFolder } from '../support/hub.ts'
import { startParley } from '../support/process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Parley as it is built now, in a folder where it can be built again. */
async function copyOfParley() {
  const folder = await temporaryFolder()
  const current = readFileSync(join(ROOT, 'dist/current'), 'utf8')
  cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const builds = openBuilds(join(folder, 'dist'))
  const source = join(ROOT, 'dist/builds', current)
  await build('first')
  return { bin: join(folder, 'bin/parley.js'), dist: join(folder, 'dist'), builds, build }

  /** What `scripts/build.ts` does, with the same code again instead of other code; who waits hears of closed connections. */
  async function build(name: string) {
    const folder = builds.begin(name)
    await cp(source, folder, { recursive: true, filter: (path) => !/\/(cache|processes)$/.test(path) })
    builds.finish(name, folder)
    builds.switchTo(name)
  }
}

test('[C96] a hub that runs goes on with the build it was started from, however often another one is built', async () => {
  const { bin, dist, build } = await copyOfParley()
  const data = await temporaryFolder()
  const hub = startParley(['serve', '--port', '0', '--data', data], {}, bin)
  const url = await hub.url
  const page = await (await fetch(url)).text()
  for (const name of ['second', 'third', 'fourth', 'fifth', 'sixth']) await build(name)
  expect(readFileSync(join(dist, 'current'), 'utf8')).toBe('sixth')
  expect(await (await fetch(url)).text()).toBe(page)
  const [, script = ''] = /src="(\/assets\/[^"]+)"/.exec(page) ?? []
  expect((await fetch(url + script)).status).toBe(200)
  hub.child.kill('SIGTERM')
  expect((await hub.ended).code).toBe(0)
  await build('seventh')
  expect(readdirSync(join(dist, 'builds')).toSorted()).toEqual(['fifth', 'seventh', 'sixth'])
})

test('[C97] the last builds are kept, and one that is built again is only switched to', async () => {
  const { dist, builds, build } = await copyOfParley()
  await build('second')
  builds.switchTo('first')
  expect(readFileSync(join(dist, 'current'), 'utf8')).toBe('first')
  await build('third')
  await build('fourth')
  expect(readdirSync(join(dist, 'builds')).toSorted()).toEqual(['first', 'fourth', 'third'])
  expect([builds.isCurrent('fourth'), builds.isCurrent('first'), builds.has('second')]).toEqual([true, false, false])
})

test('[C97] of two builds of the same at once both succeed', async () => {
  const { dist, builds } = await copyOfParley()
  const mine = builds.begin('second')
  mkdirSync(builds.folderOf('second'))
  writeFileSync(join(builds.folderOf('second'), 'built'), '')
  builds.finish('second', mine)
  builds.switchTo('second')
  expect(existsSync(mine)).toBe(false)
  expect(readFileSync(join(dist, 'current'), 'utf8')).toBe('second')
})

test('[C98] the library of other programs is there all the time, and of one build', async () => {
  const dist = await temporaryFolder()
  const builds = openBuilds(dist)
  for (const name of ['one', 'two']) {
    const client = join(builds.begin(name), 'client')
    mkdirSync(client)
    writeFileSync(join(client, 'program.js'), `part-${name}.js`)
    writeFileSync(join(client, `only-${name}.d.ts`), '')
    writeFileSync(join(client, `part-${name}.js`), name.repeat(100_000))
    builds.finish(name, join(client, '..'))
  }
  builds.publish('one', 'client')
  const reader = spawn(process.execPath, ['-e', READER, join(dist, 'client')], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(reader.stdout, 'data')
  for (let n = 0; n < 50; n++) for (const name of ['two', 'one']) builds.publish(name, 'client')
  reader.stdin.end()
  expect(await text(reader.stdout)).toBe('[]')
  expect(readdirSync(join(dist, 'client')).filter((file) => file.startsWith('only'))).toEqual(['only-one.d.ts'])
})

/** Loads the program and what it needs, again and again, and says what went wrong. */
const READER = `
  const { readFileSync } = require('node:fs')
  const wrong = []
  let ended = false
  process.stdin.resume().on('end', () => { ended = true })
  console.log('reading')
  void (function read() {
    try {
      const part = readFileSync(process.argv[1] + '/program.js', 'utf8')
      const text = readFileSync(process.argv[1] + '/' + part, 'utf8')
      if (text.length !== 300_000) wrong.push(part)
    } catch (error) {
      wrong.push(error.message)
    }
    if (ended) process.stdout.write(JSON.stringify(wrong))
    else setImmediate(read)
  })()
`
