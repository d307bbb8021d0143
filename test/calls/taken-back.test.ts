import { expect, test } from 'vitest'
import type { PolicyDecision } from '../../src/protocol/tools/gateway.ts'
import { openGoverned, WROTE } from '../support/policy/governor.ts'

const ASK = { decision: 'ask' } as const
const ALLOW = { decision: 'allow', rule: { id: 'pen' } } as const
const DENY = { decision: 'deny_continue', rule: { id: 'no' } } as const

/** A governor where something happens while the beginning of a call is written down. */
function opened(first: PolicyDecision = ASK) {
  const now = { verdict: first, meanwhile: async () => {} }
  const keepInput = async (input: Record<string, unknown>) => {
    await now.meanwhile()
    return { tool_args: JSON.stringify(input) }
  }
  return { now, ...openGoverned({ decide: () => now.verdict, keepInput }) }
}

test('[G350] a rule that is taken back while a call is written down lets it run no more: a person is asked', async () => {
  const { now, govern, called, asked, tool, person } = opened(ALLOW)
  now.meanwhile = async () => {
    now.verdict = ASK
  }
  const call = govern(called())
  const question = await asked()
  expect(tool.ran).toEqual([])
  await person.allow(question, undefined)
  expect(await call).toBe(WROTE)
  expect(tool.ran).toHaveLength(1)
})

test('[G350] so it is with what was always allowed in the conversation', async () => {
  const { now, govern, called, asked, tool, person } = opened()
  const first = govern(called())
  await person.allowAlways(await asked(), undefined)
  await first
  await govern(called())
  expect(tool.ran).toHaveLength(2)
  now.meanwhile = async () => {
    await person.revoke('work', 'diary_write')
  }
  const call = govern(called())
  const question = await asked()
  expect(tool.ran).toHaveLength(2)
  now.meanwhile = async () => {}
  await person.deny(question, 'No')
  await expect(call).rejects.toMatchObject({ code: 'call_denied' })
  expect(tool.ran).toHaveLength(2)
})

test('[G350] a rule that denies by then denies', async () => {
  const { now, govern, called, tool } = opened(ALLOW)
  now.meanwhile = async () => {
    now.verdict = DENY
  }
  await expect(govern(called())).rejects.toMatchObject({ code: 'call_denied' })
  expect(tool.ran).toEqual([])
})
