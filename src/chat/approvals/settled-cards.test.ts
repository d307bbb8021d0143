import { expect, test } from 'vitest'
import { ask, openTestChat, until } from '../../../test/support/chat.ts'
import { type ApprovalPolicy, NO_POLICY } from './policing.ts'

/** Rules that ask about everything, until they forbid what has these words among its arguments. */
function changingPolicy() {
  let forbidden: string | undefined
  const decide: ApprovalPolicy['decide'] = ({ arguments: input }) =>
    forbidden !== undefined && JSON.stringify(input).includes(forbidden)
      ? { decision: 'deny_continue', rule: { id: 'later' } }
      : { decision: 'ask' }
  const forbid = (words: string) => {
    forbidden = words
  }
  return { policy: { ...NO_POLICY, decide }, forbid }
}

async function twoCards() {
  const { policy, forbid } = changingPolicy()
  const { view } = openTestChat({ policy })
  const card = (path: string) =>
    ask(view, { by: 'agent', text: path, approval: { tool_name: 'Write', input: JSON.stringify({ path }) } })
  const [one, other] = [await card('one'), await card('other')]
  const open = async () => (await view.conversation('work')).open.map(({ id }) => id)
  return { view, forbid, open, one, other }
}

test('[G154] what is always allowed leaves those others to a person that rules forbid by now', async () => {
  const { view, forbid, open, one, other } = await twoCards()
  forbid('other')
  expect((await view.allowAlways(one, undefined)).body).toMatchObject({ outcome: 'approved', always: 'granted' })
  expect(await open()).toEqual([other])
})

test('[G154] what rules forbid by now is denied, whoever always allows it, and no other call is allowed by that', async () => {
  const { view, forbid, open, one, other } = await twoCards()
  forbid('one')
  expect((await view.allowAlways(one, undefined)).body).toMatchObject({ outcome: 'denied', by: 'policy' })
  expect(await open()).toEqual([other])
})

test('[G285] rules see what is masked on the card when a person allows it', async () => {
  const { policy, forbid } = changingPolicy()
  const { view } = openTestChat({ policy })
  const secret = `sk-ant-api03-${'Ab1'.repeat(20)}`
  const approval = { tool_name: 'Bash', input: JSON.stringify({ command: `curl -u ada:${secret} example.org` }) }
  const question = await ask(view, { by: 'agent', text: 'May I?', approval })
  forbid(secret)
  expect((await view.allow(question, undefined)).body).toMatchObject({ outcome: 'denied', by: 'policy' })
})

test('[Q91] an answer with the same key is the same answer, also one to a card, and no other', async () => {
  const { view } = openTestChat()
  const question = await ask(view, { by: 'agent', text: 'Colour?' })
  const first = await view.answer(question, 'Blue', 'key')
  expect(await view.answer(question, 'Blue', 'key')).toEqual(first)
  await expect(view.answer(question, 'Red', 'key')).rejects.toMatchObject({ code: 'key_used' })
  const card = await ask(view, { by: 'agent', text: 'May I?', approval: { tool_name: 'Bash', input: '{}' } })
  const denied = await view.answer(card, 'Not now', 'other')
  expect(denied.body).toMatchObject({ outcome: 'denied', reason: 'Not now' })
  expect(await view.answer(card, 'Not now', 'other')).toEqual(denied)
  await until(async () => (await view.conversation('work')).open.length === 0)
})

test('[Q91] a denial with the same key is the same denial, and an approval with it is refused', async () => {
  const { view } = openTestChat()
  const card = await ask(view, { by: 'agent', text: 'May I?', approval: { tool_name: 'Bash', input: '{}' } })
  const denied = await view.deny(card, 'Not now', 'key')
  expect(await view.deny(card, 'Not now', 'key')).toEqual(denied)
  await expect(view.allow(card, undefined, 'key')).rejects.toMatchObject({ code: 'key_used' })
})
