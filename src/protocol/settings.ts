import { COMPOSERS, type Composer } from './composer.ts'
import { SURFACES } from './frames/surface-name.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { LOG_LEVELS, type LogLevel } from './log-level.ts'
import { noOriginIn, originsIn } from './origin.ts'
import { isAbsolutePath } from './text/absolute-path.ts'
import { nearest } from './text/nearest.ts'

/** The page's port, if it is free. */
export const DEFAULT_PORT = 4117

/** The folder's name in the user's home. */
export const DEFAULT_FOLDER = '.parley'

/** One thing that a person can set, by its flag. */
export interface Setting {
  /** The environment variable that sets it. */
  variable?: string
  /** What stands for its value in help; a setting without one is on or off. */
  value?: string
  about: string
  /** A whole number from here to there. */
  range?: readonly [from: number, to: number]
  /** One of these words, called so. */
  words?: readonly [what: string, known: readonly string[]]
  /** Exact origins, several in one text or one for each time that the flag is given. */
  origins?: true
  /** Absolute paths of folders, one a line. */
  folders?: true
}

/** Loaded by every `parley stdio`, so that nothing large may come along. */
export const SETTINGS = {
  port: { variable: 'PORT', value: 'N', range: [0, 65_535], about: 'the port of the page (4117, or a free one)' },
  host: {
    value: 'ADDRESS',
    about: 'listen on this address (127.0.0.1 and ::1); one that others can reach needs tokens',
  },
  'allow-origin': {
    variable: 'PARLEY_ALLOW_ORIGINS',
    value: 'URL',
    origins: true,
    about: 'let pages of this origin, like http://localhost:5173, use /ws, REST and MCP; may be given several times',
  },
  data: {
    variable: 'PARLEY_DATA',
    value: 'FOLDER',
    about: 'keep everything here (~/.parley), or "memory" to keep nothing',
  },
  surface: { value: 'NAME', words: ['surface', SURFACES], about: `what is served: ${SURFACES.join(', ')} (bridge)` },
  'max-wait': {
    variable: 'PARLEY_MAX_WAIT',
    value: 'SECONDS',
    range: [0, 86_400],
    about: 'after this long a waiting call, except approve, comes back as pending (as its client needs), 0: never',
  },
  keep: {
    variable: 'PARLEY_KEEP',
    value: 'SECONDS',
    range: [0, 86_400],
    about: 'how long a hub that an agent started stays after the last agent and page (60)',
  },
  'max-rate': {
    variable: 'PARLEY_MAX_RATE',
    value: 'N',
    range: [1, 1_000_000],
    about: 'commands a second for each principal (500), four times as many at once',
  },
  'max-connections': {
    variable: 'PARLEY_MAX_CONNECTIONS',
    value: 'N',
    range: [1, 1_000_000],
    about: 'WebSockets and MCP requests open at the same time (10000)',
  },
  'max-message': {
    variable: 'PARLEY_MAX_MESSAGE',
    value: 'BYTES',
    // What the protocol allows is the most.
    range: [1024, 1024 * 1024],
    about: 'the longest text (1048576, which is the most)',
  },
  'max-unread': {
    variable: 'PARLEY_MAX_UNREAD',
    value: 'BYTES',
    range: [1024, 1024 ** 3],
    about: 'what a WebSocket client may leave unread before it has to wait (1048576)',
  },
  heartbeat: {
    variable: 'PARLEY_HEARTBEAT',
    value: 'SECONDS',
    range: [1, 3600],
    about: 'how often a WebSocket client must show that it is there (25)',
  },
  root: {
    variable: 'PARLEY_ROOT',
    value: 'FOLDER',
    folders: true,
    about: 'agents are started from the page in this folder and those below it only (home); may be given several times',
  },
  composer: {
    variable: 'PARLEY_COMPOSER',
    value: 'WHEN',
    words: ['composer', COMPOSERS],
    about: `when people can write in the page: ${COMPOSERS.join(', ')} (always)`,
  },
  log: {
    variable: 'PARLEY_LOG',
    value: 'LEVEL',
    words: ['log level', LOG_LEVELS],
    about: `how much is logged: ${LOG_LEVELS.join(', ')} (info)`,
  },
  'log-content': { variable: 'PARLEY_LOG_CONTENT', about: 'log what people and agents say, too' },
  'no-legacy-ui': {
    variable: 'PARLEY_NO_LEGACY_UI',
    about: 'remove the deprecated server ui, with its send_message and end_turn',
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

/** The settings that were really given, as they were written; `1` for a flag. */
export type Given = { [Name in SettingName]?: string }

/** Those of the hub: they are what it was started with, whatever a later agent would like. */
export const HUB_SETTINGS = [
  'host',
  'allow-origin',
  'keep',
  'max-rate',
  'max-connections',
  'max-message',
  'max-unread',
  'heartbeat',
  'root',
  'composer',
  'log',
  'log-content',
  'no-legacy-ui',
] as const satisfies SettingName[]

/** Everything that `parley stdio` can be told. */
export const LINE_SETTINGS: SettingName[] = ['port', 'data', 'surface', 'max-wait', ...HUB_SETTINGS]

/** Everything that `parley serve` can be told. */
export const SERVE_SETTINGS: SettingName[] = LINE_SETTINGS.filter((name) => name !== 'surface' && name !== 'keep')

/** Flags win over the environment. */
export function givenBy(flags: Given, env: Record<string, string | undefined>): Given {
  const given: Given = {}
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    const { variable }: Setting = SETTINGS[name]
    const text = flags[name] ?? ((variable && env[variable]) || undefined)
    if (text !== undefined) given[name] = text
  }
  return given
}

/** The problem with a setting, with the nearest valid one where there is one. */
export function problemIn(given: Given, flags: Given): string | undefined {
  for (const [name, text] of Object.entries(given) as [SettingName, string][]) {
    const { variable, range, words, origins, folders }: Setting = SETTINGS[name]
    const where = flags[name] === undefined && variable ? variable : `--${name}`
    if (range && !(/^\d+$/.test(text) && Number(text) >= range[0] && Number(text) <= range[1]))
      return `${where} must be a number from ${range[0]} to ${range[1]}, not "${text}"`
    if (words && !words[1].includes(text)) return `Unknown ${words[0]} ${text}${hint(text, words[1])}`
    const wrong = origins && noOriginIn(text)
    const relative = folders && foldersIn(text).find((folder) => !isAbsolutePath(folder))
    if (relative !== undefined) return `${where} takes the absolute path of a folder, not "${relative}"`
    if (wrong !== undefined) return `${where} takes exact origins like http://localhost:5173, not "${wrong}"`
  }
  return undefined
}

function hint(wrong: string, known: readonly string[]): string {
  const word = nearest(wrong, [...known])
  return word ? `; did you mean ${word}?` : `; known: ${known.join(', ')}`
}

/** What a hub does that was started with these. */
export function hubSettings(given: Given) {
  return {
    host: given.host ?? '127.0.0.1',
    /** Origins of other pages that may use the hub. */
    origins: originsIn(given['allow-origin']),
    keepSeconds: number(given.keep) ?? 60,
    limits: limitsIn(given),
    /** The folders below which agents may be started from the page; none named is the home folder. */
    roots: foldersIn(given.root),
    composer: (given.composer ?? 'always') as Composer,
    log: { level: (given.log ?? 'info') as LogLevel, content: given['log-content'] !== undefined },
    legacyUi: given['no-legacy-ui'] === undefined,
  }
}

function limitsIn(given: Given): Limits {
  return {
    rate: number(given['max-rate']) ?? DEFAULT_LIMITS.rate,
    connections: number(given['max-connections']) ?? DEFAULT_LIMITS.connections,
    messageBytes: number(given['max-message']) ?? DEFAULT_LIMITS.messageBytes,
    unreadBytes: number(given['max-unread']) ?? DEFAULT_LIMITS.unreadBytes,
    heartbeatSeconds: number(given.heartbeat) ?? DEFAULT_LIMITS.heartbeatSeconds,
  }
}

function foldersIn(text = ''): string[] {
  return text.split('\n').filter((line) => line !== '')
}

function number(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}
