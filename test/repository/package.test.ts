import { globSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { agentOverStdio } from '../support/agent.ts'
import { installedPackage } from '../support/cli/installed.ts'
import { canBeOthers, letOthersPass, OWNER, runAs } from '../support/faults/other-user.ts'
import { temporaryFolder } from '../support/hub.ts'
import { startParley } from '../support/process.ts'
import { connect, firstMessage } from '../support/socket.ts'

const MOST_PACKED = 2_000_000
const MOST_INSTALLED = 4_000_000
const INITIALIZE = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

const { folder, program, packed } = installedPackage()

test('[R32] the package holds the command, one build and the library, and nothing of the build that is of this machine', () => {
  const build = `dist/builds/${readFileSync(join(folder(), 'node_modules/parley-hub/dist/current'), 'utf8')}`
  const paths = packed().files.map(({ path }) => path)
  const others = paths.filter((path) => !path.startsWith(`${build}/`))
  expect(others.sort()).toEqual([
    'LICENSE',
    'README.md',
    'bin/package.json',
    'bin/parley.js',
    'dist/client/catch-up.d.ts',
    'dist/client/catch-up.js',
    'dist/client/mcp-client.d.ts',
    'dist/client/subscriptions.d.ts',
    'dist/client/subscriptions.js',
    'dist/current',
    'package.json',
  ])
  const folders = new Set(
    paths.map((path) => path.slice(build.length + 1).split('/')).map((names) => names.length > 1 && names[0]),
  )
  expect([...folders].filter(Boolean)).toEqual(['web'])
})

test('[R32] whoever installs it gets one package, of at most 4 MB', () => {
  const { packages } = JSON.parse(readFileSync(join(folder(), 'node_modules/.package-lock.json'), 'utf8'))
  expect(Object.keys(packages)).toEqual(['node_modules/parley-hub'])
  const about = JSON.parse(readFileSync(join(folder(), 'node_modules/parley-hub/package.json'), 'utf8'))
  expect(Object.keys(about).sort()).toEqual(
    ['name', 'version', 'description', 'license', 'type', 'engines', 'bin', 'exports'].sort(),
  )
  expect(packed().size).toBeLessThan(MOST_PACKED)
  const installed = globSync('node_modules/**', { cwd: folder() }).map((file) => statSync(join(folder(), file)))
  expect(installed.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)).toBeLessThan(MOST_INSTALLED)
})

test('[C183] installed into an empty folder it asks, is answered, and prints what was said', async () => {
  const data = join(await temporaryFolder(), 'Größe und Maß')
  const agent = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: 'work' }, program: program() })
  const person = await connect(await agent.url)
  const reply = agent.ask('Déjà vu?')
  const { ack_id } = await person.next('agentMessage')
  person.say({ type: 'ack', id: ack_id, message: 'Jawohl' })
  expect(await reply).toBe('Jawohl')
  expect((await fetch(await agent.url)).headers.get('content-type')).toContain('text/html')
  const { code, stdout } = await startParley(['export', 'work', '--data', data], {}, program()).ended
  expect([code, stdout]).toEqual([0, expect.stringMatching(/> Déjà vu\?\n[\s\S]*> Jawohl\n$/)])
})

test('[C183] so does its demo', async () => {
  const demo = startParley(['demo', '--data', await temporaryFolder()], { PARLEY_DEMO_PACE: '0' }, program())
  const person = await connect(await demo.url, '/ws?session=demo')
  expect((await firstMessage(person)).text).toContain('I am a **demo agent**')
})

test('[C184] a Node that is too old says what to do, never uses one of the project around it, and reaches a hub that runs', async () => {
  const older = join(await temporaryFolder(), 'older.cjs')
  await writeFile(older, "Object.defineProperty(process, 'versions', { value: { node: '20.0.0' } })")
  const env = { NODE_OPTIONS: `--require=${older}` }
  const others = join(folder(), 'node_modules/.bin/node')
  onTestFinished(() => rm(others))
  await writeFile(others, '#!/bin/sh\necho somebody else\n', { mode: 0o755 })
  const sentence = `install a newer one, or try npx -p node@24 node "${program()}"\n`
  const data = join(await temporaryFolder(), 'data')
  await mkdir(data, { mode: 0o700 })
  const run = (word: string) => startParley([word, '--port', '0', '--data', data], env, program())
  for (const word of ['serve', 'stdio']) {
    const { code, stdout, stderr } = await run(word).ended
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringMatching(/^Parley needs Node 24\.15 or newer, and this is /),
    ])
    expect(stderr.endsWith(sentence)).toBe(true)
  }
  const hub = startParley(['serve', '--port', '0', '--data', data], {}, program())
  await hub.url
  expect(await run('stdio').line(INITIALIZE)).toMatchObject({ result: { serverInfo: { name: 'parley' } } })
})

test('[C244] updated while its hub runs it goes on with the new one: nothing that waits is lost, no request ends a hub', async () => {
  const data = join(await temporaryFolder(), 'data')
  const agent = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: 'work' }, program: program() })
  const before = await agent.url
  const reply = agent.ask('Still there?')
  await firstMessage(await connect(before))
  update()
  // What it has not loaded yet is gone.
  expect((await fetch(`${before}/api/conversations`)).status).toBe(500)
  const hub = async () => (await startParley(['status', '--data', data], {}, program()).ended).stdout
  const [first] = /process \d+/.exec(await hub()) ?? []
  await expect.poll(async () => /process \d+/.exec(await hub())?.[0] ?? first).not.toBe(first)
  const person = await connect(before)
  const { pendingAckId } = await person.next('connected')
  person.say({ type: 'ack', id: pendingAckId, message: 'Yes' })
  expect(await reply).toBe('Yes')
  expect(readFileSync(join(data, 'hub.log'), 'utf8')).toContain(
    'Parley was updated or removed while this hub ran, which ends; the next agent, or parley serve, starts the new one',
  )
})

/** Replaces the build by one of another name, as npm does. */
function update() {
  const dist = join(folder(), 'node_modules/parley-hub/dist')
  const current = readFileSync(join(dist, 'current'), 'utf8')
  renameSync(join(dist, 'builds', current), join(dist, 'builds/newer'))
  writeFileSync(join(dist, 'current'), 'newer')
  onTestFinished(() => {
    renameSync(join(dist, 'builds/newer'), join(dist, 'builds', current))
    writeFileSync(join(dist, 'current'), current)
  })
}

test.skipIf(!canBeOthers)('[C185] it works for users who can write neither its folder nor a home folder', async () => {
  await letOthersPass()
  // The system knows no home folder of this user either.
  for (const HOME of [undefined, '/nobody']) {
    const data = await temporaryFolder()
    await chown(data, OWNER, OWNER)
    const run = (...args: string[]) => runAs(OWNER, [program(), ...args, '--port', '0'], { HOME })
    const url = await run('stdio', '--data', data).said(/^http:\/\/localhost:\d+$/m)
    expect((await fetch(url)).status).toBe(200)
    for (const command of ['serve', 'stdio'])
      expect((await run(command).ended).stderr).toMatch(
        /^\S*\/\.parley cannot be made \(.+\); choose another folder with --data\n$/,
      )
  }
})

test.skipIf(!canBeOthers)('[R35] what the image runs, not as root, is a hub that its health check finds', async () => {
  const image = readFileSync('Dockerfile', 'utf8')
  const words = (name: string): string[] =>
    JSON.parse(new RegExp(`^${name} .*?(\\[.*\\])$`, 'm').exec(image)?.[1] ?? '')
  const [, user = ''] = /^USER (\w+)$/m.exec(image) ?? []
  expect([user, words('ENTRYPOINT')]).toEqual(['node', ['parley']])
  expect(image).toMatch(/^ENV PARLEY_DATA=(\S+)\nVOLUME \1$/m)
  await letOthersPass()
  const data = await temporaryFolder()
  await chown(data, OWNER, OWNER)
  const env = { PARLEY_DATA: data, HOME: '/nobody', PARLEY_TOKENS: 'ada:human:one' }
  const health = () => runAs(OWNER, [program(), ...words('HEALTHCHECK').slice(1)], env).ended
  expect((await health()).told).toContain('No hub is running')
  const hub = runAs(OWNER, [program(), ...words('CMD').with(-1, '0')], env)
  const url = await hub.said(/^http:\/\/127\.0\.0\.1:\d+$|^http:\/\/localhost:\d+$/m)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect((await health()).told).toContain('A hub runs at')
})
