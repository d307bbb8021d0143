import { readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DECIDED_CALLS_PATH } from '../../src/protocol/tools/decided-call.ts'
import { ask } from '../support/chat.ts'
import { startHub, startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { followed, startGoverned } from '../support/policy/governed.ts'
import { startParley } from '../support/process.ts'
import { untilMount, upstream } from '../support/upstream/gateway.ts'

const POLICY = `{
  "rules": [
    // Never
    { "id": "secrets", "arguments": { "path": { "path": "/**/.env" } }, "decision": "deny_continue", "reason": "Not these" },
    { "server": "files", "tool": ["read_*", "list_*"], "decision": "allow" },
    { "principal": "codex", "time": "09:00-17:00", "annotations": { "destructiveHint": false }, "decision": "allow" },
  ],
}
`

const run = (data: string, ...args: string[]) => startParley(['policy', ...args, '--data', data]).ended

async function folderWith(policy: string) {
  const data = await temporaryFolder()
  await writeFile(join(data, 'policy.jsonc'), policy)
  return { data, path: join(data, 'policy.jsonc') }
}

test('[G19] check shows the rules of the folder', async () => {
  const { data, path } = await folderWith(POLICY)
  const { code, stdout, stderr } = await run(data, 'check')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.split('\n')).toEqual([
    `${path}: 3 rules, nothing wrong`,
    '',
    'rule     line  decision       for',
    'secrets  4     deny_continue  path { "path": "/**/.env" }',
    '#2       5     allow          server files, tool read_* or list_*',
    '#3       6     allow          principal codex, destructiveHint false, time 09:00-17:00',
    '',
  ])
  const off = await folderWith(POLICY.replace('"id": "secrets"', '"off": true, "id": "secrets"'))
  expect((await run(off.data, 'check')).stdout).toMatch(/^secrets +4 +deny_continue \(off\) /m)
  const none = await temporaryFolder()
  expect(await run(none, 'check')).toMatchObject({ code: 0, stdout: expect.stringContaining('Without ') })
})

test('[G19] check tells everything that is wrong, with line and column', async () => {
  const { data, path } = await folderWith(POLICY.replace('"server"', '"sever"').replace('codex', '{codex}'))
  const { code, stdout, stderr } = await run(data, 'check')
  expect([code, stdout]).toEqual([1, ''])
  const [first, second, ...more] = stderr.split('\n')
  expect(first).toBe(`${path}:5:7: Unknown "sever" in a rule; did you mean "server"?`)
  expect(second).toMatch(`${path}:6:20: This pattern has a "{", `)
  expect(more).toEqual([''])
})

test('[G20] test says what would happen, by which rule, and why not by those before it', async () => {
  const { data } = await folderWith(POLICY)
  const denied = await run(data, 'test', 'files', 'read_file', '{"path": "x/../.env"}')
  expect(denied).toEqual({ code: 0, stdout: 'deny_continue, by rule secrets (line 4): Not these\n', stderr: '' })
  const args = ['test', 'git', 'push', '{}', '--as', 'codex', '--at', '12:00', '--conversation', 'website']
  const annotations = ['--annotations', '{"destructiveHint": false}']
  expect((await run(data, ...args, ...annotations)).stdout).toBe(`allow, by rule #3 (line 6)

The rules before it do not match:
  secrets  line 4  argument path is not there, which does not fit { "path": "/**/.env" }
  #2       line 5  server is "git", not "files"
`)
  const asked = await run(data, 'test', 'git', 'push')
  expect(asked.stdout).toMatch(
    /^ask, by default: No rule matches\n\nThe rules do not match:\n.*principal is "local:agent"/s,
  )
})

test('[G220] test knows that resources and prompts are only read', async () => {
  const { data } = await folderWith('{ "rules": [{ "arguments": { "uri": "*secret*" }, "decision": "ask" }] }')
  const decided = async (...args: string[]) => (await run(data, 'test', 'demo', ...args)).stdout.split(',')[0]
  expect(await decided('resources/read', '{"uri": "memo://one"}')).toBe('allow')
  expect(await decided('resources/read', '{"uri": "memo://secret"}')).toBe('ask')
  expect(await decided('prompts/get/greet')).toBe('allow')
})

test('[G101] test knows what a mounted server says of its tool, where a hub runs', async () => {
  const { data } = await folderWith(
    '{ "rules": [{ "annotations": { "readOnlyHint": true }, "decision": "deny_abort" }] }',
  )
  await writeFile(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { demo: upstream() } }))
  const decided = async (...args: string[]) => (await run(data, 'test', 'demo', ...args)).stdout.split(',')[0]
  expect(await decided('echo')).toBe('ask')
  const { gateway } = await startHubWithSocket(data)
  await untilMount(gateway, 'demo', ({ state }) => state === 'ready')
  expect(await decided('echo')).toBe('deny_abort')
  expect(await decided('ask')).toBe('ask')
  expect(await decided('echo', '{}', '--annotations', '{}')).toBe('ask')
})

test.each([
  [['test', 'git'], 'policy test needs a tool; see parley policy test --help'],
  [
    ['test', 'git', 'push', '{'],
    'The arguments of a call are a JSON object, and { is none; see parley policy test --help',
  ],
  [['test', 'git', 'push', '{}', 'more'], 'Unexpected argument more; see parley policy test --help'],
  [
    ['test', 'git', 'push', '{}', '--at', 'noon'],
    'Invalid time noon; write 14:30 or 2026-11-16T14:30; see parley policy test --help',
  ],
  [
    ['test', 'git', 'push', '{}', '--annotations', '{"readOnlyHint": 1}'],
    /^Annotations are hints that are true or false, /,
  ],
])('[G20] what test does not understand is told: %j', async (args, problem) => {
  const { code, stderr } = await run(await temporaryFolder(), ...args)
  expect(code).toBe(2)
  expect(stderr.trimEnd()).toMatch(problem)
})

test('[G22] suggest proposes rules with and without a hub, to the owner only, and changes nothing', async () => {
  const { data } = await folderWith('{ "rules": [] }')
  const hub = await startHubWithSocket(data)
  const approval = { tool_name: 'mcp__git__push', input: '{"branch":"main"}' }
  for (const conversation of ['website', 'website', 'api']) {
    const question = await ask(hub.view, { by: 'codex', text: 'Push?', approval }, conversation)
    await hub.view.allow(question, undefined)
  }
  const drawn =
    /^ {4}\/\/ Allowed 3 times by .*, in 2 conversations, and never denied\n {4}\{ "server": "git", "tool": "push", "arguments": \{ "branch": "main" \}, .*"decision": "allow" \},\n$/
  expect((await fetch(`${hub.url}${DECIDED_CALLS_PATH}`)).status).toBe(404)
  expect(await run(data, 'suggest')).toMatchObject({ code: 0, stdout: expect.stringMatching(drawn) })
  await hub.close()
  const before = [readFileSync(join(data, 'parley.db')), await readdir(data)]
  expect(await run(data, 'suggest')).toMatchObject({ code: 0, stdout: expect.stringMatching(drawn) })
  expect([readFileSync(join(data, 'parley.db')), await readdir(data)]).toEqual(before)
})

test('[G100] suggest learns from calls of mounted tools that people allowed', async () => {
  const { connect, data, person, close } = await startGoverned()
  const { until } = followed(person)
  const client = await connect()
  for (let n = 1; n <= 3; n++) {
    const answer = client.callTool({ name: 'diary_write', arguments: { text: 'Dear diary' } })
    await person.allow((await until('question', n)).id, undefined)
    await answer
    // Until then the same call could be the same one once more.
    await until('receipt', n)
  }
  await close()
  const rule =
    '{ "server": "diary", "tool": "write", "arguments": { "text": "Dear diary" }, "agent": "test-client", "folder": ""'
  expect((await run(data, 'suggest')).stdout).toContain(rule)
})

test('[G22] suggest says when there is nothing to propose, and where there is no log', async () => {
  const data = await temporaryFolder()
  const hub = await startHub(data)
  await hub.view.say('website', { text: 'Hello' })
  await hub.close()
  const sentence = 'Nothing was allowed again and again, of 0 calls that people decided about\n'
  expect(await run(data, 'suggest')).toEqual({ code: 0, stdout: '', stderr: sentence })
  expect(await run(await temporaryFolder(), 'suggest')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/ holds no log; /),
  })
})
