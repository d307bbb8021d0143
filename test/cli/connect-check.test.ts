import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { executable } from '../support/agent.ts'
import { openHome } from '../support/cli/home-with-agents.ts'
import { startParley } from '../support/process.ts'

test('[C219] a check ends, whatever the server that was started leaves behind', async () => {
  const { home, write, read, connect } = await openHome(['gemini'])
  const data = join(home, 'data')
  onTestFinished(async () => void (await startParley(['stop', '--data', data]).ended))
  const server = `exec ${process.execPath} ${executable} stdio --data ${data}`
  write('bin/server', `#!/bin/sh\n/bin/sleep 600 & echo $! > ${home}/left\n${server}\n`, 0o755)
  write('.gemini/settings.json', JSON.stringify({ mcpServers: { parley: { command: join(home, 'bin/server') } } }))
  expect(await connect(['--check'])).toMatchObject({ code: 0, stdout: 'Gemini CLI: works, with 1 tool\n' })
  // It fails where that has ended.
  process.kill(Number(read('left')))
})

test('[C262] what a server says of its failure is one line of the check', async () => {
  const { write, connect } = await openHome(['gemini'])
  const lines = 'Gone\nGemini CLI: works, with 6 tools\u001b[2K'
  const failing = `process.stdin.once('data', () => console.log(JSON.stringify({ jsonrpc: '2.0', id: 0, error: { code: 1, message: ${JSON.stringify(lines)} } })))`
  write('failing.cjs', failing)
  const entry = { command: process.execPath, args: ['failing.cjs'] }
  write('.gemini/settings.json', JSON.stringify({ mcpServers: { parley: entry } }))
  const { code, stdout, stderr } = await connect(['--check'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^Gemini CLI: does not work: .*Gone Gemini CLI: works, with 6 tools\\u001b\[2K\n$/)
})
