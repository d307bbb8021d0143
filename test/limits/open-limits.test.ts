import { expect, test } from 'vitest'
import type { View } from '../../src/chat/view.ts'
import type { OpenQuestion } from '../../src/protocol/entries/fold.ts'
import { localPrincipal } from '../../src/protocol/principal.ts'
import { ask } from '../support/chat.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { connectHttp } from '../support/mcp/http-client.ts'
import { ADA, call, openSurfaces } from '../support/mcp/surfaces.ts'
import { startGoverned } from '../support/policy/governed.ts'
import { connectPage } from '../support/socket.ts'

const MIB = 1024 * 1024
const FULL = 'At most 5000 questions, of 17 MB in all, can be open for one agent'

function wanted(content = '', more: object = {}) {
  return {
    by: 'claude',
    text: 'Write it?',
    approval: { tool_name: 'Write', input: JSON.stringify({ content }), ...more },
  }
}

/** Almost as much as may be open. */
async function fill(agent: View, { by = 'claude', conversation = 'work' } = {}) {
  for (let n = 0; n < 15; n++) await ask(agent, { by, text: `${n}`.padEnd(MIB, 'x') }, conversation)
  await ask(agent, { by, text: 'x'.repeat(MIB / 2) }, conversation)
}

test('[S66] the arguments, options, reasons and changes of an approval count, at every door, and nothing is said', async () => {
  const { view, url } = await startHub()
  const long = 'x'.repeat(0.4 * MIB)
  const options = [1, 2, 3].map((n) => ({ id: `${n}`, label: long, kind: 'allow_once' as const }))
  const changes = [{ path: 'a', old_text: long, new_text: long + long }]
  for (const question of [wanted('x'.repeat(1.2 * MIB)), wanted('', { options }), wanted('', { changes })])
    await expect(ask(view, question)).rejects.toMatchObject({ code: 'entry_too_large' })
  const steps = Array.from({ length: 200_000 }, () => ({ text: 'a', state: 'pending' as const }))
  await expect(view.record('work', { kind: 'plan', by: 'claude', steps })).rejects.toMatchObject({
    message: 'Together this is larger than the limit of 1048576 bytes',
  })
  const agent = await connectHttp(`${url}/mcp/agent`)
  const input = { content: 'x'.repeat(1.2 * MIB) }
  await expect(call(agent, 'approve', { tool_name: 'Write', input })).rejects.toThrow('larger than the limit')
  expect(await view.conversations({ limit: 9 })).toEqual([])
  await view.say('work', { text: 'x'.repeat(MIB) })
})

test('[S67] what is open is limited for each agent, over every door, until something is settled', async () => {
  const { chat, connect, person: admin } = await startGoverned()
  const agent = chat.as(localPrincipal('agent'))
  const first = await ask(agent, wanted('first'))
  await fill(agent)
  await expect(ask(agent, wanted('x'.repeat(MIB)))).rejects.toThrow(FULL)
  const mounted = await connect()
  const entry = { name: 'diary_write', arguments: { text: 'x'.repeat(0.99 * MIB) } }
  await fill(agent, { by: 'test-client', conversation: 'chat' })
  expect(await mounted.callTool(entry)).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining(FULL) }],
  })
  // Others are not hindered, and neither is who asks for less.
  await ask(admin, wanted('x'.repeat(MIB)))
  const { open } = await admin.conversation('work')
  await admin.answer(open.find(({ approval }) => !approval)?.id ?? '', 'Yes')
  await ask(agent, wanted('x'.repeat(0.9 * MIB)))
  expect((await admin.conversation('work')).open[0]?.id).toBe(first)
})

test('[S99] what one agent without a token has open refuses nothing of another, as long as all have not too much', async () => {
  const { view: admin, chat } = await startHub()
  const agent = chat.as(localPrincipal('agent'))
  await fill(agent)
  const large = wanted('x'.repeat(0.9 * MIB))
  await expect(ask(agent, large)).rejects.toThrow(FULL)
  await ask(agent, { ...large, by: 'codex' })
  await ask(agent, large, 'other work')
  for (let n = 0; n < 7; n++) await fill(agent, { conversation: `more ${n}` })
  await expect(fill(agent, { conversation: 'too much' })).rejects.toThrow(
    'At most 40000 questions, of 134 MB in all, can be open for all agents without a token',
  )
  await ask(admin, large)
})

test('[S67] the number counts, all that come at once, and asking again is not refused', async () => {
  const { view } = await startHub()
  const agentService = view.agentService()
  const question = (n: number) => ({ key: `key ${n}`, ...wanted(`${n}`) })
  const put = (n: number) => agentService.ask('work', [question(n)], { title: 'work' })
  const asked = await Promise.allSettled(Array.from({ length: 5010 }, (_, n) => put(n)))
  const refused = asked.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(10)
  expect(refused[0]).toMatchObject({ reason: { code: 'too_much_open' } })
  const [first] = asked
  expect(await put(0)).toEqual(first?.status === 'fulfilled' && first.value)
})

test('[S67] one that drives an agent is refused in the same words', async () => {
  const { chat, connect } = openSurfaces()
  const runner = { id: 'runner', name: 'runner', role: 'orchestrator' as const }
  await chat.as(ADA).say('work', { text: 'Hello' })
  await fill(chat.as(runner))
  const driver = await connect('/mcp/orchestrator', runner)
  const me = { session_id: 'work', holder: 'me' }
  await call(driver, 'hold_conversation', me)
  const approval = { tool_name: 'Write', input: JSON.stringify({ content: 'x'.repeat(MIB) }) }
  const asked = call(driver, 'ask_person', { ...me, key: 'k', text: 'Write it?', approval })
  await expect(asked).rejects.toThrow(FULL)
})

test('[S68] the welcome has the beginnings of large questions, also after a restart, and a read brings all of one', async () => {
  const data = await temporaryFolder()
  const hub = await startHub(data)
  for (let n = 0; n < 6; n++) await ask(hub.view, wanted('x'.repeat(MIB)), `work ${n % 3}`)
  await hub.close()
  const { url } = await startHub(data)
  const page = await connectPage(url, { conversation: 'work 0' })
  const conversations = page.welcome.conversations as { id: string; open: OpenQuestion[] }[]
  const open = conversations.flatMap((conversation) => conversation.open)
  expect(open).toHaveLength(6)
  expect(JSON.stringify(page.welcome).length).toBeLessThan(20_000)
  const [asked] = open
  expect(asked).toMatchObject({ shortened: true, approval: { tool_name: 'Write', input: '' } })
  await page.next('page')
  const { id: conversation } = conversations.find((one) => one.open.includes(asked as OpenQuestion)) ?? { id: '' }
  page.say({ type: 'read', key: 'whole', conversation, around: asked?.id, limit: 1 })
  const { entries } = (await page.next('page')) as unknown as { entries: { id: string; body: OpenQuestion }[] }
  expect(entries.map(({ id, body }) => [id, body.approval?.input.length])).toEqual([[asked?.id, MIB + 14]])
})
