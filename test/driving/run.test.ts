import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { watching } from '../support/driven/driven.ts'
import { startModelServer } from '../support/driven/model-servers.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { openPage, told } from '../support/page.ts'
import { freePort, startParley } from '../support/process.ts'

async function refusalOf(args: string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await startParley(['run', ...args], env).ended
  expect(stdout).toBe('')
  return [code, stderr]
}

test('[C110] run is told which agent it drives, and nothing that is for another kind', async () => {
  const one = '--name is for one agent; say which with --acp, --model or --command; see parley run --help\n'
  expect(await refusalOf(['--name', 'a'])).toEqual([2, one])
  expect(await refusalOf(['--command', 'cat', '--acp', 'x'])).toEqual([
    2,
    'run takes one of --acp, --model and --command, not --command too; see parley run --help\n',
  ])
  expect(await refusalOf(['--command', 'cat', '--strict-chat'])).toEqual([
    2,
    '--strict-chat is for --model; see parley run --help\n',
  ])
  expect(await refusalOf(['--command', 'cat', '--max-sessions', '0'])).toEqual([
    2,
    '--max-sessions must be a number from 1 to 1000, not "0"; see parley run --help\n',
  ])
  expect(await refusalOf(['--command', 'cat', '--delivery', 'stear'])).toEqual([
    2,
    'Unknown delivery stear; did you mean steer?\n',
  ])
  expect(await refusalOf(['--model', 'x', '--mcp', 'files'])).toEqual([
    2,
    '--mcp takes NAME=COMMAND or NAME=URL, and "files" is neither; see parley run --help\n',
  ])
  expect(await refusalOf(['--model', 'x', '--instructions', '/nowhere.md'])).toEqual([
    2,
    '--instructions takes a file with text, and "/nowhere.md" cannot be read; see parley run --help\n',
  ])
})

test('[C123] what a model is told besides is in a file, and the flow of old that it asks for works', async () => {
  const data = await temporaryFolder()
  const file = join(data, 'instructions.md')
  await writeFile(file, 'Say it with ui_send_message, then call ui_end_turn.')
  const calls = [
    { name: 'ui_send_message', input: { mime: 'text/markdown', content: 'Acknowledged.' } },
    { name: 'ui_end_turn', input: {} },
  ]
  const { url, asked } = await startModelServer('openai', [{ calls }])
  const { view } = await startHubWithSocket(data)
  const watch = watching(view)
  const model = ['--model', 'vllm:small', '--base-url', url, '--instructions', file]
  startParley(['run', ...model, '--conversation', 'work', '--data', data])
  await view.say('work', { text: 'Deploy now?' })
  expect(await watch.until('turn')).toMatchObject([{ outcome: 'ended' }])
  expect(watch.bodies('message').map(({ text }) => text)).toEqual(['Deploy now?', 'Acknowledged.'])
  expect(JSON.stringify(asked[0]?.body.messages)).toContain('Say it with ui_send_message')
})

test('[C111] [O216] a program or a folder that is not there is one sentence, and nothing stays', async () => {
  const data = await temporaryFolder()
  const nowhere = join(data, 'nowhere')
  expect(await refusalOf(['--command', 'cat', '--data', data, '--cwd', nowhere])).toEqual([
    1,
    `${nowhere} does not exist; make it, or name another with --cwd\n`,
  ])
  const file = join(data, 'file')
  await writeFile(file, '')
  expect(await refusalOf(['--command', 'cat', '--data', data, '--cwd', file])).toEqual([
    1,
    `${file} is a file; name a folder with --cwd\n`,
  ])
  expect(await refusalOf(['--command', 'cat', '--data', data, '--cwd', '~/nowhere'], { HOME: data })).toEqual([
    1,
    `${nowhere} does not exist; make it, or name another with --cwd\n`,
  ])
  expect(await refusalOf(['--command', 'no-such-program -x', '--data', data])).toEqual([
    1,
    'The program "no-such-program" cannot be started (it is not there); install it, or give its path\n',
  ])
})

test('[C112] a second run of the same name says what to do, and the first goes on', async () => {
  const data = await temporaryFolder()
  const { view } = await startHubWithSocket(data)
  const first = startParley(['run', '--command', 'cat', '--name', 'cat', '--data', data])
  await first.said(/"cat" is there for you/)
  const [code, stderr] = await refusalOf(['--command', 'cat', '--name', 'cat', '--data', data])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^This runner is already running, in another process that has .* with --name\n$/)
  const [, other] = await refusalOf([
    '--command',
    'cat',
    '--name',
    'cat',
    '--data',
    data,
    '--state',
    join(data, 's.db'),
  ])
  expect(other).toMatch(/^A runner "cat" is already there, in .*; choose another name with --name, or end that one/m)
  const { conversation } = await view.start({ runner: 'cat' }, { text: 'Still there?' }, 'k')
  const watch = watching(view, conversation)
  await watch.until('turn')
  expect(watch.bodies('message').at(-1)).toMatchObject({ author: 'assistant', text: 'Still there?' })
})

test('[C113] run starts a hub when none runs, and ends in good order when it is told to', async () => {
  const data = await temporaryFolder()
  const port = await freePort()
  const args = ['run', '--command', 'sed s/in/out/', '--conversation', 'work', '--data', data]
  const runner = startParley(args, { PORT: `${port}`, PARLEY_KEEP: '60' })
  await runner.said(/sed is there for you in "work", at http:\/\/localhost:\d+/)
  const page = openPage(`http://localhost:${hubOf(data).port}`)
  await page.started
  await page.post('work', 'in and up')
  await page.until(() => told(page, 'turn').length === 1)
  expect(told(page, 'message').map(({ text }) => text)).toEqual(['in and up', 'out and up'])
  runner.child.kill('SIGTERM')
  expect((await runner.ended).code).toBe(0)
  await startParley(args).said(/sed is there for you/)
  await page.post('work', 'in again')
  await page.until(() => told(page, 'turn').length === 2)
})

test('[C114] a program runs in the folder that was named and knows its conversation; what it says of a failure is told', async () => {
  const [data, folder] = [await temporaryFolder(), await temporaryFolder()]
  await mkdir(join(folder, 'project'))
  await writeFile(join(folder, 'project', 'here.txt'), 'yes')
  const { view } = await startHubWithSocket(data)
  const watch = watching(view)
  const command = 'cat here.txt; echo " $PARLEY_SESSION"; echo because >&2; exit 3'
  const args = ['run', '--command', command, '--conversation', 'work', '--data', data, '--cwd', join(folder, 'project')]
  startParley(args)
  await view.say('work', { text: 'Go' })
  expect(await watch.until('turn')).toMatchObject([{ outcome: 'failed' }])
  expect(watch.bodies('message').at(-1)).toMatchObject({ text: 'yes work\n' })
  expect(watch.bodies('error')).toMatchObject([{ error: `${command} ended with code 3: because` }])
})

test('[C120] a hub that cannot be reached is one sentence', async () => {
  const data = await temporaryFolder()
  await writeFile(join(data, 'parley.db'), 'x'.repeat(8192))
  const [code, stderr] = await refusalOf(['--command', 'cat', '--data', data])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^\S+parley\.db is damaged or not a Parley log .*\n$/)
})
