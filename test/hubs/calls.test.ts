import { expect, test } from 'vitest'
import { until } from '../support/chat.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { callAndLeave, openGoverned, texts, WROTE } from '../support/policy/governor.ts'
import { ENGINES, type OpenLog, sharedLog } from './several.ts'

type Hub = ReturnType<typeof openGoverned>

/** Several hubs, each with the same tool, on one log. */
async function openHubs(open: OpenLog, count: number, how: Parameters<typeof openGoverned>[0] = {}) {
  const log = await sharedLog(open)
  const clock = fakeClock(Date.now())
  const hubs = Array.from({ length: count }, () => openGoverned({ ...how, log, clock }))
  await Promise.all(hubs.map(({ chat }) => chat.ready))
  return { clock, hubs: hubs as [Hub, Hub, Hub] }
}

function ran(hubs: Hub[]) {
  return hubs.flatMap(({ tool }) => [...tool.ran, ...tool.ranAlone])
}

for (const [engine, open] of Object.entries(ENGINES)) {
  test(`[N6] a call that is allowed once its caller has gone runs once, however many hubs see it (${engine})`, async () => {
    const { hubs } = await openHubs(open, 3)
    const question = await callAndLeave(hubs[0])
    await hubs[2].person.allow(question, undefined)
    await until(async () => (await hubs[1].bodies('message')).length > 0)
    await Promise.all(hubs.map((hub) => hub.close()))
    expect(ran(hubs)).toEqual([{ text: 'one' }])
    expect(hubs[0].tool.ranAlone).toHaveLength(1)
    expect(await hubs[1].bodies('tool_call')).toHaveLength(1)
    expect(await hubs[1].bodies('tool_result')).toMatchObject([{ success: true, late: true }])
    expect(await hubs[1].bodies('message')).toHaveLength(1)
  })

  test(`[N6] of hubs that would all run a call one does, and the others bring what came of it (${engine})`, async () => {
    const { hubs } = await openHubs(open, 3)
    const first = hubs[0].govern(hubs[0].called({ visit: 'v1' }))
    const question = await hubs[0].asked()
    await until(() => hubs.every(({ chat }) => chat.mountedCalls.isAnyAsked()))
    const others = hubs.slice(1).map((hub) => hub.govern(hub.called({ visit: 'v1' })))
    await until(() => hubs.every(({ tool }) => tool.waited === 1))
    await hubs[1].person.allow(question, undefined)
    for (const answer of await Promise.all([first, ...others])) expect(answer).toMatchObject(WROTE)
    expect(ran(hubs)).toEqual([{ text: 'one' }])
    expect(await hubs[0].bodies('question')).toHaveLength(1)
    expect(await hubs[0].bodies('tool_call')).toHaveLength(1)
  })
}

test('[N7] a hub that is there runs what it asked about; once it is gone another does, and what it began is in doubt', async () => {
  const { hubs, clock } = await openHubs(ENGINES.memory as OpenLog, 2)
  const [there, watching] = hubs
  const dying = openGoverned({ log: mute(there.log), clock })
  const allowed = await callAndLeave(dying)
  const late = Promise.withResolvers<typeof WROTE>()
  dying.tool.answer = () => late.promise
  const begun = dying.govern(dying.called({ subject: { arguments: { text: 'begun' } } }))
  begun.catch(() => {})
  await dying.person.allow(await dying.asked(allowed), undefined)
  await until(async () => (await there.bodies('tool_call')).length === 1)
  clock.advance(2999)
  // From here on the other one neither says nor hears anything, as one that was frozen.
  await dying.chat.close()
  expect(await there.bodies('tool_result')).toEqual([])
  await there.person.allow(allowed, undefined)
  await watching.close()
  expect([watching.tool.ranAlone, there.tool.ranAlone]).toEqual([[], []])
  clock.advance(1)
  await until(async () => (await there.bodies('tool_result')).length === 2)
  expect(there.tool.ranAlone).toEqual([{ text: 'one' }])
  const results = await there.bodies('tool_result')
  expect(results.filter(({ success }) => success)).toHaveLength(1)
  expect(results.find(({ success }) => !success)?.result).toMatch(/ran is unknown/)
  late.resolve(WROTE)
})

test('[N7] what a hub leaves when it ends is taken over at once', async () => {
  const { hubs } = await openHubs(ENGINES.memory as OpenLog, 2)
  const question = await callAndLeave(hubs[0])
  await hubs[0].close()
  await hubs[0].chat.close()
  await hubs[1].person.allow(question, undefined)
  await until(async () => (await hubs[1].bodies('tool_result')).length > 0)
  expect(hubs[1].tool.ranAlone).toHaveLength(1)
})

test('[N8] a call that its line makes again at another hub waits for what it brings at the first', async () => {
  const { hubs } = await openHubs(ENGINES.memory as OpenLog, 2, { decide: () => ({ decision: 'allow' }) })
  const goOn = Promise.withResolvers<typeof WROTE>()
  hubs[0].tool.answer = () => goOn.promise
  const first = hubs[0].govern(hubs[0].called({ key: 'k' }))
  await until(() => hubs[0].tool.ran.length > 0)
  const again = hubs[1].govern(hubs[1].called({ key: 'k', isRepeated: true }))
  goOn.resolve(WROTE)
  expect(await first).toEqual(WROTE)
  expect(texts(await again)).toEqual(['Wrote'])
  expect(ran(hubs)).toHaveLength(1)
})

test('[N8] made at both at once it runs at one of them', async () => {
  const { hubs } = await openHubs(ENGINES.memory as OpenLog, 2, { decide: () => ({ decision: 'allow' }) })
  const called = { key: 'k', isRepeated: true }
  const answers = await Promise.all(hubs.map((hub) => hub.govern(hub.called(called))))
  expect(answers.map(texts)).toEqual([['Wrote'], ['Wrote']])
  expect(ran(hubs)).toHaveLength(1)
})

/** The log for a hub of which the others hear nothing. */
function mute(log: Hub['log']): Hub['log'] {
  return { ...log, signal() {} }
}
