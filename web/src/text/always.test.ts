import { expect, test } from 'vitest'
import { alwaysOffers } from './always.ts'

const notes = (approval: { tool_name: string; input: string; server?: string; tool?: string }, folder?: string) =>
  alwaysOffers(approval, { by: 'codex-mcp-client', folder }).map(({ note }) => note)

test('[U250] what always allowing allows is said in words: which command or tool, and whose', () => {
  expect(notes({ tool_name: 'Bash', input: '{"command":"npm test -- -t x"}' }, '/srv/site')).toEqual([
    'One command that begins this way. Can be taken back here',
    'One command that begins this way, by Codex in /srv/site, in every conversation. Can be taken back here and in the settings',
    'One command that begins this way, by every agent, in every conversation. Can be taken back here and in the settings',
  ])
  expect(notes({ tool_name: 'Bash', input: '{"command":"rm -rf build"}' })[1]).toBe(
    'Exactly this command, by Codex, in every conversation. Can be taken back here and in the settings',
  )
  expect(notes({ tool_name: 'run', input: '{"command":"bash","args":["-c","ls"],"description":"List"}' })[0]).toBe(
    'Exactly this command, with the same args. Can be taken back here',
  )
  expect(notes({ tool_name: 'files_write', server: 'files', tool: 'write', input: '{"path":"a"}' })).toEqual([
    'Every call of write. Can be taken back here',
    'Every call of write, by Codex, in every conversation. Can be taken back here and in the settings',
    'Every call of write, by every agent, in every conversation. Can be taken back here and in the settings',
  ])
  expect(notes({ tool_name: 'Read', input: 'no JSON' })[0]).toBe('Every call of Read. Can be taken back here')
})

test('[U566] of a tool that runs commands the menu says that a call without one allows no command', () => {
  for (const tool_name of ['Bash', 'run_shell_command', 'execute_command', 'local_shell'])
    expect(notes({ tool_name, input: '{"restart":true}' })[0]).toBe(
      `Every call of ${tool_name} that runs no command. Can be taken back here`,
    )
  expect(notes({ tool_name: 'Bash', input: '{"commands":["ls"]}' })[0]).toBe(
    'Exactly this command. Can be taken back here',
  )
  expect(notes({ tool_name: 'prune', input: '{}' })[0]).toBe('Every call of prune. Can be taken back here')
})

test('[U251] a command is offered by its beginning, in words', () => {
  const names = (folder?: string) =>
    alwaysOffers({ tool_name: 'Bash', input: '{"command":"npm test"}' }, { by: 'codex', folder }).map(
      ({ name }) => name,
    )
  expect(names('/srv/site')).toEqual([
    'Allow “npm test …” in this conversation',
    'Allow “npm test …” in this folder',
    'Allow “npm test …” for everyone',
  ])
  expect(names()[1]).toBe('Allow “npm test …” for this agent')
})
