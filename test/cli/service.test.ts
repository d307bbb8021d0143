import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { launchd } from '../../src/cli/service/launchd.ts'
import { systemd } from '../../src/cli/service/systemd.ts'
import { executable } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { startParley } from '../support/process.ts'

const ON_LINUX = process.platform === 'linux'

/** A home folder, and a `systemctl` that only tells what it was asked; what it starts counts as running. */
async function home() {
  const folder = await temporaryFolder()
  const file = join(folder, '.config/systemd/user/parley.service')
  const [bin, told, running] = ['bin', 'told', 'running'].map((name) => join(folder, name)) as [string, string, string]
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'systemctl'),
    `#!/bin/sh
echo "$*" >> '${told}'
case "$2" in
  restart) touch '${running}';;
  disable) rm -f '${running}';;
  is-active) test -e '${running}';;
esac
`,
  )
  chmodSync(join(bin, 'systemctl'), 0o755)
  return { folder, file, bin, running, parley, asked }

  function parley(...words: string[]) {
    return startParley(['service', ...words], { HOME: folder, PATH: `${bin}:/usr/bin:/bin`, PORT: '' }).ended
  }

  /** What systemctl was asked to change since the last time. */
  function asked(): string[] {
    const lines = existsSync(told) ? readFileSync(told, 'utf8').trim().split('\n') : []
    writeFileSync(told, '')
    return lines.filter((line) => line && !line.includes('is-active')).map((line) => line.replace('--user ', ''))
  }
}

const STARTED = ['daemon-reload', 'enable parley.service', 'restart parley.service']

test.runIf(ON_LINUX)(
  '[C186] install writes a unit and starts it, again only what is different, and remove leaves nothing',
  async () => {
    const { folder, file, parley, asked } = await home()
    expect(await parley('status')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^No service is installed; /),
    })
    const first = await parley('install')
    expect([first.code, first.stderr]).toEqual([0, ''])
    expect(first.stdout).toContain(`${file} was written, and the hub of ${folder}/.parley runs by it from now on\n`)
    expect(asked()).toEqual(STARTED)
    const unit = readFileSync(file, 'utf8')
    expect(unit).toContain(`\nExecStart="${process.execPath}" "${executable}" "serve" "--data" "${folder}/.parley"\n`)
    expect(await parley('status')).toMatchObject({ code: 0, stdout: `The service runs, as ${file} says\n` })
    expect(await parley('install')).toMatchObject({ code: 0, stdout: `The service runs already, as ${file} says\n` })
    expect(asked()).toEqual([])
    const other = await parley('install', '--data', join(folder, 'talks'), '--port', '4200')
    expect(other.stdout).toContain(`${file} was written anew, and the hub of ${folder}/talks runs by it`)
    expect(asked()).toEqual(STARTED)
    expect(readFileSync(file, 'utf8')).toContain(`"--data" "${folder}/talks" "--port" "4200"\n`)
    const removed = await parley('remove')
    expect(removed).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\S+ is removed, and the service ended; /),
    })
    expect(asked()).toEqual(['disable --now parley.service', 'daemon-reload'])
    expect(readdirSync(dirname(file))).toEqual([])
    expect(await parley('remove')).toMatchObject({ code: 0, stdout: 'No service is installed\n' })
  },
)

test.runIf(ON_LINUX)('[C236] one that the system refuses is not installed', async () => {
  const { file, bin, parley } = await home()
  const systemctl = join(bin, 'systemctl')
  const works = readFileSync(systemctl, 'utf8')
  writeFileSync(systemctl, '#!/bin/sh\necho no bus >&2\nexit 1\n')
  expect(await parley('install')).toMatchObject({ code: 1, stderr: expect.stringContaining('no bus') })
  expect(existsSync(file)).toBe(false)
  writeFileSync(systemctl, works)
  await parley('install')
  const before = readFileSync(file, 'utf8')
  writeFileSync(systemctl, '#!/bin/sh\nexit 1\n')
  expect((await parley('install', '--port', '4200')).code).toBe(1)
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test.runIf(ON_LINUX)('[C186] one that does not run is started again, and said where to look', async () => {
  const { file, running, parley, asked } = await home()
  await parley('install')
  rmSync(running)
  asked()
  const status = await parley('status')
  expect([status.code, status.stdout]).toEqual([
    1,
    'The service does not run; see journalctl --user --unit parley.service\n',
  ])
  expect((await parley('install')).stdout).toContain(`${file} is as it was, and the hub of `)
  expect(asked()).toEqual(STARTED)
})

test.runIf(ON_LINUX)('[C187] what is not its own is left, and what fails is one sentence', async () => {
  const { folder, file, bin, parley } = await home()
  const refused = async (...words: string[]) => {
    const { code, stdout, stderr } = await parley(...words)
    expect([code, stdout]).toEqual([1, ''])
    return stderr
  }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '[Service]\n')
  for (const word of ['install', 'remove', 'status'])
    expect(await refused(word)).toBe(`${file} was not made by Parley; remove it first\n`)
  expect(readFileSync(file, 'utf8')).toBe('[Service]\n')
  const npx = join(folder, '_npx/1/node_modules/parley-hub/bin')
  mkdirSync(npx, { recursive: true })
  writeFileSync(join(npx, 'parley.js'), `process.argv[1] = __filename; require(${JSON.stringify(executable)})`)
  const cached = startParley(['service', 'install'], { HOME: npx, PATH: bin }, join(npx, 'parley.js'))
  expect((await cached.ended).stderr).toBe(
    'This Parley is in the cache of npx, which is cleared now and then: npm install --global parley-hub keeps one\n',
  )
  const other = await home()
  await other.parley('install')
  writeFileSync(
    join(other.bin, 'systemctl'),
    '#!/bin/sh\necho "Failed to connect to bus: No medium found" >&2\nexit 1\n',
  )
  const failed = await other.parley('install')
  expect([failed.code, failed.stderr]).toEqual([
    1,
    'The system refused the service: systemctl --user daemon-reload failed (Failed to connect to bus: No medium found)\n',
  ])
  const none = startParley(['service', 'status'], { HOME: other.folder, PATH: npx })
  expect((await none.ended).stderr).toBe(
    'Parley installs a service with systemd or launchd only; have whatever starts programs here run parley serve\n',
  )
})

test.runIf(ON_LINUX)(
  '[C187] what is in the place of the unit and is none is told, and a link to one stays',
  async () => {
    const { folder, file, parley } = await home()
    mkdirSync(file, { recursive: true })
    for (const word of ['install', 'remove', 'status'])
      expect(await parley(word)).toMatchObject({ code: 1, stderr: `${file} is a folder, and was left as it is\n` })
    rmSync(file, { recursive: true })
    const kept = join(folder, 'kept.service')
    await parley('install')
    renameSync(file, kept)
    symlinkSync(kept, file)
    await parley('install', '--port', '4200')
    expect(readFileSync(kept, 'utf8')).toContain('"--port" "4200"')
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
  },
)

test.runIf(ON_LINUX)('[C186] a folder for configuration that is relative does not count', async () => {
  const { folder, file, bin } = await home()
  const env = { HOME: folder, PATH: `${bin}:/usr/bin:/bin`, XDG_CONFIG_HOME: 'relative', PORT: '' }
  await startParley(['service', 'install'], env, executable, folder).ended
  expect([existsSync(file), existsSync(join(folder, 'relative'))]).toEqual([true, false])
})

test('[C188] whatever a path holds is one word of the service', () => {
  const words = ['/opt/$my node', '100% "sure" $HOME \\ ä', '<a&b>', 'a\nb']
  const unit = systemd('/home/ada/.config').text({ words, path: '/my bin:/bin' })
  expect(unit).toContain('\nExecStart="/opt/$my node" "100%% \\"sure\\" $$HOME \\\\ ä" "<a&b>" "a\\nb"\n')
  expect(unit).toContain('\nEnvironment="PATH=/my bin:/bin"\n')
  const { file, text } = launchd('/Users/ada', 501)
  expect(file).toBe('/Users/ada/Library/LaunchAgents/hub.parley.plist')
  const agent = text({ words, path: '/bin' })
  expect(agent).toContain('<string>/opt/$my node</string>\n    <string>100% "sure" $HOME \\ ä</string>')
  expect(agent).toContain('<string>&lt;a&amp;b&gt;</string>')
})
