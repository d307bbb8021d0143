import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { watching } from '../support/driven/driven.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { startParley } from '../support/process.ts'

test('[S138] a runner that the owner starts needs no token where people sign in, and goes on when they begin to', async () => {
  const data = await temporaryFolder()
  const { view, tokens } = await startHubWithSocket(data)
  await tokens.protect()
  startParley(['run', '--command', 'cat', '--conversation', 'work', '--data', data])
  const watch = watching(view)
  await view.say('work', { text: 'Deploy now?' })
  expect(await watch.until('turn')).toMatchObject([{ outcome: 'ended' }])
  expect(watch.bodies('message').map(({ text }) => text)).toEqual(['Deploy now?', 'Deploy now?'])
  await tokens.unprotect()
  await view.say('work', { text: 'And now?' })
  await watch.until('turn', 2)
  await tokens.protect()
  await view.say('work', { text: 'And again?' })
  await watch.until('turn', 3)
})

test('[S138] it has no name that a token has, and is told so in one sentence', async () => {
  const data = await temporaryFolder()
  const { tokens } = await startHubWithSocket(data)
  await tokens.create({ name: 'runner cat', role: 'human' })
  const { code, stderr } = await startParley(['run', '--command', 'cat', '--name', 'cat', '--data', data]).ended
  expect([code, stderr.split('\n').at(-2)]).toEqual([1, '"runner cat" has a token of its own; choose another name'])
})

test.each([['run', '--command', 'cat'], ['status'], ['serve', '--port', '0'], ['token', 'list'], ['stdio']])(
  '[S139] whatever ends %s is told in one sentence',
  async (...words) => {
    const data = await temporaryFolder()
    const preload = join(data, 'fails.cjs')
    const fail = `process.on('newListener', (event) => event === 'uncaughtException' && process.nextTick(() => { throw new TypeError('Boom\\nat once') }))`
    await writeFile(preload, fail)
    const env = { PARLEY_DATA: join(data, 'hub'), NODE_OPTIONS: `--require=${preload}` }
    const { code, stderr } = await startParley(words, env).ended
    expect([code, stderr.split('\n').at(-2)]).toEqual([1, 'Something went wrong inside Parley: Boom'])
    expect(stderr).not.toMatch(/^ +at |\.c?[jt]s:\d/m)
  },
)
