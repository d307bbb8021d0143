import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../../../test/support/eventually.ts'
import type { ToolCallSubject } from '../../../protocol/tools/gateway.ts'
import type { PolicyNews } from '../../../protocol/tools/policy.ts'
import { openPolicy } from './open-policy.ts'
import { openPolicyFile, policyPath } from './policy-file.ts'

const CALL: ToolCallSubject = {
  server: 'files',
  tool: 'read',
  arguments: {},
  annotations: { readOnlyHint: true },
  principal: 'codex',
  at: 0,
}
const policy = (...decisions: string[]) => JSON.stringify({ rules: decisions.map((decision) => ({ decision })) })

/** A folder with or without a policy, opened; `until` is done once what was told last is like this. */
async function opened(text?: string) {
  const data = mkdtempSync(join(tmpdir(), 'policy-'))
  const path = policyPath(data)
  if (text !== undefined) writeFileSync(path, text)
  const heard: PolicyNews[] = []
  let hear = () => {}
  const file = openPolicyFile({
    path,
    told(news) {
      heard.push(news)
      hear()
    },
  })
  file.news()
  onTestFinished(() => {
    file.close()
    rmSync(data, { recursive: true })
  })
  return { data, path, file, heard, until, decision: () => file.decide(CALL).decision }

  async function until(news: PolicyNews) {
    while (JSON.stringify(heard.at(-1)) !== JSON.stringify(news))
      await new Promise<void>((resolve) => {
        hear = resolve
      })
  }
}

test('[G15] a file that is written in place, replaced, or comes later counts at once', async () => {
  const { path, file, until, decision } = await opened()
  expect([file.problem(), decision()]).toEqual([undefined, 'allow'])
  writeFileSync(path, policy('deny_abort'))
  await until({ rules: 1 })
  expect(decision()).toBe('deny_abort')
  writeFileSync(`${path}~`, policy('deny_continue', 'ask'))
  renameSync(`${path}~`, path)
  await until({ rules: 2 })
  expect(decision()).toBe('deny_continue')
  writeFileSync(path, policy('ask', 'ask', 'ask'))
  await until({ rules: 3 })
  expect(decision()).toBe('ask')
})

test('[G15] an editor that moves the old file away first loses nothing', async () => {
  const { path, until, decision } = await opened(policy('deny_abort'))
  renameSync(path, `${path}~`)
  await until({ rules: 1, problem: `${path} is gone` })
  expect(decision()).toBe('deny_abort')
  writeFileSync(path, policy('ask', 'ask'))
  await until({ rules: 2 })
  expect(decision()).toBe('ask')
})

test('[G15] of many changes at once the last one counts', async () => {
  const { path, until, heard } = await opened(policy())
  for (let n = 1; n <= 200; n++) writeFileSync(path, policy(...Array(n).fill('ask')))
  await until({ rules: 200 })
  // All were written before anybody could look.
  expect(heard.length).toBeLessThan(10)
})

test('[G15] a file that is a link changes where it leads to, also when it is led elsewhere', async () => {
  const { data, path, until, decision } = await opened()
  for (const name of ['one', 'two']) {
    mkdirSync(join(data, name))
    writeFileSync(join(data, name, 'rules'), policy('ask'))
  }
  symlinkSync(join(data, 'one', 'rules'), path)
  await until({ rules: 1 })
  writeFileSync(join(data, 'one', 'rules'), policy('deny_abort', 'ask'))
  await until({ rules: 2 })
  writeFileSync(join(data, 'two', 'rules'), policy('ask', 'ask', 'ask'))
  symlinkSync(join(data, 'two', 'rules'), `${path}~`)
  renameSync(`${path}~`, path)
  await until({ rules: 3 })
  writeFileSync(join(data, 'two', 'rules'), policy('deny_continue', 'ask', 'ask', 'ask'))
  await until({ rules: 4 })
  expect(decision()).toBe('deny_continue')
})

test('[G98] beside files that are written all the time a change counts, too', async () => {
  const { data, path, until, heard } = await opened(policy())
  for (let n = 1; n <= 5; n++) {
    for (let k = 0; k < 20; k++) {
      writeFileSync(join(data, 'parley.db-wal'), `${n}.${k}`)
      await new Promise(setImmediate)
    }
    writeFileSync(path, policy(...Array(n).fill('ask')))
    await until({ rules: n })
  }
  expect(heard.map(({ rules }) => rules)).toEqual([0, 1, 2, 3, 4, 5])
})

test('[G16] a broken file keeps the last good one and says so, until it is good again', async () => {
  const good = policy('deny_abort')
  const { path, file, until, decision } = await opened(good)
  for (const broken of ['', '{ "rules": [', policy('perhaps')]) {
    writeFileSync(path, broken)
    await eventually(() => expect(file.problem()).toMatch(/policy\.jsonc:1:\d+: /))
    expect([decision(), file.rules().length]).toEqual(['deny_abort', 1])
    writeFileSync(path, good)
    await until({ rules: 1 })
    expect(file.problem()).toBeUndefined()
  }
  writeFileSync(path, good.replace('decision', 'decison'))
  const unknown = `${path}:1:12: Unknown "decison" in a rule; did you mean "decision"?`
  const missing = `${path}:1:11: This rule has no "decision"; it is allow, ask, deny_continue, deny_abort`
  await until({ rules: 1, problem: `${unknown}\n${missing}` })
})

test('[G16] a file that cannot be read is a problem like any other', async () => {
  const { path, file, decision } = await opened(policy('deny_abort'))
  rmSync(path)
  mkdirSync(path)
  await eventually(() => expect(file.problem()).toMatch(/policy\.jsonc cannot be read \(EISDIR/))
  expect(decision()).toBe('deny_abort')
})

test('[G16] a folder that cannot be watched is a problem, and not the end', async () => {
  const path = policyPath(join(tmpdir(), 'there-is-no-such-folder'))
  const file = openPolicyFile({ path })
  expect(file.problem()).toMatch(/^Changes of .* are not noticed \(ENOENT/)
  expect(file.decide(CALL).decision).toBe('allow')
  file.close()
})

test('[G17] with a file that is broken from the start everything is asked about, also what only reads', async () => {
  const { path, file, until, decision } = await opened('{')
  const { verdict } = file.explain(CALL)
  expect(verdict).toEqual({ decision: 'ask', reason: expect.stringContaining('policy.jsonc:1:2: ') })
  expect(file.decide(CALL)).toEqual(verdict)
  rmSync(path)
  await until({ rules: 0, problem: `${path} is gone` })
  expect(decision()).toBe('ask')
  writeFileSync(path, policy())
  await until({ rules: 0 })
  expect(decision()).toBe('allow')
})

test('[G15] a file that was closed is read no more', async () => {
  const { path, file, heard, decision } = await opened(policy('ask'))
  // It is just looking where its link leads to.
  file.close()
  writeFileSync(path, policy('allow'))
  for (let n = 0; n < 20; n++) await realpath(path)
  expect([heard.length, decision()]).toEqual([1, 'ask'])
})

test('[G18] a rule that is added counts when it is done, and the file stays what and whose it was', async () => {
  const { data, path, file, decision } = await opened()
  const allow = { tool: 'read', decision: 'allow' }
  await file.add({ rule: { decision: 'deny_abort' }, comment: 'ada, 2026-11-16' })
  expect(decision()).toBe('deny_abort')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  chmodSync(path, 0o640)
  renameSync(path, join(data, 'elsewhere'))
  symlinkSync('elsewhere', path)
  await file.add({ rule: { id: 'reading', ...allow }, comment: 'ada', before: '#1' })
  expect(decision()).toBe('allow')
  expect(statSync(path).mode & 0o777).toBe(0o640)
  expect(readFileSync(join(data, 'elsewhere'), 'utf8')).toContain('// ada, 2026-11-16\n')
  await expect(file.add({ rule: { tol: 'x' }, comment: '' })).rejects.toThrow('Unknown "tol" in a rule')
  writeFileSync(path, '{')
  await expect(file.add({ rule: allow, comment: '' })).rejects.toThrow('policy.jsonc:1:2: ')
  expect(readFileSync(path, 'utf8')).toBe('{')
})

test.each(['add', 'change'] as const)('[G323] what is saved while a rule is written is kept (%s)', async (way) => {
  const { file, path } = await opened('{ "rules": [{ "server": "a", "decision": "allow" }] }')
  const [{ identity = '' } = {}] = file.show().rules
  const written =
    way === 'add'
      ? file.add({ rule: { server: 'b', decision: 'allow' }, comment: 'Meanwhile' })
      : file.change(identity, 'off')
  // The file was read by then, and nothing is written yet.
  await Promise.resolve()
  await Promise.resolve()
  const saved = '{ "rules": [{ "server": "mail", "decision": "deny_abort" }, { "server": "a", "decision": "allow" }] }'
  writeFileSync(path, saved)
  await written
  const text = readFileSync(path, 'utf8')
  expect(text).toContain('"mail"')
  expect(text).toContain(way === 'add' ? '"b"' : '"off": true')
  expect(file.decide({ ...CALL, server: 'mail' }).decision).toBe('deny_abort')
})

test('[G323] a rule that is gone by then is not changed, and nothing is left beside the file', async () => {
  const { file, path } = await opened('{ "rules": [{ "server": "a", "decision": "allow" }] }')
  const [{ identity = '' } = {}] = file.show().rules
  const written = file.change(identity, 'off')
  await Promise.resolve()
  await Promise.resolve()
  writeFileSync(path, policy('ask'))
  await expect(written).rejects.toMatchObject({ code: 'unknown_rule' })
  expect(readFileSync(path, 'utf8')).toBe(policy('ask'))
  expect(existsSync(`${path}.new`)).toBe(false)
})

test('[G270] rules that are switched off are not counted, and shown nevertheless', async () => {
  const off = '{ "rules": [{ "decision": "deny_abort", "off": true }, { "id": "b", "decision": "allow" }] }'
  const { file, path } = await opened(off)
  expect([file.news(), file.decide(CALL).decision]).toEqual([{ rules: 1 }, 'allow'])
  expect(file.show()).toEqual({
    path,
    rules: [
      { id: '#1', identity: expect.any(String), line: 1, decision: 'deny_abort', shown: 'everything', off: true },
      { id: 'b', identity: expect.any(String), line: 1, decision: 'allow', shown: 'everything' },
    ],
  })
  expect(file.show().rules).toBe(file.show().rules)
})

test('[G18] nothing is written where the file has gone', async () => {
  const { file, path, until } = await opened(policy('ask'))
  rmSync(path)
  await until({ rules: 1, problem: `${path} is gone` })
  await expect(file.add({ rule: { decision: 'allow' }, comment: '' })).rejects.toThrow(`${path} is gone`)
  expect(existsSync(path)).toBe(false)
  expect(await file.forget('work', true)).toEqual([])
})

test('[G18] the policy of a hub that forgets is like one in a file', async () => {
  const file = openPolicy('memory')
  const heard: PolicyNews[] = []
  file.follow((news) => heard.push(news))
  expect([file.decide(CALL).decision, file.show(), file.problem()]).toEqual(['allow', { rules: [] }, undefined])
  await file.add({ rule: { decision: 'deny_abort', conversation: 'work' }, comment: 'ada' })
  await file.add({ rule: { decision: 'deny_continue' }, comment: 'ada' })
  expect(file.decide(CALL)).toMatchObject({ decision: 'deny_continue', rule: { id: '#2' } })
  expect(file.explain(CALL).passed).toHaveLength(1)
  expect(file.outOfReach({ principal: 'codex' })({ server: 'files', tool: 'read' })).toBe(true)
  await file.change(file.show().rules[1]?.identity ?? '', 'off')
  expect([file.news(), heard]).toEqual([{ rules: 1 }, [{ rules: 1 }, { rules: 2 }, { rules: 1 }]])
  await expect(file.forget('work', false)).rejects.toMatchObject({ code: 'policy_names' })
  expect(await file.forget('other', false)).toEqual([])
  expect((await file.forget('work', true)).map(({ decision }) => decision)).toEqual(['deny_abort'])
  expect(file.rules()).toHaveLength(1)
})
