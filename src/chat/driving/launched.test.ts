import { expect, test } from 'vitest'
import { openTestChat, person } from '../../../test/support/chat.ts'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import { localPrincipal } from '../../protocol/principal.ts'

const RUNNER = { name: 'Codex in shop', folder: '/home/ada/shop', agent: 'Codex', max_sessions: 5 }

/** A hub with a runner that it started. */
async function openLaunched() {
  const { chat, view } = openTestChat({ clock: fakeClock(1_000_000) })
  await chat.ready
  chat.runners.launch({ ...RUNNER, launched: { agent: 'codex', process: 'running' } })
  return { chat, view, launched: chat.as(localPrincipal('orchestrator')).driver() }
}

test('[S221] nobody but who administers gives a conversation to a runner that the hub starts', async () => {
  const { chat, view } = await openLaunched()
  await view.say('work', { text: 'Hello' })
  const bound = chat.as({ id: 'eve', name: 'eve', role: 'admin', conversation: 'work' })
  for (const [who, code] of [
    [person(chat, 'ada'), 'forbidden_role'],
    [bound, 'bound_to_one'],
  ] as const)
    await expect(who.changeRunSettings('work', { runner: RUNNER.name })).rejects.toMatchObject({ code })
  const begun = person(chat, 'ada').start({ runner: RUNNER.name }, { text: 'Hello' }, 'k')
  await expect(begun).rejects.toMatchObject({ code: 'forbidden_role' })
  expect((await view.conversation('work')).wish).toBeUndefined()
  await chat.as(localPrincipal('human')).changeRunSettings('work', { runner: RUNNER.name })
  await person(chat, 'ada').changeRunSettings('work', { mode: 'plan' })
  expect((await view.conversation('work')).wish).toMatchObject({ runner: RUNNER.name, mode: 'plan' })
})

test('[S221] what somebody says where nobody answers is not given to it, be it the only one', async () => {
  const { chat, view, launched } = await openLaunched()
  launched.offerRunner(RUNNER, 'run-1')
  await person(chat, 'ada').say('new', { text: 'Hello' })
  expect((await view.conversation('new')).wish).toBeUndefined()
  // Somebody who may can choose it.
  expect(await view.unanswered('new')).toBe('which_runner')
  view.driver().offerRunner({ ...RUNNER, name: 'tests' }, 'run-2')
  await person(chat, 'ada').say('other', { text: 'Hello' })
  expect((await view.conversation('other')).wish?.runner).toBe('tests')
})

test('[S222] its name is offered by nobody who shows a token, whether it has a process or not', async () => {
  const { chat, view, launched } = await openLaunched()
  const other = chat.as({ id: 'ci', name: 'ci', role: 'orchestrator' }).driver()
  expect(() => other.offerRunner({ ...RUNNER, folder: '/tmp' }, 'run-1')).toThrow(/already there, in \/home\/ada\/shop/)
  launched.offerRunner(RUNNER, 'run-2')
  expect(view.driving.runners()).toMatchObject([RUNNER])
})
