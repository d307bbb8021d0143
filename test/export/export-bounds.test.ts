import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { forTerminal } from '../../src/cli/folder/export.ts'
import { createExports } from '../../src/export/exports.ts'
import { EXPORT_FORMATS } from '../../src/protocol/frames/export.ts'
import { environment, executable } from '../support/agent.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
/** Writes to the clipboard, colours, ends the line before, turns around, and an older form of the first. */
const STEERING = '\x1b]52;c;ZXZpbA==\x07\x1b[31m\r\x7f\u202e\x9d52;c;eA==\x9c'
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
const STEERS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/

test('[S151] an export of JSON that is nested as deep as it can be is no more than ten times as long', async () => {
  const { view, files } = await startHub()
  const depth = 400_000
  const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`
  const wide = JSON.stringify(JSON.parse(`${'[['.repeat(30)}${'[],'.repeat(100_000)}[]${']]'.repeat(30)}`))
  for (const text of [deep, wide]) await view.tell('work', { by: 'codex', text, mime: 'application/json' })
  for (const format of EXPORT_FORMATS) {
    const { chunks } = await createExports({ files }).open({ source: view, name: 'work', format })
    let length = 0
    for await (const chunk of chunks) length += chunk.length
    expect(length).toBeGreaterThan(deep.length + wide.length)
    expect(length).toBeLessThan(10 * (deep.length + wide.length))
  }
})

test('[S152] an export is written for who downloads it, and never for what a page shows', async () => {
  const { url, view } = await startHub()
  await view.say('work', { text: 'Hello' })
  const asked = (dest?: string) =>
    fetch(`${url}/api/export/work`, { headers: dest === undefined ? {} : { 'sec-fetch-dest': dest } })
  for (const dest of ['image', 'iframe', 'embed', 'object', 'script', 'style', 'audio', 'video', 'font', 'worker']) {
    const refused = await asked(dest)
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { error: `An export is downloaded, and not shown as ${dest}` },
    ])
  }
  for (const dest of ['document', 'empty', undefined]) expect(await (await asked(dest)).text()).toContain('Hello')
})

test('[S152] everybody has one export at a time: a second one is refused until the first has left or was left', async () => {
  const { url, view, tokens } = await startHub()
  for (let n = 0; n < 40; n++) await view.say('work', { text: `${n} ${'x'.repeat(200_000)}` })
  const [ada, bob] = await Promise.all(['ada', 'bob'].map(async (name) => (await tokens.create({ name })).secret))
  const asked = (secret = '', more: RequestInit = {}) =>
    fetch(`${url}/api/export/work?format=json`, { headers: bearer(secret), ...more })
  const leaving = new AbortController()
  const first = await asked(ada, { signal: leaving.signal })
  expect(first.status).toBe(200)
  const second = await asked(ada)
  expect([second.status, await second.json()]).toEqual([
    429,
    { error: 'Another export of yours is still being written; wait for it' },
  ])
  expect((await asked(ada, { method: 'HEAD' })).status).toBe(200)
  expect((await (await asked(bob)).text()).length).toBeGreaterThan(8_000_000)
  leaving.abort()
  const again = async () => (await asked(ada)).text()
  await expect.poll(async () => (await again()).length).toBeGreaterThan(8_000_000)
  expect((await again()).length).toBeGreaterThan(8_000_000)
})

test('[S153] nothing that was said steers a terminal; in a file and in a pipe it stays as it was', async () => {
  const data = await temporaryFolder()
  const { view, close } = await startHub(data)
  await view.say('work', { text: `Look ${STEERING} here` })
  await close()
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, [executable, 'export', 'work', '--data', data], { env: environment() })
  expect(stdout).toContain('\x1b]52;c;ZXZpbA==\x07')
  const bytes = Buffer.from(stdout)
  // Cut in the middle of a letter, too.
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, n) => bytes.subarray(7 * n, 7 * n + 7))
  const shown = (await Array.fromAsync(forTerminal(toAsync(pieces)))).join('')
  expect(shown).not.toMatch(STEERS)
  expect(shown).toContain('\\u001b]52;c;ZXZpbA==\\u0007')
})

test.for([
  ['a command', ['forget', `no ${STEERING} such`, '--yes']],
  ['a line', ['stdio', `--no-${STEERING}`]],
] as [string, string[]][])('[S153] what %s says of names that others chose steers no terminal', async ([_, args]) => {
  const data = await temporaryFolder()
  const { view, close } = await startHub(data)
  await view.say('work', { text: 'Hello' })
  await close()
  const { status, stdout, stderr } = spawnSync(process.execPath, [executable, ...args], {
    env: environment({ PARLEY_DATA: data }),
    encoding: 'utf8',
  })
  expect(status).not.toBe(0)
  expect(stdout + stderr).not.toMatch(STEERS)
  expect(stderr).toContain('\\u001b]52')
})

async function* toAsync<Item>(items: Item[]) {
  yield* items
}
