import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startHub, temporaryFolder } from '../../test/support/hub.ts'
import { PACKAGE } from '../protocol/version.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TSC = fileURLToPath(import.meta.resolve('@typescript/native/package.json').replace('package.json', 'bin/tsc'))
const run = promisify(execFile)

/** The document's own lines, and then those of a runtime. */
const PROGRAM = `
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { catchUp } from 'parley-hub/catch-up'
import { createSubscriptionManager, type Options } from 'parley-hub/client'

const client = new Client({ name: 'program', version: '1' })
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2] ?? '')))
const subMgr = createSubscriptionManager(client)
const { id } = await subMgr.call<{ id: string }>('chat_human_post', { mime: 'text/markdown', content: 'Hello' })
const quiet: Options = { readEveryMs: 0 }
createSubscriptionManager(client, quiet).close()

await subMgr.subscribe('ui://chat/inbox', (data) => {
  if (data.error) {
    console.error('Chat resource error:', data.message)
    return
  }
  const inbox = JSON.parse(data[0].text)
  console.log(inbox.messages.length, inbox.last_id === id)
})

for await (const { messages } of catchUp(client, {})) for (const { content } of messages) console.log(content)
subMgr.close()
await client.close()

// @ts-expect-error A tool is named by text.
void (() => subMgr.call(1))
// @ts-expect-error The types are real ones: this is no client.
const wrong: Parameters<typeof createSubscriptionManager>[0] = {}
void wrong
`

test('[I10] [I13] programs import the library from the package, with its types', async () => {
  const { url } = await startHub()
  const folder = await programFolder()
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'esnext',
    '--types',
    'node',
  ]
  const { stdout: complaints } = await run(process.execPath, [TSC, ...options, 'program.mts'], { cwd: folder })
  expect(complaints).toBe('')
  const { stdout } = await run(process.execPath, ['program.mts', `${url}/mcp/human`], { cwd: folder })
  expect(stdout).toBe('1 true\nHello\n')
})

/** A project that has Parley, the SDK and the types of Node among its dependencies. */
async function programFolder(): Promise<string> {
  const folder = await temporaryFolder()
  const modules = join(folder, 'node_modules')
  await mkdir(modules)
  await symlink(ROOT, join(modules, PACKAGE))
  for (const name of ['@modelcontextprotocol', '@types'])
    await symlink(join(ROOT, 'node_modules', name), join(modules, name))
  await writeFile(join(folder, 'program.mts'), PROGRAM)
  return folder
}
