import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readPolicy } from '../../src/governance/policy/file/read-policy.ts'
import { compilePolicy } from '../../src/governance/policy/policy.ts'
import { OWN_TOOLS } from '../../src/protocol/tools/called-tool.ts'
import type { ToolCallSubject } from '../../src/protocol/tools/gateway.ts'
import { temporaryFolder } from '../support/hub.ts'

/** A policy of the document, and its calls with what becomes of them. */
interface Example {
  title: string
  policy: string
  calls: [call: string, decision: string][]
}

const EXAMPLES: Example[] = readFileSync('docs/policy.md', 'utf8')
  .split(/^## /m)
  .slice(1)
  .flatMap((section) => {
    const [, policy] = /^```jsonc\n(.*?)^```$/ms.exec(section) ?? []
    const found = [...section.matchAll(/^- `(.*)`: (\w+)$/gm)]
    const calls = found.map(([, call = '', decision = '']): [string, string] => [call, decision])
    return policy ? [{ title: section.split('\n', 1)[0] ?? '', policy, calls }] : []
  })

test.each(EXAMPLES)('[G102] the examples of docs/policy.md are true: $title', async ({ policy, calls }) => {
  const { rules, problems } = readPolicy(policy)
  expect(problems).toEqual([])
  const { decide } = compilePolicy(rules)
  const cwd = await temporaryFolder()
  expect(calls.map(([call]) => [call, decide(subjectOf(call, cwd)).decision])).toEqual(calls)
  expect(new Set(calls.map(([, decision]) => decision)).size).toBeGreaterThan(1)
})

test('[G102] there are examples', () => {
  expect(EXAMPLES).toHaveLength(6)
})

const CALL = /^(\S+) (\S+) (\{.*?\})(?: --as (\S+))?(?: --annotations (\{.*?\}))?(?: --at (\d\d):(\d\d))?$/

/** As `parley policy test` takes it, where none of the servers is mounted. */
function subjectOf(call: string, cwd: string): ToolCallSubject {
  const [, server = '', tool = '', args = '', as, annotations, hour = '12', minute = '00'] = CALL.exec(call) ?? []
  return {
    server,
    tool,
    arguments: JSON.parse(args),
    annotations: annotations === undefined ? undefined : JSON.parse(annotations),
    principal: as ?? 'local:agent',
    agent: as,
    at: new Date(2026, 10, 16, Number(hour), Number(minute)).getTime(),
    cwd,
    bases: server === OWN_TOOLS ? [cwd] : undefined,
    isOwn: server === OWN_TOOLS,
  }
}
