import { rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { SOAK } from '../../../test/log/contract/place.ts'
import { makeWorld, randomPolicies } from '../../../test/support/policy/random-policies.ts'
import { seeded } from '../../../test/support/seeded.ts'
import type { Offered } from '../../protocol/tools/gateway.ts'
import { readPolicy } from './file/read-policy.ts'
import { compilePolicy } from './policy.ts'

const POLICIES = SOAK > 1 ? 3000 : 12
const CODEX = { principal: 'local:agent', agent: 'codex-mcp-client', folder: '/site' }

function isOutOfReach(rules: object[], offered: Partial<Offered> = {}, caller = CODEX): boolean {
  const { rules: read, problems } = readPolicy(JSON.stringify({ rules }))
  expect(problems).toEqual([])
  return compilePolicy(read).outOfReach(caller)({ server: 'git', tool: 'push', ...offered })
}

test('[G225] what a rule denies whatever the arguments is out of reach, unless one before it may let it through', () => {
  const deny = { server: 'git', decision: 'deny_continue' }
  expect(isOutOfReach([deny])).toBe(true)
  expect(isOutOfReach([{ ...deny, decision: 'deny_abort' }])).toBe(true)
  expect(isOutOfReach([])).toBe(false)
  expect(isOutOfReach([deny], { server: 'files' })).toBe(false)
  expect(isOutOfReach([{ tool: 'pu*', decision: 'ask' }, deny])).toBe(false)
  expect(isOutOfReach([{ tool: 'log', decision: 'allow' }, deny])).toBe(true)
  expect(isOutOfReach([{ arguments: { branch: 'try' }, decision: 'allow' }, deny])).toBe(false)
  expect(isOutOfReach([{ time: '09:00-17:00', decision: 'ask' }, deny])).toBe(false)
  expect(isOutOfReach([{ conversation: 'work', decision: 'allow' }, deny])).toBe(false)
})

test('[G225] a denial that hangs on the arguments, the time or the conversation leaves it in reach', () => {
  const deny = { decision: 'deny_continue' }
  for (const more of [{ arguments: { branch: 'main' } }, { time: '22:00-06:00' }, { conversation: 'work' }]) {
    expect(isOutOfReach([{ ...deny, ...more }])).toBe(false)
    expect(isOutOfReach([{ ...deny, ...more }, deny])).toBe(true)
  }
})

test('[G225] it is out of reach of the agents that a rule means, and by what its server says of it', () => {
  const deny = { server: 'git', decision: 'deny_continue' }
  expect(isOutOfReach([{ ...deny, principal: 'codex' }])).toBe(true)
  expect(isOutOfReach([{ ...deny, agent: 'Codex', folder: '/site' }])).toBe(true)
  expect(isOutOfReach([{ ...deny, agent: 'gemini' }])).toBe(false)
  expect(isOutOfReach([{ ...deny, folder: '/other' }])).toBe(false)
  // A caller with a token is allowed by that, and not by a name.
  const rules = [{ agent: 'codex', decision: 'allow' }, deny]
  expect(isOutOfReach(rules)).toBe(false)
  expect(isOutOfReach(rules, {}, { ...CODEX, principal: 'ci' })).toBe(true)
  const destroying = { annotations: { destructiveHint: true }, decision: 'deny_continue' }
  expect(isOutOfReach([destroying])).toBe(true)
  expect(isOutOfReach([destroying], { annotations: { readOnlyHint: true } })).toBe(false)
})

test('[G225] where all arguments are known they count', () => {
  const rules = [
    { arguments: { uri: 'memo://open' }, decision: 'allow' },
    { arguments: { uri: 'memo://*' }, decision: 'deny_continue' },
  ]
  const read = (uri: string) => ({ tool: 'resources/read', arguments: { uri } })
  expect(isOutOfReach(rules, read('memo://secret'))).toBe(true)
  expect(isOutOfReach(rules, read('memo://open'))).toBe(false)
  expect(isOutOfReach(rules, read('note://one'))).toBe(false)
  expect(isOutOfReach(rules, { tool: 'resources/read' })).toBe(false)
})

test('[G225] the order of the rules counts, whether they name the tool or a pattern of it', () => {
  const [allow, deny] = [{ decision: 'allow' }, { decision: 'deny_continue' }]
  for (const [one, other] of [
    ['push', 'pu*'],
    ['pu*', 'push'],
    [['log', 'push'], '*'],
  ]) {
    expect(
      isOutOfReach([
        { tool: one, ...allow },
        { tool: other, ...deny },
      ]),
    ).toBe(false)
    expect(
      isOutOfReach([
        { tool: one, ...deny },
        { tool: other, ...allow },
      ]),
    ).toBe(true)
    expect(isOutOfReach([{ tool: 'else', ...allow }, { tool: other, ...deny }, allow])).toBe(true)
  }
})

test('[G225] of random policies each call is denied of what is out of reach, whatever else is the case', () => {
  const world = makeWorld()
  onTestFinished(() => rmSync(world, { recursive: true }))
  const found = { out: 0, outByArguments: 0, denied: 0 }
  for (let seed = 1; seed <= POLICIES; seed++) {
    const { policy, call } = randomPolicies(seeded(seed), world)
    const { decide, outOfReach } = compilePolicy(readPolicy(JSON.stringify({ rules: policy() })).rules)
    for (let n = 0; n < 30; n++) {
      const subject = call()
      const { server, tool, annotations, principal, agent, folder, cwd, bases } = subject
      const isOut = outOfReach({ principal, agent, folder, cwd })
      const isDenied = decide(subject).decision.startsWith('deny')
      if (isOut({ server, tool, annotations })) {
        expect([seed, n, isDenied]).toEqual([seed, n, true])
        found.out++
      }
      if (isOut({ server, tool, annotations, bases, arguments: subject.arguments })) {
        expect([seed, n, isDenied]).toEqual([seed, n, true])
        found.outByArguments++
      }
      if (isDenied) found.denied++
    }
  }
  for (const count of Object.values(found)) expect(count).toBeGreaterThan(POLICIES / 6)
})
