import { expect, test } from 'vitest'
import { completionsOf } from './completions.ts'

const known = { agents: ['claude-code', 'codex', 'My Agent'], folders: ['website', 'server'] }
const queries = (query: string) => completionsOf(query, known).map((one) => one.query)

test('[X30] a filter is completed by its name, and then by what there is', () => {
  expect(queries('deploy ag')).toEqual(['deploy agent:'])
  expect(queries('deploy agent:')).toEqual([
    'deploy agent:claude-code ',
    'deploy agent:codex ',
    'deploy agent:"My Agent" ',
  ])
  expect(queries('agent:cod')).toEqual(['agent:claude-code ', 'agent:codex '])
  expect(queries('agent:"my a')).toEqual(['agent:"My Agent" '])
  expect(queries('agent:my')).toEqual(['agent:"My Agent" '])
  expect(queries('folder:w')).toEqual(['folder:website '])
  expect(queries('is:')).toEqual(['is:waiting '])
  expect(queries('since:yes')).toEqual(['since:yesterday '])
  expect(queries('before:')).toHaveLength(7)
})

test('[X30] nothing is offered for a word, for one letter, or for what is written already', () => {
  for (const query of ['', 'a', 'deploy', 'agent:codex', 'agent:codex ', 'folder:nowhere', 'x:y', '"ag'])
    expect(queries(query), query).toEqual([])
})
