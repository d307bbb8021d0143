import { type CommandText, DATA } from './command-text.ts'

export const POLICY_COMMANDS = {
  policy: {
    group: 'Say what agents may do',
    about:
      'check, try out and propose the rules that decide about the tools of agents, in policy.jsonc of the data folder',
    settings: [],
    examples: [
      ['parley policy check', 'whether the rules can be used'],
      ["parley policy test github create_issue '{}'", 'what they would decide'],
    ],
  },
  'policy check': {
    about: 'show the rules, or everything that is wrong with them, with line and column',
    settings: ['data'],
    own: { data: DATA },
    examples: [
      ['parley policy check', ''],
      ['parley policy check --data ./talks', ''],
    ],
  },
  'policy test': {
    about: 'say what would become of a call, which rule decides, and why those before it do not',
    words: '<SERVER> <TOOL> [ARGUMENTS]',
    settings: ['data'],
    own: {
      data: DATA,
      as: { value: 'NAME', about: 'the agent that calls, or its token (local:agent)' },
      conversation: { value: 'NAME', about: 'in this conversation' },
      at: { value: 'TIME', about: 'at 14:30 today, or at 2026-11-16T14:30 (now)' },
      annotations: {
        value: 'JSON',
        about: 'what its server says of the tool, as {"readOnlyHint": true} (what a mounted one says)',
      },
    },
    examples: [
      [`parley policy test files write_file '{"path": "notes.txt"}'`, 'here, by an agent of this machine'],
      ["parley policy test github create_issue '{}' --as codex --at 22:00", ''],
    ],
  },
  'policy suggest': {
    about: 'propose rules for what people allowed again and again, with a hub running or without; it changes nothing',
    settings: ['data'],
    own: { data: DATA },
    examples: [
      ['parley policy suggest', 'then copy what you like into policy.jsonc'],
      ['parley policy suggest --data ./talks', ''],
    ],
  },
} as const satisfies Record<string, CommandText>
