import { expect, test } from 'vitest'
import { AUDIT_PATH, AUDIT_VERIFY_PATH } from '../../src/protocol/tools/audit.ts'
import { startHub, startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { changeLines, changeLog, decidedCalls, linesOf, mountedCalls } from '../support/policy/audited.ts'
import { startParley } from '../support/process.ts'

const audit = (data: string, ...args: string[]) => startParley(['audit', ...args, '--data', data]).ended

async function listed(data: string, ...flags: string[]): Promise<string[][]> {
  const { stdout } = await audit(data, ...flags)
  const [, ...rows] = stdout.trimEnd().split('\n')
  return rows.map((row) => row.split(/ {2,}/).slice(1))
}

const ROWS = [
  ['codex', 'work', 'agent/Bash', 'allow', 'person', '-', '-'],
  ['codex', 'work', 'agent/Bash', 'deny', 'person', '-', '-'],
  ['codex', 'work', 'files/write', 'allow', 'rule notes', 'ok', '12 ms'],
  ['codex', 'work', 'files/write', 'deny_continue', 'rule secret', 'failed', '0 ms'],
]

test('[C124] audit lists who called what, who decided and how it ended, with a hub and without', async () => {
  const data = await temporaryFolder()
  const hub = await startHubWithSocket(data)
  await decidedCalls(hub)
  await mountedCalls(hub)
  expect(await listed(data)).toEqual(ROWS)
  await hub.close()
  expect(await listed(data)).toEqual(ROWS)
  expect((await audit(data)).stdout).toMatch(/^time +agent +conversation +tool +decision +by +outcome +took\n2/)
})

test('[C125] audit is narrowed by its flags, and tells everything as JSON', async () => {
  const data = await temporaryFolder()
  const hub = await startHub(data)
  await decidedCalls(hub)
  await mountedCalls(hub)
  await mountedCalls(hub, 'other')
  await hub.close()
  const counts = async (...flags: string[]) => (await listed(data, ...flags)).length
  expect(await counts('--conversation', 'other')).toBe(2)
  expect(await counts('--server', 'fil*', '--tool', 'write', '--conversation', 'work')).toBe(2)
  expect(await counts('--decision', 'deny')).toBe(3)
  expect(await counts('--by', 'notes')).toBe(2)
  expect(await counts('--since', '1h', '--until', '2000-01-01')).toBe(0)
  const { stdout } = await audit(data, '--by', 'secret', '--conversation', 'work', '--json')
  expect(JSON.parse(stdout)).toEqual({
    at: expect.any(Number),
    entries: [expect.any(String), expect.any(String)],
    conversation: 'work',
    call_id: 'work-2',
    agent: 'codex',
    server: 'files',
    tool: 'write',
    arguments: '{"path":"a"}',
    decision: 'deny_continue',
    rule: 'secret',
    reason: 'Not there',
    success: false,
    result: 'Not there',
    duration_ms: 0,
  })
  expect(await audit(data, '--decision', 'alow')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/did you mean allow/),
  })
  expect(await audit(data, '--since', 'soon')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/Invalid time soon/),
  })
})

test('[C126] audit verify proves the chain with a hub and without, and says what is wrong', async () => {
  const data = await temporaryFolder()
  const hub = await startHubWithSocket(data)
  await decidedCalls(hub)
  await mountedCalls(hub)
  const whole = await audit(data, 'verify')
  expect(whole).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Nothing was changed or taken out\n8 links, head [0-9a-f]{64}\n$/),
    stderr: '',
  })
  const head = /head (\w+)/.exec(whole.stdout)?.[1] ?? ''
  expect(await audit(data, 'verify', '--head', head)).toEqual(whole)
  await hub.close()
  expect(await audit(data, 'verify', '--head', head)).toEqual(whole)
  const call = linesOf(data)[4]
  changeLog(data, `UPDATE entry SET body = replace(body, 'path', 'past') WHERE id = ${Number(call.id)}`)
  changeLines(data, (lines) => lines.slice(0, 6))
  expect(await audit(data, 'verify', '--head', head)).toEqual({
    code: 1,
    stdout: expect.stringMatching(/^6 links, head [0-9a-f]{64}\n$/),
    stderr:
      'Links 7 to 8 of the chain are missing: its end was cut off, or its file was taken away\n' +
      'This head is not in the chain: its end was cut off, or the chain is another one\n' +
      `Entry ${call.id} (tool_call, link 5) was changed: it is not what was linked\n` +
      '2 entries came after the last link; a hub that starts links them\n',
  })
  expect((await audit(data, 'verify', '--head', 'abc')).code).toBe(2)
  const stray = 'Unknown option --json; see parley audit verify --help\n'
  expect(await audit(data, 'verify', '--json')).toMatchObject({ code: 2, stderr: stray })
})

test('[C126] audit verify after a conversation was forgotten', async () => {
  const data = await temporaryFolder()
  const hub = await startHub(data)
  await decidedCalls(hub, 'private')
  await mountedCalls(hub)
  await hub.view.forget('private')
  await hub.close()
  expect(await audit(data, 'verify')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Nothing was changed or taken out, except 4 entries of what was forgotten\n/),
  })
})

test('[C127] nobody but the owner of the folder is told of calls', async () => {
  const data = await temporaryFolder()
  const hub = await startHubWithSocket(data)
  await decidedCalls(hub)
  for (const path of [AUDIT_PATH, AUDIT_VERIFY_PATH]) expect((await fetch(`${hub.url}${path}`)).status).toBe(404)
  expect((await audit('memory')).code).toBe(2)
  expect(await audit(await temporaryFolder())).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/ holds no log; /),
  })
})
