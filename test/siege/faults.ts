import type { Edit } from './planted-build.ts'

/** A rule that is broken on purpose, and how the judge's sentence about it begins. */
export interface Fault {
  what: string
  edits: Edit[]
  found: RegExp
  /** It takes a hub that is frozen for longer than a line waits. */
  longFreezes?: true
}

export const FAULTS: Fault[] = [
  {
    what: 'a conversation is taken over although another line could be its owner',
    edits: [
      { file: 'src/doors/mcp/lines/line-session.ts', from: ' && heirs.isOnly(hello, caller.client, left)', to: '' },
    ],
    found: /^(wrong agent|place: .* both spoke)/,
  },
  {
    what: 'a line does not name its conversation to the next hub',
    edits: [{ file: 'src/line/line.ts', from: 'client: name, began, own, seats', to: 'client: name, began, seats' }],
    found: /^(wrong agent|place)/,
  },
  {
    what: 'what a line says it has delivered does not count with the next hub',
    edits: [{ file: 'src/line/line.ts', from: 'slips: delivered.newest(most)', to: 'slips: []' }],
    found: /^twice/,
  },
  {
    what: 'a line does not say what was delivered',
    edits: [
      {
        file: 'src/line/line.ts',
        from: 'if (brought) link?.say(JSON.stringify({ got: key, slips: link === whence ? undefined : has }))',
        to: '',
      },
    ],
    found: /^twice/,
  },
  {
    what: 'a key that is used again leads to what was done with it, whatever is called',
    edits: [
      {
        file: 'src/doors/mcp/surface.ts',
        from: "keyOfCall(mcpReq._meta?.['claudecode/toolUseId'], visit, called)",
        to: "keyed('call', mcpReq._meta?.['claudecode/toolUseId'])",
      },
    ],
    found: /^(other words|log: ".*" was answered)/,
  },
  {
    what: 'a repeated call is another one',
    edits: [
      {
        file: 'src/doors/mcp/surface.ts',
        from: "callKey: keyOfCall(mcpReq._meta?.['claudecode/toolUseId'], visit, called) ?? keyed('line', key)",
        to: 'callKey: undefined',
      },
    ],
    found: /^log: ".*" was said/,
  },
  {
    what: 'of several stops only the last is told',
    edits: [
      {
        file: 'src/chat/delivery/unread.ts',
        from: 'interrupted: wordsOf(stops),',
        to: 'interrupted: wordsOf(stops.slice(-1)),',
      },
    ],
    found: /^lost: .* stop in/,
  },
  {
    what: 'a call that is refused because of a stop does not carry its words',
    edits: [
      {
        file: 'src/chat/delivery/unread.ts',
        from: 'const own = [...stops, ...(behind ? [behind.id] : [])]',
        to: 'const own = behind ? [] : stops.slice(0, 0)',
      },
    ],
    found: /^(failed|verdict)/,
  },
  {
    what: 'an unanswered request is no reason to have a hub',
    edits: [{ file: 'src/line/line.ts', from: 'isWanted || unanswered.calls().some(isUrgent)', to: 'isWanted' }],
    found: /^hangs/,
  },
  {
    what: 'a line repeats nothing to the next hub',
    edits: [{ file: 'src/line/line.ts', from: ', ...unanswered.again()', to: '' }],
    found: /^(hangs|failed)/,
  },
  {
    what: 'a cancel that crosses its reply loses it',
    edits: [
      {
        file: 'src/doors/mcp/departure.ts',
        from: 'message.method === CANCELLED) crossed(',
        to: 'message.method === CANCELLED && !message.params) crossed(',
      },
    ],
    found: /^(lost|receipt)/,
  },
  {
    what: 'a reply that came late goes with the call that gave it up',
    edits: [
      {
        file: 'src/chat/delivery/deliveries.ts',
        from: 'onTheWay.delete(contents)\n      taken.delete(contents)',
        to: 'hasArrived(contents)',
      },
    ],
    found: /^(lost|receipt)/,
  },
  {
    what: 'an approval whose line and hub died is still to be allowed',
    edits: [{ file: 'src/hub/hub.ts', from: 'keep(chat.withdrawAbandoned())', to: '' }],
    found: /^orphan/,
  },
  {
    what: 'an approval that was cancelled stays on its card',
    edits: [
      {
        file: 'src/chat/delivery/agent-session.ts',
        from: 'if (!isCutOff) await Promise.allSettled([agentService.withdraw(questions)])',
        to: 'if (!isCutOff) left.length = 0',
      },
    ],
    found: /^orphan/,
  },
  {
    what: 'a line that connects again has withdrawn its approvals',
    edits: [
      {
        file: 'src/chat/delivery/agent-session.ts',
        from: 'if (!isCutOff) await Promise.allSettled([agentService.withdraw(questions)])',
        to: 'if (questions) await Promise.allSettled([agentService.withdraw(questions)])',
      },
    ],
    found: /^verdict: .* denied by nobody/,
    longFreezes: true,
  },
  {
    what: 'a line that says hello is nobody until it calls',
    edits: [
      {
        file: 'src/doors/mcp/lines/line-session.ts',
        from: 'for (const place of hello.seats ?? []) isThere(place).catch(ignore)\n  if (begins !== undefined && hasAgentSessions)',
        to: 'if (begins !== undefined && hasAgentSessions && isGone)',
      },
    ],
    found: /^absent/,
  },
  {
    what: 'the same question is the same in another run',
    edits: [
      {
        file: 'src/chat/delivery/visits.ts',
        from: 'const isSame = before.visit !== undefined && before.visit === again.visit',
        to: 'const isSame = before.visit !== undefined',
      },
    ],
    found: /^wrong agent: .* to what somebody else asked/,
  },
  {
    what: 'reading on forgets which call it was',
    edits: [
      {
        file: 'src/doors/mcp/tools/reading-tools.ts',
        from: 'view.inbox.readAndAdvance(session_id, limit, caller.lineKey)',
        to: 'view.inbox.readAndAdvance(session_id, limit)',
      },
    ],
    found: /^reading/,
  },
  {
    what: 'a starting hub that is killed ends the line',
    edits: [{ file: 'src/line/hub-start.ts', from: '++starts < MOST_STARTS', to: '++starts < 1' }],
    found: /^line/,
  },
  {
    what: 'what a page repeats is said twice',
    edits: [
      {
        file: 'src/doors/ws/timeline-dialect.ts',
        from: 'view.say(conversation, { text, attachments, answers }, key)',
        to: 'view.say(conversation, { text, attachments, answers })',
      },
    ],
    found: /^log: ".*" was accepted/,
  },
]
