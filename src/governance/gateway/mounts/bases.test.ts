import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { basesOf } from './bases.ts'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'bases-')))
mkdirSync(join(home, 'data'))
writeFileSync(join(home, 'server.js'), '')
afterAll(() => rmSync(home, { recursive: true }))

test('[G150] a server works where its mount says or where the hub does, and is for the folders that it names', () => {
  const data = join(home, 'data')
  expect(basesOf({ command: 'node' })).toEqual([process.cwd()])
  expect(basesOf({ command: 'node', cwd: 'src' })).toEqual([join(process.cwd(), 'src')])
  expect(basesOf({ command: 'node', args: [join(home, 'server.js'), '-y'], cwd: home })).toEqual([home])
  for (const arg of [data, 'data', './data', `--root=${data}`])
    expect(basesOf({ command: 'node', args: [arg], cwd: home })).toEqual([home, data])
  expect(basesOf({ command: 'node', env: { ROOT: data, ODD: 'a\0b' }, cwd: home })).toEqual([home, data])
})

test('[G151] of one at an address, in a container or behind a shell it is not known', () => {
  expect(basesOf({ url: 'http://localhost:1/mcp' })).toBeUndefined()
  for (const command of ['sh', '/bin/bash', 'docker', 'ssh', 'cmd.exe', 'env'])
    expect(basesOf({ command, cwd: home })).toBeUndefined()
})

test('[G280] a folder counts however its mount names it: from the home, in a list, behind an option or in JSON', () => {
  const [data, other] = [join(home, 'data'), join(home, 'other')]
  mkdirSync(other, { recursive: true })
  const at = (args: string[], env: Record<string, string> = {}) => basesOf({ command: 'node', args, env, cwd: '/' })
  for (const arg of ['~/data', `-C${data}`, '--root=~/data', `file://${data}`, JSON.stringify({ folders: [data] })])
    expect(at([arg], { HOME: home })).toEqual(['/', data, home])
  for (const list of [`${data},${other}`, `${data}:${other}`, `--roots=${data};${other}`])
    expect(at([list])).toEqual(['/', data, other])
  expect(at([], { ROOTS: `${data}:${other}` })).toEqual(['/', data, other])
  expect(at([], { PATH: `${data}:${other}` })).toEqual(['/'])
  for (const args of [
    ['5', 'bash', '-c', 'cd /'],
    ['/usr/bin/docker', 'run'],
  ])
    expect(basesOf({ command: 'timeout', args })).toBeUndefined()
})
