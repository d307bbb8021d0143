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
    what: 'the next hub is not told what a client has',
    edits: [{ file: 'src/line/line.ts', from: 'slips: slips.all()', to: 'slips: []' }],
    found: /^twice/,
  },
  {
    what: 'a line does not say what was delivered',
    edits: [
      {
        file: 'src/line/line.ts',
        from: 'link?.say(JSON.stringify({ got: answered.key, slips: link === whence ? undefined : has }))',
        to: '',
      },
    ],
    found: /^twice/,
  },
  {
    what: 'a line repeats nothing to the next hub',
    edits: [{ file: 'src/line/line.ts', from: ', ...unanswered.again()', to: '' }],
    found: /^(hangs|failed)/,
  },
  {
    what: 'a repeated call is another one',
    edits: [
      {
        file: 'src/mcp/surface.ts',
        from: "callKey: keyed('call', mcpReq._meta?.['claudecode/toolUseId'], called) ?? keyed('line', key)",
        to: 'callKey: undefined',
      },
    ],
    found: /^log: ".*" was said/,
  },
  {
    what: 'a reply that came late goes with the call that gave it up',
    edits: [
      {
        file: 'src/chat/delivery.ts',
        from: 'onTheWay.delete(contents)\n      taken.delete(contents)',
        to: 'hasArrived(contents)',
      },
    ],
    found: /^(lost|receipt)/,
  },
  {
    what: 'the words of a stop are not told',
    edits: [{ file: 'src/chat/unread.ts', from: 'interrupted: wordsOf(stops),', to: 'interrupted: undefined,' }],
    found: /^(lost|failed|verdict)/,
  },
  {
    what: 'a call that nobody waits for stays on its card',
    edits: [
      {
        file: 'src/chat/seat.ts',
        from: 'if (!isCutOff) await Promise.allSettled([reception.withdraw(questions)])',
        to: 'if (!isCutOff) left.length = 0',
      },
    ],
    found: /^orphan/,
  },
  {
    what: 'what a page repeats is said twice',
    edits: [
      {
        file: 'src/ws/timeline-dialect.ts',
        from: 'view.say(conversation, { text, attachments, answers }, key)',
        to: 'view.say(conversation, { text, attachments, answers })',
      },
    ],
    found: /^log: ".*" was accepted/,
  },
  {
    what: 'reading on forgets which call it was',
    edits: [
      {
        file: 'src/mcp/reading-tools.ts',
        from: 'view.inbox.readAndAdvance(session_id, limit, caller.lineKey)',
        to: 'view.inbox.readAndAdvance(session_id, limit)',
      },
    ],
    found: /^reading/,
  },
]
