import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { executable } from '../support/agent.ts'
import { eventually } from '../support/eventually.ts'
import { codeIn, commandsIn } from '../support/guide.ts'
import { temporaryFolder } from '../support/hub.ts'
import { freePort, startParley } from '../support/process.ts'

const SSHD = '/usr/sbin/sshd'
/** Where sshd of root wants to be locked in. */
const CELL = '/run/sshd'
const canServe = process.platform === 'linux' && existsSync(SSHD) && (process.getuid?.() !== 0 || existsSync(CELL))
const SHOWN = '4117:localhost:4117'

test.skipIf(!canServe)(
  '[R48] over SSH the hub is reached as the guide says, by its own port alone',
  async ({ skip }) => {
    const data = await temporaryFolder()
    const [port, other] = [await freePort(), await freePort()]
    const box = await openBox(data)
    if ((await box.run('box', 'true')).code !== 0) skip('sshd lets nobody in here')
    const hub = startParley(['serve', '--port', `${port}`, '--data', data])
    const url = await hub.url
    const [here = [], open = [], there = []] = commandsIn('ssh')
      .filter(([program]) => program === 'ssh')
      .map(([, ...words]) => words)

    // Both ends are this machine, so that each tunnel begins at an address of its own.
    void box.run(...tunnel(here, `127.0.0.3:${port}:localhost:${port}`))
    void box.run(...tunnel(here, `127.0.0.3:${other}:localhost:${port}`))
    void box.run('-N', ...tunnel(there, `127.0.0.4:${port}:localhost:${port}`))
    for (const address of ['127.0.0.3', '127.0.0.4'])
      await eventually(async () => expect(await statusAt(address, port)).toBe(200))
    await eventually(async () => expect(await statusAt('127.0.0.3', other)).toBe(403))

    expect(await box.run(...open)).toMatchObject({ code: 0, stdout: `${url}\n` })
    const [entry = ''] = codeIn('ssh', 'json')
    const { command, args } = JSON.parse(entry).mcpServers.parley
    const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
    onTestFinished(() => client.close())
    await client.connect(new StdioClientTransport({ command, args: [...box.config, ...args], stderr: 'ignore' }))
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['send_message'])
  },
)

function tunnel(words: string[], ends: string): string[] {
  expect(words).toContain(SHOWN)
  return words.map((word) => word.replace(SHOWN, ends))
}

/** What a browser gets that calls it by the name of this machine. */
async function statusAt(host: string, port: number): Promise<number | undefined> {
  const asked = get({ host, port, path: '/healthz', headers: { host: `localhost:${port}` }, agent: false })
  const [answer] = await once(asked, 'response')
  await text(answer)
  return answer.statusCode
}

/** This machine as another one, called box, that has parley on its path. */
async function openBox(data: string) {
  const folder = await temporaryFolder()
  const [port, bin] = [await freePort(), join(folder, 'bin')]
  for (const key of ['host', 'id'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, key)])
  await mkdir(bin)
  const parley = `#!/bin/sh\nexec '${process.execPath}' '${executable}' "$@"\n`
  await writeFile(join(bin, 'parley'), parley, { mode: 0o755 })
  await writeFile(
    join(folder, 'sshd_config'),
    `Port ${port}
ListenAddress 127.0.0.1
HostKey ${folder}/host
AuthorizedKeysFile ${folder}/id.pub
PidFile none
StrictModes no
UsePAM no
PermitRootLogin yes
GatewayPorts clientspecified
SetEnv PATH=${bin}:/usr/bin:/bin PARLEY_DATA=${data} PORT=0
`,
  )
  await writeFile(
    join(folder, 'ssh_config'),
    `Host box
  HostName 127.0.0.1
  Port ${port}
  User ${userInfo().username}
  IdentityFile ${folder}/id
  IdentitiesOnly yes
  BatchMode yes
  UserKnownHostsFile ${folder}/known
  StrictHostKeyChecking no
  LogLevel ERROR
`,
  )
  const sshd = spawn(SSHD, ['-D', '-e', '-f', join(folder, 'sshd_config')])
  endWith(sshd)
  let said = ''
  for await (const chunk of sshd.stderr.iterator({ destroyOnReturn: false })) {
    said += chunk
    if (said.includes('Server listening')) break
  }
  // It goes on telling, and would stop if nobody took it.
  sshd.stderr.resume()
  const config = ['-F', join(folder, 'ssh_config')]
  return { config, run }

  async function run(...words: string[]) {
    const child = spawn('ssh', [...config, ...words], { stdio: ['ignore', 'pipe', 'ignore'] })
    endWith(child)
    const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
    return { code, stdout }
  }
}

function endWith(child: ReturnType<typeof spawn>) {
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill()
    await ended
  })
}
