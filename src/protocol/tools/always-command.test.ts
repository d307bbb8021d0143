import { expect, test } from 'vitest'
import { alwaysCommand, isCovered } from './always-command.ts'

const covers = (allowed: object, ...calls: object[]) =>
  calls.map((call) => isCovered(alwaysCommand({ ...allowed }), { ...call }))

test('[G283] what is always allowed of a command allows what begins so, or the very same', () => {
  const test = { command: 'npm test -- -t x' }
  expect(covers(test, { command: 'npm test' }, { command: 'npm test; rm' }, { command: 'npm run' }, {})).toEqual([
    true,
    false,
    false,
    false,
  ])
  expect(covers({ command: 'ls' }, { command: 'ls' }, { command: 'ls -l' }, { cmd: 'ls' })).toEqual([
    true,
    false,
    false,
  ])
  expect(covers({ path: 'a' }, { path: 'b' }, { command: 'rm -rf /' }, { commands: ['ls'] })).toEqual([
    true,
    false,
    false,
  ])
})

test('[G284] and with the same beside it, as far as that is more than words about it', () => {
  const shell = { command: 'bash', args: ['-c', 'ls'], description: 'List', env: {} }
  const { description: _, ...same } = shell
  expect(covers(shell, { ...same, timeout: 5 }, { ...same, args: ['-c', 'rm'] }, { command: 'bash' })).toEqual([
    true,
    false,
    false,
  ])
  const others = [{ env: { A: '1' } }, { cmd: 'rm' }, { cwd: '/' }, { dangerouslyDisableSandbox: true }]
  const calls = others.map((other) => ({ command: 'npm test', ...other }))
  expect(covers({ command: 'npm test' }, ...calls)).toEqual(calls.map(() => false))
})

test('[G347] what is switched off beside a command makes another one of it, unless it is off by itself', () => {
  const off = ['sandbox', 'dry_run', 'readonly'].map((name) => ({ command: 'npm test', [name]: false }))
  expect(covers({ command: 'npm test' }, ...off)).toEqual([false, false, false])
  const asEver = ['dangerouslyDisableSandbox', 'run_in_background', 'with_escalated_permissions', 'tty']
  const same = asEver.map((name) => ({ command: 'npm test', [name]: false }))
  expect(covers({ command: 'npm test' }, ...same, { command: 'npm test', env: {}, cwd: null })).toEqual(
    Array(5).fill(true),
  )
})
