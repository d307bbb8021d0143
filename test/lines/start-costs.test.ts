import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { startLine } from '../support/lines/line-process.ts'

const BIN = fileURLToPath(new URL('../../bin/parley.js', import.meta.url))
const PROBE = fileURLToPath(new URL('../support/lines/start-probe.cjs', import.meta.url))
const HANDSHAKE = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'codex', version: '1' } }

interface Probed {
  /** Files of ours, Node's own modules, and everything that was opened by our code. */
  loaded: string[]
  builtin: string[]
  opened: string[]
}

test('[M93] before its first answer a start loads 6 files, at most 19 and 32 modules of Node, and opens 10 files', async () => {
  const [data, probed] = await Promise.all([temporaryFolder(), temporaryFolder()])
  // The second one finds what is made once for a folder.
  for (let starts = 0; starts < 2; starts++) await start(data, probed)
  const [line, hub] = ['parley.js', 'background.js'].map((program) => probedIn(probed, program)) as [Probed, Probed]
  expect(line.loaded).toEqual(['parley.js', 'line.cjs'])
  expect(hub.loaded).toEqual(['background.js', 'background-main.js', 'shared.js', 'listens.js'])
  expect(line.builtin.length, line.builtin.join()).toBeLessThanOrEqual(19)
  expect(hub.builtin.length, hub.builtin.join()).toBeLessThanOrEqual(32)
  const files = ['current', 'hub.log', 'hub.starting', 'last-hub.json', 'owner.key', 'urandom']
  expect(namesOf(line)).toEqual(files)
  expect(namesOf(hub)).toEqual(['PID', 'last-hub.json', 'last-hub.json.new', 'owner.key'])
})

test('[M94] a hub that was idle all its life has loaded nothing of Node that only others need', async () => {
  const [data, probed] = await Promise.all([temporaryFolder(), temporaryFolder()])
  await start(data, probed)
  const had: string[] = await eventually(() => JSON.parse(readFileSync(join(probed, 'background.js.end.json'), 'utf8')))
  expect(had).toEqual(expect.arrayContaining(['http', 'worker_threads']))
  const others = ['tls', 'https', 'zlib', 'http2', 'inspector', 'internal/deps/undici/undici']
  expect(had.filter((name) => others.includes(name))).toEqual([])
})

/** From the first word of a client to its first answer, and then to the end of both processes. */
async function start(data: string, probed: string) {
  const env = { PARLEY_DATA: data, PARLEY_KEEP: '0', PORT: '0', PROBED: probed, NODE_OPTIONS: `--require=${PROBE}` }
  const line = startLine({ program: BIN, args: ['stdio'], env })
  line.request(1, 'initialize', HANDSHAKE)
  await line.next()
  // The hub is open by then.
  await line.told(/http/)
  line.child.stdin.end()
  await line.ended
  await hubOf(data).ended()
}

function probedIn(folder: string, program: string): Probed {
  return JSON.parse(readFileSync(join(folder, `${program}.json`), 'utf8'))
}

/** What was opened and not loaded, without repetition: some functions of Node open by another one. */
function namesOf({ opened, loaded }: Probed): string[] {
  const names = opened.map((path) => basename(path).replace(/^\d+$/, 'PID'))
  return [...new Set(names)].filter((name) => !loaded.includes(name)).toSorted()
}
