import { expect, test } from 'vitest'
import { readPolicy } from './read-policy.ts'
import { identitiesOf } from './rule-identity.ts'

const identities = (...rules: object[]) => identitiesOf(readPolicy(JSON.stringify({ rules })).rules)
const GIT = { server: 'git', tool: 'push', arguments: { branch: 'main' }, decision: 'ask' }

test('[G274] what a rule is known by hangs on what it says, and not on its switch, its words or its order', () => {
  const [git = ''] = identities(GIT)
  // Counts are kept under it.
  expect(git).toBe('lW4CEHdDRk2MgDTn')
  const { server, ...rest } = GIT
  for (const same of [
    { ...rest, server },
    { ...GIT, off: true },
    { ...GIT, reason: 'So' },
    { ...GIT, note: 'So' },
  ])
    expect(identities({ decision: 'allow' }, same)[1]).toBe(git)
  for (const more of [{ id: 'x' }, { tool: 'pull' }, { arguments: { branch: 'try' } }, { decision: 'allow' }])
    expect(identities({ ...GIT, ...more })[0]).not.toBe(git)
  expect(identities({ ...GIT, arguments: { remote: 'main' } })[0]).not.toBe(git)
})

test('[G274] rules that are all the same are numbered', () => {
  const [git = '', ...others] = identities(GIT, GIT, { decision: 'ask' }, GIT)
  expect(others).toEqual([`${git}.2`, expect.not.stringContaining('.'), `${git}.3`])
})
