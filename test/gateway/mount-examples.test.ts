import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { basesOf } from '../../src/governance/gateway/mounts/bases.ts'
import { parseMount } from '../../src/governance/gateway/mounts/mount-config.ts'
import { said, startGateway, untilMount } from '../support/upstream/gateway.ts'

interface Example {
  command: string
  args: string[]
}

const GUIDE = readFileSync(new URL('../../docs/mounts.md', import.meta.url), 'utf8')
const EXAMPLES = [...GUIDE.matchAll(/```json\n(.*?)```/gs)].map(
  ([, json = '']) => JSON.parse(json).mcpServers.docs as Example,
)
const SERVER = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js')
const [byUser, withoutNet, inContainer] = EXAMPLES as [Example, Example, Example]

/** What stands before the server. */
function before({ args }: Example): string[] {
  return args.slice(0, args.indexOf('mcp-server-filesystem'))
}

/** What a program says that is started so; nothing where this machine cannot. */
function triedWith(example: Example, script: string): string | undefined {
  const { status, stdout } = spawnSync(example.command, [...before(example), process.execPath, '-e', script])
  return status === 0 ? String(stdout) : undefined
}

/** A real hub with this example, for a folder with a file for everyone and one for its owner. */
async function mounted(example: Example) {
  // Those of other tests are for nobody else.
  const folder = mkdtempSync('/tmp/parley-docs-')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'open.txt'), 'for everyone', { mode: 0o644 })
  writeFileSync(join(folder, 'own.txt'), 'for its owner', { mode: 0o600 })
  const docs = { command: example.command, args: [...before(example), process.execPath, SERVER, folder] }
  const { gateway, connect } = await startGateway({ servers: { docs } })
  await untilMount(gateway, 'docs', ({ state }) => state === 'ready')
  const client = await connect()
  return (name: string) => said(client, 'docs_read_text_file', { path: join(folder, name) })
}

const REACHES = `require('node:fs').accessSync(${JSON.stringify(SERVER)})`

test.skipIf(process.getuid?.() !== 0 || triedWith(byUser, REACHES) === undefined)(
  '[G268] a mount runs under another user as the guide shows, and reads what that one may',
  async () => {
    expect(triedWith(byUser, 'process.stdout.write(String(process.getuid() === 0))')).toBe('false')
    const read = await mounted(byUser)
    expect(await read('open.txt')).toBe('for everyone')
    expect(await read('own.txt')).toContain('EACCES')
  },
)

const NETS = `process.stdout.write(JSON.stringify(require('node:os').networkInterfaces()))`

test.skipIf(triedWith(withoutNet, REACHES) === undefined)(
  '[G268] and without a network, with all files that its user may read',
  async () => {
    expect(triedWith(withoutNet, NETS)).toBe('{}')
    const read = await mounted(withoutNet)
    expect(await read('open.txt')).toBe('for everyone')
    expect(await read('own.txt')).toBe('for its owner')
  },
)

test('[G268] every example of the guide is a mount, and of what sees other files nobody knows the folders', () => {
  expect(EXAMPLES.map((example) => parseMount('docs', example))).toEqual(EXAMPLES)
  expect(basesOf(parseMount('docs', inContainer))).toBeUndefined()
  for (const command of ['unshare', 'nsenter', 'bwrap', 'firejail', 'runuser', 'systemd-run'])
    expect(basesOf(parseMount('docs', { ...withoutNet, command }))).toBeUndefined()
  expect(basesOf(parseMount('docs', byUser))).toEqual([process.cwd()])
})
