import { expect, test } from 'vitest'
import { wantedServer } from './wanted-server.ts'

test('[U217] a command is parted as a shell would, and its environment is a line for each variable', () => {
  const place = 'npx -y "@acme/my server" .'
  expect(wantedServer({ kind: 'command', place, more: '' })).toEqual({
    command: 'npx',
    args: ['-y', '@acme/my server', '.'],
  })
  expect(wantedServer({ kind: 'command', place: 'x', more: 'A=1\n\n B = two=2 \n' })).toEqual({
    command: 'x',
    args: [],
    env: { A: '1', B: 'two=2' },
  })
})

test('[U217] an address has headers, a line for each', () => {
  expect(wantedServer({ kind: 'address', place: ' https://far.example/mcp ', more: 'x-key: a:b' })).toEqual({
    type: 'http',
    url: 'https://far.example/mcp',
    headers: { 'x-key': 'a:b' },
  })
})

test('[U217] a line that is none and a command that is none say so', () => {
  expect(() => wantedServer({ kind: 'command', place: 'x', more: 'A' })).toThrow('Write “A” as NAME=VALUE')
  expect(() => wantedServer({ kind: 'address', place: 'x', more: ': b' })).toThrow('Write “: b” as NAME:VALUE')
  expect(() => wantedServer({ kind: 'command', place: 'x "y', more: '' })).toThrow('A quote is not closed')
})
