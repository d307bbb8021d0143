import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { agentOverStdio } from '../../../test/support/agent.ts'
import { temporaryFolder } from '../../../test/support/hub.ts'
import { openerCalled } from '../../../test/support/opener.ts'
import { startParley } from '../../../test/support/process.ts'
import { upgrade } from '../../../test/support/upgrade.ts'

const PROTECTED =
  'protected: people sign in, with parley open, and agents of this folder can neither answer nor approve'
const OPEN = 'open: any program of yours can answer and approve; parley protect ends that'
const AGENTS = 'Agents started as parley stdio go on without a token; over HTTP they need one: parley token create'

async function told(args: string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await startParley(args, env).ended
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

test('[C132] protect and --off, before there is a hub, each once and again', async () => {
  const env = { PARLEY_DATA: join(await temporaryFolder(), 'new') }
  expect(await told(['protect', '--off'], env)).toBe(`It is ${OPEN}\n`)
  expect(await told(['protect'], env)).toBe(`From now on it is ${PROTECTED}\n${AGENTS}\n`)
  expect(await told(['protect'], env)).toBe(`It is ${PROTECTED}\n${AGENTS}\n`)
  expect((await stat(join(env.PARLEY_DATA, 'tokens.json'))).mode & 0o777).toBe(0o600)
  expect(await told(['protect', '--off'], env)).toBe(`From now on it is ${OPEN}\n`)
})

test('[C132] tokens that were made stay, and still protect it', async () => {
  const env = { PARLEY_DATA: await temporaryFolder() }
  await startParley(['token', 'create', 'ada', '--role', 'human'], env).ended
  await told(['protect'], env)
  const off = await told(['protect', '--off'], env)
  expect(off).toBe(`It is ${PROTECTED}\nThere are tokens, which still protect it: parley token list\n`)
})

test('[C132] a hub in memory cannot be protected', async () => {
  expect(await startParley(['protect', '--data', 'memory']).ended).toEqual({
    code: 2,
    stdout: '',
    stderr: 'This needs a data folder, and memory is none; PARLEY_TOKENS protects it\n',
  })
})

test('[C132] [C134] it counts in a hub that runs, for everyone but agents of the folder', async () => {
  const env = { PARLEY_DATA: await temporaryFolder() }
  const hub = startParley(['serve', '--port', '0'], env)
  const url = await hub.url
  await hub.said(new RegExp(`^It is ${OPEN}$`, 'm'))
  expect(await told(['status'], env)).toMatch(new RegExp(`^mode +${OPEN}$`, 'm'))
  expect(await upgrade(url, '/ws')).toMatchObject({ status: 101 })
  await told(['protect'], env)
  expect(await upgrade(url, '/ws')).toMatchObject({ status: 401 })
  expect(await told(['status'], env)).toMatch(new RegExp(`^mode +${PROTECTED}$`, 'm'))
  const agent = await agentOverStdio({ env })
  onTestFinished(() => agent.client.close())
  expect((await agent.client.listTools()).tools).toHaveLength(1)
  await told(['protect', '--off'], env)
  expect(await upgrade(url, '/ws')).toMatchObject({ status: 101 })
})

test('[C134] without a hub status names the mode, too', async () => {
  const env = { PARLEY_DATA: await temporaryFolder() }
  await told(['protect'], env)
  const { code, stdout } = await startParley(['status'], env).ended
  expect([code, stdout.split('\n')[1]]).toEqual([1, `It is ${PROTECTED}`])
  const hub = startParley(['serve', '--port', '0'], env)
  await hub.said(
    new RegExp(`^It is ${PROTECTED}\nSign in, once, within 10 minutes: ${await hub.url}/sign-in/\\S+$`, 'm'),
  )
})

test('[C133] open starts a hub and shows the browser a page of its owner’s that leads to the link', async () => {
  const { path, started } = await openerCalled()
  const env = { PARLEY_DATA: await temporaryFolder(), PARLEY_KEEP: '30', PATH: path, DISPLAY: ':7' }
  onTestFinished(async () => void (await startParley(['stop'], env).ended))
  await told(['protect'], env)
  const ended = startParley(['open', '--port', '0'], env).ended
  const page = fileURLToPath((await started()).trim())
  const { code, stdout, stderr } = await ended
  const [, link = ''] =
    /^Sign in, once, within 10 minutes: (http:\/\/localhost:\d+\/sign-in\/parley_[\w-]{43})\n$/.exec(stderr) ?? []
  expect([code, stdout]).toEqual([0, `${new URL(link).origin}\n`])
  expect((await stat(page)).mode & 0o777).toBe(0o600)
  expect(await readFile(page, 'utf8')).toContain(`<meta http-equiv="refresh" content="0; url=${link}">`)
  const pressed = await fetch(link, { method: 'POST' })
  expect(pressed.headers.get('set-cookie')).toContain('parley=parley_')
})
