import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { processesOf, stayingIn } from '../../scripts/processes.ts'
import { agentOverStdio, environment, executable } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { expectWhole, openPage, waiting } from '../support/page.ts'

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

// Blocks of 512 bytes for each file: nothing at all, enough for a few words, and not enough for a log.
test.each([0, 1, 64])(
  '[C47] on a full disk (%i blocks) a line ends with one sentence, and so does its hub',
  async (blocks) => {
    const data = await temporaryFolder()
    const line = spawn('sh', ['-c', `ulimit -f ${blocks} && exec "$@"`, 'sh', process.execPath, executable, 'stdio'], {
      env: environment({ PARLEY_DATA: data }),
    })
    line.stdin.write(`${JSON.stringify(INITIALIZE)}\n`)
    const [said, , [code]] = await Promise.all([text(line.stderr), text(line.stdout), once(line, 'exit')])
    expect(said).toMatch(/^[^\n]*parley\.db cannot be written[^\n]*\n$/)
    expect(code).toBe(1)
    // It tells its line why before it ends.
    expect(await stayingIn(data, 60_000)).toEqual([])
    expect(readdirSync(data).filter((name) => /^hub\.(sock|starting)|^last-hub\.json\./.test(name))).toEqual([])
  },
)

test.skipIf(process.platform !== 'linux')(
  '[C47] on a disk that has become full the next hub shows what there is, and goes on when there is room',
  async () => {
    const { data, agent, page, reply, question } = await startWaiting()
    limitFiles(agent.pid, '0')
    process.kill(hubOf(data).pid, 'SIGKILL')
    await page.until(() => page.resumed.length === 2)
    expect(await page.answer(question, 'Lost?')).toMatchObject({ type: 'refused' })
    for (const { pid } of processesOf(data)) limitFiles(pid, 'unlimited')
    expect(await page.answer(question, 'Yes')).toMatchObject({ type: 'accepted' })
    expect(await reply).toEqual({ reply: 'Yes' })
    expectWhole(page)
  },
)

test('[C77] a line that had a hub goes on when there can be one again', async () => {
  const { data, agent, page, reply, question } = await startWaiting()
  const log = join(data, 'parley.db')
  const { pid, ended } = hubOf(data)
  process.kill(agent.pid, 'SIGSTOP')
  process.kill(pid, 'SIGKILL')
  await ended()
  renameSync(log, `${log}.away`)
  // Whose place the log takes at once: a hub that looks between would begin another.
  symlinkSync(data, log)
  process.kill(agent.pid, 'SIGCONT')
  await agent.said(/parley\.db/)
  renameSync(`${log}.away`, log)
  await page.answer(question, 'Yes')
  expect(await reply).toEqual({ reply: 'Yes' })
  expectWhole(page)
  // However often it was tried.
  expect(agent.stderr().match(/parley\.db/g)).toHaveLength(1)
})

async function startWaiting() {
  const data = await temporaryFolder()
  const agent = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: 'work' } })
  const page = openPage((await agent.url) ?? '')
  return { data, agent, page, ...(await waiting(agent, page, 'Deploy?')) }
}

/** How long the files may become that this process writes, and whatever it starts from now on. */
function limitFiles(pid: number, bytes: string) {
  execFileSync('prlimit', ['--pid', `${pid}`, `--fsize=${bytes}:`])
}
