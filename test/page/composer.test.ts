import { expect, test } from 'vitest'
import { agentOverStdio } from '../support/agent.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { startParley } from '../support/process.ts'
import { connectPage } from '../support/socket.ts'

const composerAt = async (url: string) => (await connectPage(url)).welcome.composer

test('[W33] the welcome tells a page when people can write', async () => {
  const { url } = await startHub()
  expect(await composerAt(url)).toBe('always')
})

test('[C58] serve takes --composer and PARLEY_COMPOSER, and the flag wins', async () => {
  const args = ['serve', '--port', '0', '--data', 'memory']
  const env = { PARLEY_COMPOSER: 'when-asked' }
  expect(await composerAt(await startParley([...args, '--composer', 'when-asked']).url)).toBe('when-asked')
  expect(await composerAt(await startParley(args, env).url)).toBe('when-asked')
  expect(await composerAt(await startParley([...args, '--composer', 'always'], env).url)).toBe('always')
})

test('[C58] the hub that stdio starts has it, and a later agent that wants another is told so', async () => {
  const data = await temporaryFolder()
  const first = await agentOverStdio({ args: ['stdio', '--composer', 'when-asked'], env: { PARLEY_DATA: data } })
  expect(await composerAt(await first.url)).toBe('when-asked')
  const second = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_COMPOSER: 'always' } })
  await second.said(/--composer/)
  expect(await composerAt(await second.url)).toBe('when-asked')
})

test.each(['serve', 'stdio'])('[C58] %s refuses another word, with the nearest right one', async (command) => {
  const { ended } = startParley([command, '--composer', 'when-ask'], { PARLEY_DATA: await temporaryFolder() })
  const { code, stderr } = await ended
  expect(code).toBe(2)
  expect(stderr.trim()).toBe('Unknown composer when-ask; did you mean when-asked?')
})
