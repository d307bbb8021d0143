import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { VERSION } from '../../src/protocol/version.ts'
import { environment } from '../support/agent.ts'
import { installedPackage } from '../support/cli/installed.ts'
import { temporaryFolder } from '../support/hub.ts'

const SENTENCE =
  'This Parley is in the cache of npx, which is cleared now and then: npm install --global parley-hub keeps one'
const QUESTION = `Run npm install --global parley-hub@${VERSION}, and go on with that one? [Y/n] `
const TERMINAL = '/usr/bin/script'
const { packed, tarball } = installedPackage()

test.skipIf(process.platform !== 'linux' || !existsSync(TERMINAL))(
  '[C285] at a terminal npx parley-hub connect installs Parley for good if it may, and the installed one connects',
  async () => {
    const { ask, config, installed } = await openHomeWithRegistry()
    const refused = await ask('n')
    expect(refused).toContain(SENTENCE)
    expect([existsSync(config), existsSync(installed)]).toEqual([false, false])
    expect(await ask('')).toContain('Codex: connected')
    expect(readFileSync(config, 'utf8')).toContain(`"${installed}"`)
  },
)

test('[C285] where nobody can answer nothing is installed, and one sentence says what to do', async () => {
  const { connect, config, installed } = await openHomeWithRegistry()
  const child = connect('npx', ['--yes', 'parley-hub', 'connect'])
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  expect(await once(child, 'close')).toEqual([1, null])
  expect(said).toContain(`${SENTENCE}\n`)
  expect([existsSync(config), existsSync(installed)]).toEqual([false, false])
})

/** A person with Codex and npm, to whom a registry gives this very package. */
async function openHomeWithRegistry() {
  const home = await temporaryFolder()
  const [bin, prefix] = [join(home, 'bin'), join(home, 'npm')]
  for (const folder of [bin, join(prefix, 'lib')]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(bin, 'codex'), '#!/bin/sh\n', { mode: 0o755 })
  const env = environment({
    HOME: home,
    PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter),
    npm_config_registry: await startRegistry(),
    npm_config_prefix: prefix,
    npm_config_cache: join(home, 'cache'),
    npm_config_update_notifier: 'false',
  })
  return {
    connect,
    ask,
    config: join(home, '.codex/config.toml'),
    installed: join(prefix, 'lib/node_modules/parley-hub/bin/parley.js'),
  }

  function connect(command: string, args: string[]) {
    const child = spawn(command, args, { cwd: home, env, stdio: ['pipe', 'pipe', 'pipe'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }

  /** What is on the screen of who answers the question so. */
  async function ask(answer: string): Promise<string> {
    const child = connect(TERMINAL, ['-qec', 'npx --yes parley-hub connect', '/dev/null'])
    let said = ''
    child.stdout.on('data', (chunk) => {
      const isAsked = said.includes(QUESTION)
      said += chunk
      if (!isAsked && said.includes(QUESTION)) child.stdin.write(`${answer}\n`)
    })
    await once(child, 'close')
    return said
  }
}

/** One that has nothing but this package. */
async function startRegistry(): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return response.end(readFileSync(tarball()))
    const version = { name: 'parley-hub', version: VERSION, bin: { parley: 'bin/parley.js' } }
    const dist = { tarball: `${url}/parley-hub.tgz`, integrity: packed().integrity }
    const about = {
      name: 'parley-hub',
      'dist-tags': { latest: VERSION },
      versions: { [VERSION]: { ...version, dist } },
    }
    response.statusCode = request.url === '/parley-hub' ? 200 : 404
    response.end(JSON.stringify(about))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return url
}
