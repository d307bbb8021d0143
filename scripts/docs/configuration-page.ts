import type { CommandText } from '../../src/cli/command-text.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { HUB_SETTINGS, SETTINGS, type Setting, type SettingName } from '../../src/protocol/settings.ts'
import { code, page, sentence, table } from './markdown.ts'

/** Variables that no option sets and no command lists. */
const MORE_VARIABLES: Record<string, string> = {
  PARLEY_DRIVEN: 'set by `parley run` for the agents that it drives: whether it is an agent or a model',
  PARLEY_DRIVEN_BY:
    'set by `parley run` for the agents that it drives, so that what they leave behind can be found and ended',
  PARLEY_DEMO_PACE: 'how long the agent of `parley demo` takes for each step, as a factor (1); 0 is at once',
}

/** What is in the data folder. */
export const FILES: Record<string, string> = {
  'parley.db': 'The log: every conversation, in one SQLite file, with `-wal` and `-shm` beside it while it is open.',
  files: 'Attachments, each named by the hash of its content.',
  masked: 'What was masked in calls, as it was; only who decides about a call is shown it.',
  'mcp.json': 'Mounted servers, in the shape of `.mcp.json`, and `views`: see [mounts](../mounts.md).',
  'policy.jsonc': 'The rules for calls: see [policy](../policy.md).',
  'sign-ins.json': 'The sign-ins to mounted servers.',
  'tokens.json': 'Who may connect: the digests of tokens, never the tokens.',
  closed: 'Says that this folder stays closed to everyone without a token.',
  'audit.jsonl': 'The chain of digests that proves the audit.',
  worktrees: 'Working trees that people had made for new conversations.',
  'fetching-': 'A folder with six more characters in its name, in which an adapter is fetched; gone afterwards.',
  runs: 'What `parley run` and `parley demo` must know after a crash.',
  'hub.log': 'What a hub says that an agent started; `hub.log.1` is the one before.',
  'hub.lock': 'Held by the hub that runs.',
  'hub.starting': 'Held by the line that starts one.',
  'hub.sock': 'The socket of the hub; where the path is too long for one, it is in a private temporary folder.',
  'last-hub.json': 'The port of the last hub, so that the next one takes it again.',
  'owner.key': 'Proves to the hub who can read the folder.',
  'open.html': 'Leads the browser of `parley open` to the page, signed in, and is gone then.',
}

/** Options, variables and files. */
export function configurationPage(): string {
  const settings = Object.entries<Setting>(SETTINGS) as [SettingName, Setting][]
  return page(
    '# Configuration',
    'Parley needs none. What there is comes from options, then from environment variables; there is no configuration file. In brackets is what counts where nothing is set.',
    '## Options',
    'A setting **of the hub** counts for everyone, and is what the hub was started with; a later agent cannot change it.',
    table(
      ['option', 'variable', 'values', 'meaning', ''],
      settings.map(([name, setting]) => [
        code(`--${name}${setting.value ? ` ${setting.value}` : ''}`),
        setting.variable ? code(setting.variable) : '',
        valuesOf(setting),
        sentence(setting.about),
        (HUB_SETTINGS as readonly string[]).includes(name) ? 'of the hub' : '',
      ]),
    ),
    ...settings.flatMap(([name]) => [`### --${name}`, `Taken by ${takersOf(name)}.`]),
    '## Environment variables',
    'Those of the options above, and:',
    table(['variable', 'meaning', 'commands'], variableRows()),
    '## Files',
    'In the data folder, `~/.parley` or what `--data` names; only its owner can read it.',
    table(
      ['name', 'what it is'],
      Object.entries(FILES).map(([name, about]) => [code(name), about]),
    ),
  )
}

function valuesOf({ range, words, origins, value }: Setting): string {
  if (range) return `${range[0]} to ${range[1]}`
  if (words) return words[1].map(code).join(', ')
  if (origins) return 'exact origins'
  return value ? 'text' : 'on or off; as a variable, any value is on'
}

function takersOf(name: SettingName): string {
  const takers = Object.entries<CommandText>(COMMANDS).filter(([, { settings }]) => settings.includes(name))
  return takers.map(([command]) => linkTo(command)).join(', ')
}

function variableRows(): string[][] {
  const rows = new Map<string, { about: string; commands: string[] }>()
  for (const [command, { variables = {} }] of Object.entries<CommandText>(COMMANDS))
    for (const [variable, about] of Object.entries(variables)) {
      const known = rows.get(variable)?.commands ?? []
      rows.set(variable, { about, commands: [...known, linkTo(command)] })
    }
  const more = Object.entries(MORE_VARIABLES).map(([variable, about]) => [code(variable), sentence(about), ''])
  return [
    ...Array.from(rows, ([variable, { about, commands }]) => [code(variable), sentence(about), commands.join(', ')]),
    ...more,
  ]
}

function linkTo(command: string): string {
  return `[${code(command)}](commands.md#parley-${command.replaceAll(' ', '-')})`
}

/** Every variable that the page names. */
export function variablesNamed(): string[] {
  const own = Object.values<Setting>(SETTINGS).flatMap(({ variable = [] }) => variable)
  const listed = Object.values<CommandText>(COMMANDS).flatMap(({ variables = {} }) => Object.keys(variables))
  return [...new Set([...own, ...listed, ...Object.keys(MORE_VARIABLES)])]
}
