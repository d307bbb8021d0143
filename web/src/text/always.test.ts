import { expect, test } from 'vitest'
import { alwaysOffers } from './always.ts'

const notes = (approval: { tool_name: string; input: string; server?: string; tool?: string }, folder?: string) =>
  alwaysOffers(approval, { by: 'codex-mcp-client', folder }).map(({ note }) => note)

test('[U250] what always allowing allows is said in words: which command or tool, and whose', () => {
  expect(notes({ tool_name: 'Bash', input: '{"command":"npm test -- -t x"}' }, '/srv/site')).toEqual([
    '“npm test …”: one command that begins so. Can be taken back here',
    '“npm test …”: one command that begins so, by Codex in /srv/site, in every conversation',
    '“npm test …”: one command that begins so, by every agent, in every conversation',
  ])
  expect(notes({ tool_name: 'Bash', input: '{"command":"rm -rf build"}' })[1]).toBe(
    'This very command, by Codex, in every conversation',
  )
  expect(notes({ tool_name: 'run', input: '{"command":"bash","args":["-c","ls"],"description":"List"}' })[0]).toBe(
    'This very command, with the same args. Can be taken back here',
  )
  expect(notes({ tool_name: 'files_write', server: 'files', tool: 'write', input: '{"path":"a"}' })).toEqual([
    'Every call of write. Can be taken back here',
    'Every call of write, by Codex, in every conversation',
    'Every call of write, by every agent, in every conversation',
  ])
  expect(notes({ tool_name: 'Read', input: 'no JSON' })[0]).toBe('Every call of Read. Can be taken back here')
})
