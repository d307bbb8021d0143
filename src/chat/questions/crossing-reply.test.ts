import { expect, test } from 'vitest'
import { forever, openTestChat, until } from '../../../test/support/chat.ts'
import { systemClock } from '../../io/clock.ts'

test('[Q10] a reply that comes while its call comes back as pending is no earlier message in that very answer', async () => {
  for (let hops = 0; hops < 60; hops++) {
    const ringing = new Set<() => void>()
    const alarm = (_: number, ring: () => void) => {
      ringing.add(ring)
      return { cancel: () => void ringing.delete(ring) }
    }
    // One that has been there for a while.
    let ago = 60_000
    const { view } = openTestChat({ clock: { ...systemClock, now: () => Date.now() - ago, alarm } })
    ago = 0
    const session = view.agentSession({ conversation: 'work', title: 'Work' })
    const asked = session.ask([{ by: 'agent', text: 'Deploy?' }], { ...forever, waitMs: 1000 })
    await until(async () => (await view.conversation('work')).open.length === 1 && ringing.size > 0)
    const [question] = (await view.conversation('work')).open
    for (const ring of [...ringing]) ring()
    // The reply comes at every moment from there on.
    for (let hop = 0; hop < hops; hop++) await undefined
    await view.answer(question?.id ?? '', 'Yes')
    const { settlements, open, earlier } = await asked
    expect({ hops, earlier }).toEqual({ hops, earlier: [] })
    expect(settlements.length + open.length).toBe(1)
  }
})
