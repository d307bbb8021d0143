import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { processesOf } from '../../scripts/processes.ts'
import { agentOverStdio } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { openPage, waiting } from '../support/page.ts'
import { startParley } from '../support/process.ts'

const INITIALIZE = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

/** A Node that starts no other program: because it may not, or because it was removed while it ran. */
async function confined(how: 'forbidden' | 'removed'): Promise<Record<string, string>> {
  if (how === 'forbidden') {
    const allowed = ['--allow-fs-read=*', '--allow-fs-write=*', '--allow-net', '--no-warnings']
    return { NODE_OPTIONS: ['--permission', ...allowed].join(' ') }
  }
  const script = join(await temporaryFolder(), 'removed.cjs')
  writeFileSync(script, "process.execPath = '/removed/bin/node'")
  return { NODE_OPTIONS: `--require ${script}` }
}

test.each([
  ['forbidden', 'ERR_ACCESS_DENIED'],
  ['removed', 'ENOENT'],
] as const)(
  '[C52] where no process can be started (%s) one sentence says what to do, and then it works',
  async (how, reason) => {
    const data = await temporaryFolder()
    const env = { PARLEY_DATA: data, PARLEY_SESSION: 'work', ...(await confined(how)) }
    const line = startParley(['stdio'], env)
    const sentence = `The hub cannot be started (${reason}); run parley serve with the same --data yourself`
    expect(await line.line(INITIALIZE)).toMatchObject({ error: { message: sentence } })
    expect(await line.ended).toMatchObject({ code: 1, stderr: `${sentence}\n` })
    expect(processesOf(data)).toEqual([])

    await startParley(['serve', '--data', data]).url
    const agent = await agentOverStdio({ env })
    const page = openPage((await agent.url) ?? '')
    const { reply, question } = await waiting(agent, page, 'Deploy?')
    await page.answer(question, 'Yes')
    expect(await reply).toEqual({ reply: 'Yes' })
  },
)
