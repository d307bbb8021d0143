import { expect, test } from 'vitest'
import type { MountState } from '../../../src/protocol/tools/gateway.ts'
import { rowsOf, seenInWords, serversFrom, whomInWords, withMounted } from './tool-view.ts'

function mounted(name: string, ...tools: string[]): MountState {
  const fingerprints = tools.map((tool) => ({ name: tool, shown: `${name}_${tool}`, fingerprint: '' }))
  return { name, transport: 'stdio', state: 'ready', sign_in: false, tools: tools.length, since: 0, fingerprints }
}

const MOUNTS = [mounted('git', 'status', 'push', 'odd*'), mounted('files', 'read')]

test('[U261] what a view says of each server can be chosen, and what nobody touched stays as it was', () => {
  const servers = { git: ['status', 'diff*', 'resources/read'], gone: ['x'], '*': ['read_*'] }
  const rows = rowsOf({ servers }, MOUNTS)
  expect(rows.map(({ server, seen }) => [server, seen])).toEqual([
    ['git', 'some'],
    ['files', 'others'],
    ['gone', 'some'],
    ['*', 'some'],
  ])
  expect(rows[0]?.choices.filter(({ chosen }) => chosen).map(({ shown }) => shown)).toEqual([
    'status',
    'Its resources',
    'diff*',
  ])
  expect(serversFrom(rows)).toEqual({ ...servers, git: ['status', 'resources/read', 'diff*'] })
})

test('[U261] a tool is chosen by its very name', () => {
  const rows = rowsOf({ servers: {} }, MOUNTS)
  expect(rows.map(({ seen }) => seen)).toEqual(['others', 'others', 'nothing'])
  const [git] = rows
  if (git) {
    git.seen = 'some'
    for (const choice of git.choices) choice.chosen = choice.shown === 'odd*'
  }
  expect(serversFrom(rows)).toEqual({ git: ['odd\\*'] })
  expect(rowsOf({ servers: serversFrom(rows) }, MOUNTS)[0]?.choices.find(({ chosen }) => chosen)?.shown).toBe('odd*')
})

test('[U260] a view is told in words', () => {
  expect(whomInWords({ agent: 'codex', folder: '/site', token: 'ci', servers: {} })).toBe(
    'codex with the token ci in /site',
  )
  expect(whomInWords({ folder: '', servers: {} })).toBe('Every agent in no known folder')
  expect(seenInWords({ servers: { git: ['status', 'prompts/get/*'], mail: [], '*': ['*'] } })).toBe(
    'git (status, prompts), mail (nothing), every other server (everything)',
  )
  expect(seenInWords({ servers: {} })).toBe('nothing')
})

test('[U261] tools that come while a view is written can be chosen, and what was chosen stays', () => {
  const rows = rowsOf({ servers: { git: ['status'] } }, [mounted('git')])
  const [git] = rows
  for (const choice of git?.choices ?? []) if (choice.shown === 'Its prompts') choice.chosen = true
  const now = withMounted(rows, MOUNTS)
  expect(now.map(({ server, seen }) => [server, seen])).toEqual([
    ['git', 'some'],
    ['files', 'others'],
    ['*', 'nothing'],
  ])
  expect(now[0]?.choices.map(({ shown, chosen }) => [shown, chosen])).toEqual([
    ['status', true],
    ['push', false],
    ['odd*', false],
    ['Its resources', false],
    ['Its prompts', true],
  ])
})
