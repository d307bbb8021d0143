import { type CommandText, DATA } from './command-text.ts'

export const DECISIONS = ['allow', 'deny', 'waiting', 'expired', 'withdrawn', 'told'] as const

export const AUDIT_COMMANDS = {
  audit: {
    group: 'Say what agents may do',
    about: 'list the calls of tools: who called what, who or which rule decided, and how it ended',
    settings: ['data'],
    own: {
      data: DATA,
      conversation: { value: 'NAME', about: 'only calls in this conversation; * stands for anything, here and below' },
      server: {
        value: 'NAME',
        about: 'only calls of this server; agent means the tools that agents have of their own',
      },
      tool: { value: 'NAME', about: 'only calls of this tool' },
      decision: {
        value: 'DECISION',
        words: ['decision', DECISIONS],
        about: `only calls with this decision: ${DECISIONS.join(', ')} (told: only the agent told of it)`,
      },
      by: { value: 'NAME', about: 'only what this person or rule decided' },
      since: { value: 'TIME', about: 'only from 2026-11-16 or 2026-11-16T14:30 on, or of the last 45m, 12h or 30d' },
      until: { value: 'TIME', about: 'only before this time' },
      json: { about: 'one JSON object a line, with arguments and results' },
    },
    examples: [
      ['parley audit --decision deny --since 7d', 'what was denied this week'],
      ['parley audit --server github --json > calls.jsonl', 'all that is known of those calls'],
    ],
  },
  'audit verify': {
    about: 'prove by the chain of hashes that no call was changed or taken out, or say what is wrong with status 1',
    settings: ['data'],
    own: {
      data: DATA,
      head: {
        value: 'HASH',
        about: 'a head that was printed before and kept elsewhere: that nothing was cut off since',
      },
    },
    examples: [
      ['parley audit verify', 'prints the head, to be kept elsewhere'],
      ['parley audit verify --head 5f0c…', 'whether the chain still has it'],
    ],
  },
} as const satisfies Record<string, CommandText>
