import { expect, test } from 'vitest'
import type { AgentState } from '../../../../src/protocol/entries/agent-state.ts'
import type { Body, Entry } from '../../../../src/protocol/entries/entry.ts'
import { emptyConversation } from '../../../../src/protocol/entries/fold.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { startHub } from '../../../../test/support/hub.ts'
import { idOf } from '../../../../test/support/ids.ts'
import { conversationOf, nothingSeen, openPageState } from '../../../../test/support/page-state.ts'
import { promiseOf } from '../../composer/promise.ts'
import type { Conversation } from '../conversation/conversation.svelte.ts'
import { inFull, SHORTLY } from './doing.ts'
import { Roster } from './roster.svelte.ts'

const MINUTE_MS = 60_000
const GO: Body = { kind: 'message', author: 'user', by: 'person', text: 'Go' }
const CALL: Body = { kind: 'tool_call', by: 'agent', tool_name: 'Bash', tool_args: '{}' }
const STOP: Body = { kind: 'message', author: 'user', by: 'person', text: 'Stop', interrupt: true }

function entry(n: number, body: Body, key?: string): Entry {
  return { id: idOf(n), conversation: 'work', at: n, key, body }
}

/** A conversation where the agent was told to go and uses a tool. */
function rosterOf(state: AgentState, seen = 0) {
  const roster = new Roster(nothingSeen())
  const conversation = roster.learn(emptyConversation('work'))
  conversation.timeline.loaded = true
  conversation.follow([entry(1, GO), entry(2, CALL)])
  roster.callRoll({ work: { state, seen } })
  return { roster, conversation }
}

/** Everything that is said and shown of the agent. */
function shown(roster: Roster, conversation: Conversation) {
  const [section] = roster.sections
  return [
    SHORTLY[conversation.doing],
    section?.kind,
    ...conversation.rows.slice(1).map((row) => ('state' in row ? row.state : row.kind)),
  ]
}

test('[U84] only who works is among those who work and has a tool that runs', () => {
  const all = (['working', 'idle', 'gone'] as const).map((state) => {
    const { roster, conversation } = rosterOf(state)
    return shown(roster, conversation)
  })
  expect(all).toEqual([
    ['working', 'working', 'running', 'thinking'],
    ['idle', 'quiet', 'open'],
    ['not listening', 'quiet', 'gone'],
  ])
})

test('[U84] of an agent that is idle it is said when it was seen last', () => {
  const { roster, conversation } = rosterOf('idle', 5 * MINUTE_MS)
  const said = [5, 8, 125].map((minutes) => inFull(conversation, minutes * MINUTE_MS))
  expect(said).toEqual(['Idle · last seen just now', 'Idle · last seen 3 min ago', 'Idle · last seen 2 h ago'])
  roster.attach('work', { state: 'working', seen: 8 * MINUTE_MS })
  expect(inFull(conversation, 8 * MINUTE_MS)).toBe('Working')
})

test.each<AgentState>(['working', 'idle'])(
  '[U85] who is %s and told to stop is stopping until it has heard it',
  (state) => {
    const { roster, conversation } = rosterOf(state)
    const before = shown(roster, conversation)
    conversation.say({ key: 'k', text: 'Stop', at: 3, stop: true })
    expect(shown(roster, conversation)).toEqual(['stopping', 'working', 'open', 'bubble'])
    conversation.follow([entry(3, STOP, 'k')])
    expect(shown(roster, conversation)).toEqual(['stopping', 'working', 'open', 'bubble'])
    expect(inFull(conversation, 0)).toBe('Stopping')
    expect(promiseOf(conversation).text).toBe('Stops at the agent’s next call')
    conversation.follow([entry(4, { kind: 'receipt', state: 'delivered', messages_to: idOf(3) })])
    expect(shown(roster, conversation).slice(0, 3)).toEqual(before.slice(0, 3))
  },
)

test('[U85] who ends its turn without having heard it is not stopping any more', () => {
  const { roster, conversation } = rosterOf('working')
  conversation.follow([entry(3, STOP)])
  expect(conversation.doing).toBe('stopping')
  conversation.follow([entry(4, { kind: 'turn', by: 'agent' })])
  roster.attach('work', { state: 'idle', seen: 4 })
  expect([conversation.doing, roster.sections[0]?.kind]).toEqual(['idle', 'quiet'])
})

test('[U85] who is gone is not said to be stopping', () => {
  const { conversation } = rosterOf('gone')
  conversation.follow([entry(3, STOP)])
  expect(conversation.doing).toBe('gone')
})

test('[U86] without the hub nothing is claimed of an agent, and its place in the list is the same', async () => {
  const hub = await startHub()
  await hub.view.say('work', { text: 'Go' })
  await hub.view.agentSession({ conversation: 'work', title: 'Work' }).tell({ ...CALL, kind: 'tool_call' })
  const page = await openPageState(hub.url)
  const conversation = await conversationOf(page, 'work')
  expect(shown(page.roster, conversation)).toContain('thinking')
  await hub.close()
  await eventually(() => expect(page.link.status).toBe('lost'))
  expect(shown(page.roster, conversation)).toEqual(['offline', 'working', 'open'])
  expect(inFull(conversation, 0)).toBe('Offline')
  expect(promiseOf(conversation).text).toBe('Sent when the hub is back')
})
