import { expect, test } from 'vitest'
import { readQuery } from './search-filters.ts'
import { isWanted } from './wanted-conversation.ts'

/** A Thursday. */
const NOW = new Date(2026, 10, 19, 12).getTime()
const day = (n: number) => new Date(2026, 10, n).getTime()

test('[X30] words with a colon are filters, in any order, and what is in quotes is not', () => {
  expect(readQuery('deploy agent:codex now folder:"my site" is:waiting AGENT:claude', NOW)).toEqual({
    words: 'deploy now',
    agents: ['codex', 'claude'],
    folders: ['my site'],
    waiting: true,
  })
  const plain = '"agent:codex" http://localhost:8080 error:x a:b "two words" event:click'
  expect(readQuery(plain, NOW)).toEqual({ words: plain, agents: [], folders: [] })
  expect(readQuery('x agent:', NOW)).toMatchObject({ words: 'x', unfinished: 'agent' })
})

test('[X30] times are days by their names or dates, moments, or how long ago', () => {
  const since = (text: string) => readQuery(`since:${text}`, NOW).since
  expect(['today', 'yesterday', 'thursday', 'monday', 'mon', 'friday', '2026-11-16'].map(since)).toEqual(
    [19, 18, 19, 16, 16, 13, 16].map(day),
  )
  expect([since('12h'), since('30d'), since('2026-11-16T14:30')]).toEqual([
    NOW - 12 * 3_600_000,
    NOW - 30 * 86_400_000,
    new Date(2026, 10, 16, 14, 30).getTime(),
  ])
  expect(readQuery('before:today', NOW).until).toBe(day(19))
})

test('[X30] what is wrong with a filter is one sentence that says what to write', () => {
  const problemOf = (query: string) => readQuery(query, NOW).problem
  expect(problemOf('since:soon x')).toBe('since:soon is no time; write since:monday, since:2026-11-16 or since:12h')
  expect(problemOf('is:open')).toBe('Unknown state is:open; write is:waiting')
  expect(problemOf('agnet:codex')).toBe('Unknown filter agnet:; did you mean agent:codex?')
  expect(problemOf('agent: x')).toBe('agent: needs a value, as in agent:codex')
  expect(problemOf('before:2026-13-40')).toMatch(/is no time/)
})

test('[X30] an agent is meant by any of its names, a folder by its own or its path, and * stands for more', () => {
  const known = { id: 'a', title: 'Ship it', agent: 'claude-code', folder: '/home/ada/website', at: NOW, open: 0 }
  const fits = (query: string) => isWanted(known, readQuery(query, NOW))
  for (const query of ['agent:claude', 'agent:"Claude Code"', 'agent:CODE', 'agent:c*e', 'agent:codex agent:claude'])
    expect(fits(query), query).toBe(true)
  for (const query of ['folder:website', 'folder:web', 'folder:ada/web', 'folder:*site', 'since:today', 'ship'])
    expect(fits(query), query).toBe(true)
  for (const query of ['agent:codex', 'agent:laude', 'folder:site', 'is:waiting', 'before:today', 'sail', 'folder:w*x'])
    expect(fits(query), query).toBe(false)
})
