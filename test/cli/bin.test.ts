import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openBuilds } from '../../scripts/builds.ts'
import { temporaryFolder } from '../support/hub.ts'

const BIN = fileURLToPath(new URL('../../bin', import.meta.url))

/** The command with a build whose two programs only say which of them runs, in which process and with which words. */
async function command({ built = true } = {}) {
  const folder = await temporaryFolder()
  cpSync(BIN, join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(folder, 'older.cjs'),
    "Object.defineProperty(process, 'versions', { value: { node: process.env.OLDER } })",
  )
  if (built) {
    const builds = openBuilds(join(folder, 'dist'))
    const build = builds.begin('only')
    for (const [file, name] of [
      ['line.cjs', 'line'],
      ['cli.js', 'cli'],
    ] as const) {
      const words = 'JSON.stringify(process.argv.slice(2))'
      writeFileSync(join(build, file), `console.log('${name}', process.pid, ${words}); process.stdin.unref()`)
    }
    builds.finish('only', build)
    builds.switchTo('only')
  }
  return { folder, bin: join(folder, 'bin/parley.js'), run }

  async function run(words: string[], { older = '', stdin = 'pipe' as 'pipe' | 'ignore', program = '' } = {}) {
    const preload = older ? ['--require', join(folder, 'older.cjs')] : []
    const child: ChildProcess = spawn(
      process.execPath,
      [...preload, program || join(folder, 'bin/parley.js'), ...words],
      {
        stdio: [stdin, 'pipe', 'pipe'],
        env: { PATH: process.env.PATH, OLDER: older },
      },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    const [said, complaint, [code]] = await Promise.all([
      text(child.stdout as NodeJS.ReadableStream),
      text(child.stderr as NodeJS.ReadableStream),
      once(child, 'exit'),
    ])
    const [what, pid, given] = said.trim().split(' ')
    return { what, inThisProcess: Number(pid) === child.pid, given, complaint, code }
  }
}

test('[C103] what an agent starts is the line, in the very process; everything else is a command', async () => {
  const { run } = await command()
  for (const words of [['stdio'], ['stdio', '--data', 'memory'], [], ['--surface', 'agent']])
    expect(await run(words)).toMatchObject({ what: 'line', inThisProcess: true, given: JSON.stringify(words) })
  for (const words of [['serve'], ['help'], ['stdio', '--help'], ['stdio', '-h'], ['--version'], ['-v']])
    expect(await run(words)).toMatchObject({ what: 'cli', inThisProcess: true, given: JSON.stringify(words) })
  expect(await run([], { stdin: 'ignore' })).toMatchObject({ what: 'cli' })
})

test('[C103] any Node from 20 on is enough for the line; the rest gets the Node that came along', async () => {
  const { folder, run } = await command()
  for (const older of ['20.0.0', '22.12.0', '24.14.1'])
    expect(await run(['stdio'], { older })).toMatchObject({ what: 'line', inThisProcess: true })
  const own = join(folder, 'node_modules/.bin')
  mkdirSync(own, { recursive: true })
  symlinkSync(process.execPath, join(own, 'node'))
  expect(await run(['serve'], { older: '20.0.0' })).toMatchObject({ what: 'cli', inThisProcess: false, code: 0 })
  expect(await run(['serve'], { older: '24.15.0' })).toMatchObject({ what: 'cli', inThisProcess: true })
})

test('[C99] where nothing is built, or Node is too old, one sentence says so', async () => {
  const { run } = await command()
  for (const [older, word] of [
    ['18.20.0', 'stdio'],
    ['22.12.0', 'serve'],
  ] as const) {
    const { code, complaint } = await run([word], { older })
    expect([code, complaint]).toEqual([
      1,
      expect.stringMatching(/^Parley needs Node 24\.15 or newer, and this is .+\n$/),
    ])
  }
  const { code, complaint } = await (await command({ built: false })).run(['serve'])
  expect([code, complaint]).toEqual([1, 'Parley is not built yet: run npm run build\n'])
})

test.skipIf(process.platform === 'win32')(
  '[C243] from a folder whose name has a backslash nothing is run',
  async () => {
    const { folder, run } = await command()
    cpSync(BIN, join(folder, 'a\\b/bin'), { recursive: true })
    const { code, complaint } = await run(['serve'], { program: join(folder, 'a\\b/bin/parley.js') })
    expect([code, complaint]).toEqual([1, `Parley does not run where a folder has a \\ in its name: ${folder}/a\\b\n`])
  },
)

test('[C99] the command works through a link to it, as npm makes one', async () => {
  const { bin, run } = await command()
  const link = join(await temporaryFolder(), 'parley')
  symlinkSync(bin, link)
  expect(await run(['serve'], { program: link })).toMatchObject({ what: 'cli', code: 0 })
})
