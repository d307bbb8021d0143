import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { environment, executable } from '../support/agent.ts'
import { squat } from '../support/faults/squatter.ts'
import { temporaryFolder } from '../support/hub.ts'
import { startParley } from '../support/process.ts'

/** A network of its own, which has an IPv6 that was turned off. */
const WITHOUT_IPV6 = 'ip link set lo up && echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6'
const canBeWithout = spawnSync('unshare', ['-n', 'sh', '-c', WITHOUT_IPV6]).status === 0

test.each(['127.0.0.1', '::1'])('[S33] serve ends where another program has its port at %s', async (its) => {
  const squatter = await squat(0, [its])
  const { code, stdout, stderr } = await startParley([
    'serve',
    '--port',
    `${squatter.port}`,
    '--data',
    await temporaryFolder(),
  ]).ended
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toBe(`Port ${squatter.port} is used by another program; choose another with --port or PORT\n`)
})

test.runIf(canBeWithout)('[S33] a hub that has one address prints that one, and never localhost', async () => {
  const data = await temporaryFolder()
  const args = [executable, 'serve', '--port', '0', '--data', data]
  const hub = spawn('unshare', ['-n', 'sh', '-c', `${WITHOUT_IPV6} && exec "$@"`, 'sh', process.execPath, ...args], {
    env: environment(),
  })
  onTestFinished(async () => {
    hub.kill('SIGKILL')
    if (hub.exitCode === null) await once(hub, 'close')
  })
  const [first] = await once(hub.stderr, 'data')
  const [url] = /^http:\/\/127\.0\.0\.1:\d+$/m.exec(String(first)) ?? []
  expect(url).toBeDefined()
  const { stdout } = await startParley(['status', '--data', data]).ended
  expect(stdout).toContain(`A hub runs at ${url}\n`)
  expect(stdout).not.toContain('localhost')
})
