import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRunFolder } from '../../scripts/run-folder.ts'

/*
 * A run of tests that leaves a folder and a process behind, as a hub is one: detached, and nobody waits for it. With the
 * word `stopped`, that process is stopped, so that no signal but one ends it.
 */
const { folder, close, endOnSignals } = openRunFolder()
endOnSignals()
const data = mkdtempSync(join(tmpdir(), 'parley-test-'))
const hub = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', data], { detached: true, stdio: 'ignore' })
hub.unref()
if (process.argv.includes('stopped')) hub.kill('SIGSTOP')
console.log(JSON.stringify({ folder, data, pid: hub.pid }))
process.stdin.once('data', async () => {
  console.log(JSON.stringify(await close()))
  process.exit()
})
