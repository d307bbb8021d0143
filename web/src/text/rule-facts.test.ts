import { expect, test } from 'vitest'
import { grantFacts, ruleFacts } from './rule-facts.ts'

const NOW = new Date(2026, 10, 17, 14, 30).getTime()
const RULE = { id: '#1', identity: 'x', line: 4, decision: 'allow' as const, shown: 'server git' }
const LAST = { last: new Date(2026, 10, 17, 9, 5).getTime() }
const GRANT = { since: '1', conversation: 'work', title: 'Work', tool_name: 'Bash', by: 'ada', at: NOW }

test('[U276] a rule tells who, when and how often in one line', () => {
  expect(ruleFacts(RULE, NOW)).toBe('Written by hand, line 4 · Has not decided yet')
  expect(ruleFacts({ ...RULE, decision: 'ask', count: 1, ...LAST }, NOW)).toMatch(
    /^Written by hand, line 4 · Asked once, last 0?9:05/,
  )
  const made = { ...RULE, by: 'ada', on: '2026-11-16', conversation: 'work', count: 12, ...LAST }
  expect(ruleFacts(made, NOW)).toMatch(/^Always allowed by ada in work · Yesterday · Decided 12 times, last 0?9:05/)
  expect(ruleFacts({ ...made, by: 'person' }, NOW)).toContain('by a person')
})

test('[U278] a permission tells to whom, where, by whom and how often', () => {
  expect(grantFacts({ ...GRANT, agent: 'claude-code', folder: '/site' }, NOW)).toMatch(
    /^To Claude Code in \/site, in Work · By ada, .*2:30.* · Not used yet$/,
  )
  expect(grantFacts({ ...GRANT, count: 2, ...LAST }, NOW)).toMatch(/^Work · By ada, .* · Used 2 times, last /)
})
