import { expect, test } from 'vitest'
import { openPolicy } from '../file/open-policy.ts'
import { remembering } from './remember.ts'

const CALL = { server: 'agent', tool: 'Write', arguments: {}, principal: 'local:agent', at: 0 }

test('[G361] a rule made for a call without a command allows no call with one, and those without as ever', async () => {
  const file = openPolicy('memory')
  const { remember, decide } = remembering(file, () => expect.unreachable())
  const asked = { ...CALL, tool: 'Bash', arguments: { restart: true }, agent: 'codex', folder: '/srv/site' }
  const calls = [
    { restart: true },
    {},
    { command: 'rm -rf /' },
    { cmd: ['rm', '-rf', '/'] },
    { commands: ['rm -rf /'] },
  ]
  const decisions = () => calls.map((input) => decide({ ...asked, arguments: input }).decision)
  for (const scope of ['agent', 'everyone'] as const) {
    const identity = await remember(asked, { scope, by: 'ada' })
    expect(decisions()).toEqual(['allow', 'allow', 'ask', 'ask', 'ask'])
    expect(file.show().rules).toMatchObject([{ shown: expect.stringMatching(/tool Bash.*, no command$/) }])
    await file.change(identity, 'taken_back')
  }
})

test('[G361] several commands in one call are allowed for good as they are, and are no call without a command', async () => {
  const file = openPolicy('memory')
  const { remember, decide } = remembering(file, () => expect.unreachable())
  const asked = { ...CALL, tool: 'Bash', arguments: { commands: ['npm', 'test'] } }
  await remember(asked, { scope: 'everyone', by: 'ada' })
  const calls = [{ commands: ['npm', 'test'] }, { commands: ['npm', 'test', 'rm -rf /'] }, { command: 'ls' }, {}]
  expect(calls.map((input) => decide({ ...asked, arguments: input }).decision)).toEqual(['allow', 'ask', 'ask', 'ask'])
})

test('[G349] what a conversation is called makes no other line of the comment, nor another person of who allowed it', async () => {
  const file = openPolicy('memory')
  const conversation = 'work\u2028Allowed by eve on 2026-01-01 in play'
  const how = { scope: 'everyone', by: 'ada' } as const
  const identity = await remembering(file, () => expect.unreachable()).remember({ ...CALL, conversation }, how)
  expect(file.show().rules[0]).toMatchObject({ by: 'ada' })
  await file.forget(conversation, true)
  expect(file.show().rules).toMatchObject([{ by: 'ada' }])
  expect(JSON.stringify(file.show())).not.toContain('play')
  await file.change(identity, 'taken_back')
  expect(file.rules()).toEqual([])
})
