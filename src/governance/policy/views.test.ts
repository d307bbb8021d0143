import { expect, test } from 'vitest'
import { readViews } from './views.ts'

const ALL = { '*': ['*'] }

test('[G230] the first view that is for an agent counts, by its client, its folder and its token', () => {
  const { seenBy } = readViews([
    { token: 'ci', servers: { git: ['log'] } },
    { agent: 'codex', folder: '/projects/*', servers: { git: ['status', 'diff*'], mail: [] } },
    { agent: 'codex', servers: { '*': ['*'], mail: [] } },
    { folder: '', servers: {} },
  ])
  const codex = { principal: 'local:agent', agent: 'codex-mcp-client', folder: '/projects/site' }
  expect(seenBy(codex)('git', 'status')).toBe(true)
  expect(seenBy(codex)('git', 'diff_staged')).toBe(true)
  expect(seenBy(codex)('git', 'push')).toBe(false)
  expect(seenBy(codex)('files', 'read')).toBe(false)
  const elsewhere = seenBy({ ...codex, folder: '/home' })
  expect([elsewhere('git', 'push'), elsewhere('files', 'read'), elsewhere('mail', 'send')]).toEqual([true, true, false])
  const ci = seenBy({ ...codex, principal: 'ci' })
  expect([ci('git', 'log'), ci('git', 'status')]).toEqual([true, false])
  expect(seenBy({ principal: 'local:agent', agent: 'gemini', folder: '' })('git', 'log')).toBe(false)
  expect(seenBy({ principal: 'local:agent', agent: 'gemini', folder: '/work' })('mail', 'send')).toBe(true)
  // Nobody gets a token by its name.
  expect(seenBy({ principal: 'local:ci', agent: 'ci', folder: '/x' })('mail', 'send')).toBe(true)
})

test('[G231] who has not said yet who it is is told of no server that one like it would not see', () => {
  const { isNamedTo } = readViews([{ agent: 'codex', folder: '/work', servers: { ...ALL, mail: [] } }])
  const somebody = { principal: 'local:agent', folder: '/work' }
  expect([isNamedTo(somebody, 'git'), isNamedTo(somebody, 'mail')]).toEqual([true, false])
  expect(isNamedTo({ ...somebody, folder: '/home' }, 'mail')).toBe(true)
})

test('[G235] a pattern that means nothing is refused with its place', () => {
  expect(() =>
    readViews([
      { agent: 'a', servers: ALL },
      { agent: '!codex', servers: ALL },
    ]),
  ).toThrow('"views.1.agent" begins with "!"')
  expect(() => readViews([{ servers: { git: ['{a,b}'] } }])).toThrow('"views.0.servers.git" has a "{"')
  expect(() => readViews([{ folder: '!/work', servers: ALL }])).toThrow('"views.0.folder" begins with "!"')
  expect(() => readViews([{ agent: '', servers: ALL }])).toThrow('"views.0.agent"')
})
