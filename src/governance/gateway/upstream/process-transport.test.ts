import { expect, onTestFinished, test } from 'vitest'
import { areGone, killAll, processWith } from '../../../io/descendants.ts'
import { MARK } from '../../../io/mark.ts'
import { createMountLog } from '../mounts/mount-log.ts'
import { PATIENCE } from '../mounts/patience.ts'
import { createProcessTransport } from './process-transport.ts'

/** The process has a session of its own. */
const DETACHED = `detached: true, stdio: 'ignore'`

test('[C176] what a mounted server started is gone with it, also in a session of its own', async () => {
  const { transport, helper } = await started('process.stdin.resume()')
  await transport.close()
  await areGone([helper])
})

test('[C176] the same when the server ends by itself', async () => {
  const { transport, helper } = await started(`process.stdin.once('data', () => process.exit(1))`)
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  transport.onclose = resolve
  await transport.send({ jsonrpc: '2.0', method: 'end' })
  await closed
  await areGone([helper])
})

test('[C176] what belongs to nobody, as a hub does, stays', async () => {
  const { transport, helper } = await started('setInterval(() => {}, 1000)', { [MARK]: '' })
  await transport.close()
  expect(processWith(helper.pid)).toEqual({ ...helper, parent: expect.any(Number) })
})

/** A server that has started something in a session of its own, and then does what is said. */
async function started(then: string, env = {}) {
  const log = createMountLog((text) => text)
  const options = `{ ${DETACHED}, env: { ...process.env, ...${JSON.stringify(env)} } }`
  const helping = `const { pid } = require('node:child_process').spawn('sleep', ['600'], ${options})`
  const script = `${helping}; console.log(JSON.stringify({ pid })); ${then}`
  const config = { command: process.execPath, args: ['-e', script] }
  const transport = createProcessTransport({ config, data: '', log, limits: PATIENCE })
  const told = Promise.withResolvers<unknown>()
  transport.onmessage = told.resolve
  await transport.start()
  const { pid } = (await told.promise) as { pid: number }
  const helper = processWith(pid)
  if (!helper) throw new Error('nothing was started')
  onTestFinished(() => killAll([helper]))
  expect(helper.command).toContain('sleep')
  return { transport, helper }
}
