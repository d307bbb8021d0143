import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readPolicy } from './file/read-policy.ts'
import { CASELESS } from './matching/real-path.ts'
import { compilePolicy } from './policy.ts'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'Case-')))
mkdirSync(join(home, 'Etc'))
writeFileSync(join(home, 'Etc', 'Passwd'), '')
symlinkSync('Etc', join(home, 'link'))
afterAll(() => rmSync(home, { recursive: true }))

/** Whether a rule with this decision is for this path, where `A` and `a` are one file. */
function isFor(decision: string, pattern: string, path: string, caseless = true): boolean {
  const rules = [{ arguments: { path: { path: join(home, pattern) } }, decision }]
  const { decide, explain } = compilePolicy(readPolicy(JSON.stringify({ rules })).rules, caseless)
  const call = { server: 's', tool: 't', arguments: { path: join(home, path) }, principal: 'p', at: 0 }
  const { rule } = decide(call)
  expect(explain(call).verdict.rule).toBe(rule)
  return rule !== undefined
}

test.each([
  ['Etc/**', 'ETC/shadow'],
  ['ETC/**', 'Etc/Passwd'],
  ['**/passwd', 'Etc/Passwd'],
  ['**/PASS*', 'Etc/Passwd'],
  ['link/**', 'etc/new'],
  ['e?c/new', 'ETC/NEW'],
  ['caf\u00e9/**', 'CAFE\u0301/x'],
])('[G99] where case does not count, a rule that forbids or asks for %j is for %j', (pattern, path) => {
  for (const decision of ['ask', 'deny_continue', 'deny_abort']) expect(isFor(decision, pattern, path)).toBe(true)
  expect(isFor('ask', pattern, path, false)).toBe(false)
})

test('[G99] a rule that allows wants the names as they are', () => {
  expect(isFor('allow', 'Etc/**', 'Etc/Passwd')).toBe(true)
  expect(isFor('allow', 'Etc/**', 'link/new')).toBe(true)
  expect(isFor('allow', 'new/**', 'new/a')).toBe(true)
  expect(isFor('allow', 'New/**', 'new/a')).toBe(false)
  expect(isFor('allow', '**/passwd', 'Etc/Passwd')).toBe(false)
})

// It can be tried only there.
if (CASELESS)
  test('[G99] what is there is called what it is called', () => {
    expect(isFor('allow', 'Etc/**', 'ETC/passwd')).toBe(true)
    expect(isFor('allow', 'etc/**', 'Etc/Passwd')).toBe(true)
  })
