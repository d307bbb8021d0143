import type { Flag } from '../line/flags.ts'
import { EXPORT_FORMATS } from '../protocol/frames/export.ts'
import { Role } from '../protocol/principal.ts'
import { LINE_SETTINGS, SERVE_SETTINGS, SETTINGS } from '../protocol/settings.ts'
import { AGENT_COMMANDS } from './agent-commands.ts'
import { AUDIT_COMMANDS } from './audit-commands.ts'
import { type CommandText, DATA, PARLEY_TOKENS } from './command-text.ts'
import { MOUNT_COMMANDS } from './mount-commands.ts'
import { POLICY_COMMANDS } from './policy-commands.ts'
import { SERVICE_COMMANDS } from './service-commands.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

const ROLES = Role.options

export const COMMANDS = {
  open: {
    group: 'Talk',
    about: 'open the page in the browser, signed in, and start a hub if none is running',
    settings: LINE_SETTINGS.filter((name) => name !== 'surface' && name !== 'max-wait'),
    own: { data: DATA },
    variables: { PARLEY_TOKENS },
    examples: [
      ['parley open', 'the page of your hub'],
      ['parley open --data ./talks', 'the page of another data folder'],
    ],
  },
  demo: {
    group: 'Talk',
    about: 'show a scripted agent at work, and one to drive from the page, in a running hub or in a new one',
    settings: SERVE_SETTINGS,
    variables: {
      PARLEY_TOKENS,
      PARLEY_TOKEN: 'a token that it shows to the hub; to be driven from the page that must be one of an orchestrator',
    },
    examples: [
      ['parley demo', 'then open the printed address and answer the agent'],
      ['parley demo --data memory', 'and keep nothing of it'],
    ],
  },
  list: {
    group: 'Talk',
    about: 'list the conversations, newest first, with a hub running or without',
    words: '[WORDS...]',
    settings: ['data'],
    own: {
      data: DATA,
      'needs-you': { about: 'only those with an open question' },
      agent: {
        value: 'NAME',
        about: 'only those of this agent, by any of its names; * stands for anything, here and below',
      },
      folder: { value: 'NAME', about: 'only those in this folder, by its name or some of its path' },
      since: {
        value: 'TIME',
        about: 'only with something since monday, 2026-11-16 or 2026-11-16T14:30, or in the last 45m, 12h or 30d',
      },
      until: { value: 'TIME', about: 'only with nothing since this time' },
      json: { about: 'one JSON object a line' },
    },
    examples: [
      ['parley list --needs-you', 'who waits for an answer'],
      ['parley list deploy agent:codex since:monday', 'by words in the title, and filters as in the page'],
    ],
  },
  ...AGENT_COMMANDS,
  serve: {
    group: 'Run the hub',
    about: 'run the hub in this terminal until it is stopped, and print the address of its page',
    settings: SERVE_SETTINGS,
    variables: { PARLEY_TOKENS },
    examples: [
      ['parley serve --port 3003', "then add http://localhost:3003/mcp to your agent's MCP servers"],
      ['parley serve --data memory --log debug', 'a hub that keeps nothing and tells everything'],
    ],
  },
  status: {
    group: 'Run the hub',
    about: 'show whether a hub is running, where, since when, and who is connected; fails if none is',
    settings: ['data'],
    own: { data: DATA },
    examples: [
      ['parley status', ''],
      ['parley status --data ./talks', 'the hub of another data folder'],
    ],
  },
  stop: {
    group: 'Run the hub',
    about: 'stop the hub cleanly; questions stay open',
    settings: ['data'],
    own: { data: DATA },
    examples: [
      ['parley stop', ''],
      ['parley stop --data ./talks', 'the hub of another data folder'],
    ],
  },
  ...SERVICE_COMMANDS,
  protect: {
    group: 'Say who may connect',
    about: 'make people sign in, so that agents of this folder can neither answer nor approve',
    settings: ['data'],
    own: { data: DATA, off: { about: 'let people in again without signing in' } },
    examples: [
      ['parley protect', 'then parley open, which signs your browser in'],
      ['parley protect --off', 'as it was before'],
    ],
  },
  token: {
    group: 'Say who may connect',
    about: 'create, list and revoke tokens; without any, any program of yours can answer and approve',
    settings: [],
    examples: [
      ['parley token create ada --role human', 'from now on the hub asks everyone for a token'],
      ['parley token link ada', 'then open the printed link in a browser'],
    ],
  },
  'token create': {
    about: 'create a token and print it once; for a NAME that has one it replaces it',
    words: '<NAME>',
    settings: ['data'],
    own: {
      data: DATA,
      role: { value: 'ROLE', words: ['role', ROLES], about: `${ROLES.join(', ')}; always needed` },
      session: { value: 'NAME', about: 'for this conversation only' },
      expires: { value: 'TIME', about: 'after 45m, 12h or 30d' },
    },
    examples: [
      ['parley token create ada --role human', ''],
      ['parley token create codex --role agent --session website --expires 30d', ''],
    ],
  },
  'token list': {
    about: 'list all tokens by name',
    settings: ['data'],
    own: { data: DATA },
    examples: [
      ['parley token list', ''],
      ['parley token list --data ./talks', ''],
    ],
  },
  'token revoke': {
    about: 'revoke access for NAME, also in browsers where NAME is signed in',
    words: '<NAME>',
    settings: ['data'],
    own: { data: DATA },
    examples: [
      ['parley token revoke ada', ''],
      ['parley token revoke codex --data ./talks', ''],
    ],
  },
  'token link': {
    about: 'make a link that signs one browser in as NAME, once',
    words: '<NAME>',
    settings: ['data', 'host', 'port'],
    own: {
      data: DATA,
      host: { value: 'ADDRESS', about: 'where others reach the hub; without it, the one that runs is found' },
      port: { value: 'N', about: 'its port there (4117); 443 is https' },
    },
    examples: [
      ['parley token link ada', 'to the hub that runs'],
      ['parley token link ada --host parley.example --port 443', 'to where others reach it'],
    ],
  },
  ...POLICY_COMMANDS,
  ...AUDIT_COMMANDS,
  ...MOUNT_COMMANDS,
  export: {
    group: 'Keep what was said',
    about: 'print a conversation, by its name or title, with a hub running or without',
    words: '<NAME>',
    settings: ['data'],
    own: {
      data: DATA,
      format: { value: 'FORMAT', words: ['format', EXPORT_FORMATS], about: 'md, json or html, in one file (md)' },
      output: {
        short: 'o',
        value: 'FILE',
        about: 'write it to this file; its extension sets the format unless --format does',
      },
    },
    examples: [
      ['parley export website', 'as Markdown'],
      ['parley export website --output website.html', 'a page in one file, with all files in it'],
    ],
  },
  forget: {
    group: 'Keep what was said',
    about: 'remove a conversation, by its name or title, with its files and for everyone',
    words: '<NAME>',
    settings: ['data'],
    own: { data: DATA, yes: { short: 'y', about: 'do not ask first' } },
    examples: [
      ['parley forget website', ''],
      ['parley forget website --yes', 'where nobody can be asked'],
    ],
  },
  gc: {
    group: 'Keep what was said',
    about: 'remove files that no conversation uses, with a hub running or without',
    settings: ['data'],
    own: { data: DATA },
    examples: [
      ['parley gc', 'what was uploaded in the last day and not said yet stays'],
      ['parley gc --data ~/project/.parley', 'of another folder'],
    ],
  },
  completion: {
    group: 'Set up the shell',
    about: `print the completion script for a shell: ${SHELLS.join(', ')}`,
    words: '<SHELL>',
    known: SHELLS,
    settings: [],
    examples: [
      ['source <(parley completion bash)', 'in ~/.bashrc; with zsh in ~/.zshrc'],
      ['parley completion fish > ~/.config/fish/completions/parley.fish', ''],
    ],
  },
  help: {
    group: 'Read more',
    about: 'show all commands, or one with its options and examples',
    words: '[COMMAND...]',
    settings: [],
    examples: [
      ['parley help serve', ''],
      ['parley help token create', ''],
    ],
  },
} as const satisfies Record<string, CommandText>

export type CommandName = keyof typeof COMMANDS

export const HELP: [string, Flag] = ['help', { short: 'h', about: 'show its options and examples' }]
export const VERSION: [string, Flag] = ['version', { short: 'v', about: 'show the version' }]

const ROOT: CommandText = {
  about: 'Parley: the hub where people and coding agents talk',
  settings: [],
  examples: [],
}

/** The text by the words that lead to a command; all of Parley has none. */
export function textOf(path: string): CommandText {
  return path === '' ? ROOT : COMMANDS[path as CommandName]
}

/** The words that lead on from there. */
export function partsOf(path: string): string[] {
  const names = Object.keys(COMMANDS).filter((name) => path === '' || name.startsWith(`${path} `))
  return [...new Set(names.map((name) => name.slice(path.length).trim().split(' ')[0] ?? ''))]
}

/** Everything that can be told to a command by an option. */
export function flagsOf({ settings, own = {} }: CommandText): [name: string, flag: Flag][] {
  return [...new Map([...settings.map((name): [string, Flag] => [name, SETTINGS[name]]), ...Object.entries(own)])]
}

export function flagsAt(path: string): [name: string, flag: Flag][] {
  return [...flagsOf(textOf(path)), HELP, VERSION]
}
