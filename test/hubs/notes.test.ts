import { expect, test } from 'vitest'
import { openPins } from '../../src/doors/mcp/resources/pins.ts'
import { openToolPins } from '../../src/governance/calls/tool-pins.ts'
import type { Principal } from '../../src/protocol/principal.ts'
import { SOAK } from '../log/contract/place.ts'
import { openTestChat, reached, until } from '../support/chat.ts'
import { ENGINES, type OpenLog, sharedLog } from './several.ts'

const RUNNER: Principal = { id: 'runner', name: 'runner', role: 'orchestrator' }
const ROUNDS = 10 * SOAK

async function openTwo(open: OpenLog) {
  const log = await sharedLog(open)
  const hubs = [openTestChat({ log }), openTestChat({ log })] as const
  await Promise.all(hubs.map(({ chat }) => chat.ready))
  return hubs
}

for (const [engine, open] of Object.entries(ENGINES)) {
  test(`[N9] what is pinned at two hubs at once is all kept, and the other hub knows it (${engine})`, async () => {
    const hubs = await openTwo(open)
    const pins = hubs.map(({ chat }) => openPins({ viewOf: chat.as }))
    await Promise.all(pins.map(({ add }, n) => add(RUNNER, [`ui://chat/inbox/${n}`])))
    for (const { of } of pins) expect((await of(RUNNER)).toSorted()).toEqual(['ui://chat/inbox/0', 'ui://chat/inbox/1'])
    await pins[1]?.remove(RUNNER, ['ui://chat/inbox/0'])
    expect(await pins[0]?.of(RUNNER)).toEqual(['ui://chat/inbox/1'])

    const tools = hubs.map(({ view, problems }) =>
      openToolPins({ notes: view.notes, report: (error) => void problems.push(error) }),
    )
    await Promise.all(tools.map(({ ready }) => ready))
    tools.forEach(({ pin }, n) => {
      pin({ server: 's', tool: `tool-${n}`, fingerprint: 'as it was' })
    })
    await until(() =>
      tools.every(({ fits }) =>
        [0, 1].every((n) => !fits({ server: 's', tool: `tool-${n}`, fingerprint: 'as it is' })),
      ),
    )
    expect(hubs.flatMap(({ problems }) => problems)).toEqual([])
  })

  test(`[N10] what is changed at one hub while another hands it out is known in its newest words, once (${engine})`, async () => {
    const [one, other] = await openTwo(open)
    const session = reached(one.view.agentSession({ conversation: 'work', title: 'work' }))
    await session.messages()
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await other.view.say('work', { text: `Before ${round}` })
      const after = `After ${round}`
      const [first] = await Promise.all([session.messages(), other.view.revise('work', id, after)])
      const told = [...first.earlier, ...(await session.messages()).earlier].map(({ text }) => text)
      const whole = told.join('\n')
      // Either in the new words, or in the old ones and then how they were changed.
      expect(told).toHaveLength(whole.startsWith(after) ? 1 : 2)
      expect(whole).toMatch(new RegExp(`${after}$`))
    }
    expect((await session.messages()).earlier).toEqual([])
  })
}
