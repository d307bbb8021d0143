import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import type { Limits } from '../protocol/limits.ts'
import { LOG_LEVELS, type LogLevel } from '../protocol/log-level.ts'
import { SURFACES, type SurfaceName } from '../protocol/surface-name.ts'
import { Name } from '../protocol/text.ts'
import { type ExportOrder, exportOrder } from './export-order.ts'
import { type Flag, type Flags, readFlags, refuseForeign } from './flags.ts'
import { LIMIT_FLAGS, readLimits, wholeNumber } from './limits.ts'
import { type TokenOrder, tokenOrder } from './token-order.ts'
import { checked, usage } from './usage.ts'

const COMMANDS = ['serve', 'stdio', 'demo', 'token', 'export', 'help', 'version'] as const
type Command = (typeof COMMANDS)[number]

export interface Config {
  command: Command
  host: string
  /** Absent when nobody asked for one. */
  port?: number
  data: string
  /** The conversation an agent process speaks in, when it was named. */
  session?: string
  /** What an agent process serves. */
  surface: SurfaceName
  /** What a new conversation of this process is called. */
  title: string
  /** After how many seconds a call that waits comes back, when somebody knows better than we do. */
  maxWaitSeconds?: number
  limits: Readonly<Limits>
  /** What is told on stderr, and whether with what people and agents say. */
  log: Readonly<{ level: LogLevel; content: boolean }>
  /** Tokens from the environment, as `PARLEY_TOKENS` holds them. */
  tokens?: string
  /** The token that the demo agent shows to the hub. */
  ownToken?: string
  /** Of the command `token`. */
  order?: TokenOrder
  /** Of the command `export`. */
  export?: ExportOrder
}

export interface Surroundings {
  args: string[]
  env: Record<string, string | undefined>
  cwd: string
  /** Whether another program is at the other end of stdin. */
  piped: boolean
}

const HUB_FLAGS: Flag[] = ['port', 'host', 'data', 'log', 'log-content', 'max-wait', ...LIMIT_FLAGS]

/** Flags win over the environment; what comes back never changes. */
export function readConfig({ args, env, cwd, piped }: Surroundings): Readonly<Config> {
  const { flags, words } = readFlags(args)
  const port = flags.port ?? (env.PORT || undefined)
  const maxWait = flags['max-wait'] ?? (env.PARLEY_MAX_WAIT || undefined)
  const session = env.PARLEY_SESSION || undefined
  const data = flags.data ?? (env.PARLEY_DATA || join(homedir(), '.parley'))
  return Object.freeze({
    ...ordered(words, flags, piped),
    host: flags.host ?? '127.0.0.1',
    port: port === undefined ? undefined : portNumber(port),
    data: data === 'memory' ? data : resolve(cwd, data),
    session: session === undefined ? undefined : checked(Name, 'A session', session),
    surface: surfaceName(flags.surface ?? 'bridge'),
    title: Name.safeParse(basename(cwd)).data ?? 'agent',
    maxWaitSeconds: maxWait === undefined ? undefined : wholeNumber('--max-wait', maxWait, 0, 86_400),
    limits: readLimits(flags, env),
    log: Object.freeze({
      level: logLevel(flags.log ?? (env.PARLEY_LOG || 'info')),
      content: flags['log-content'] ?? Boolean(env.PARLEY_LOG_CONTENT),
    }),
    tokens: env.PARLEY_TOKENS || undefined,
    ownToken: env.PARLEY_TOKEN || undefined,
  })
}

function ordered(
  [word, ...more]: string[],
  flags: Flags,
  piped: boolean,
): Pick<Config, 'command' | 'order' | 'export'> {
  if (flags.help) return { command: 'help' }
  if (flags.version) return { command: 'version' }
  const command = word === undefined ? (piped ? 'stdio' : 'help') : COMMANDS.find((name) => name === word)
  if (!command) throw usage(`There is no command ${word}`, word, COMMANDS)
  if (command === 'token') return { command, order: tokenOrder(more, flags) }
  if (command === 'export') return { command, export: exportOrder(more, flags) }
  if (more.length > 0) throw usage(`${command} takes no further words, and "${more[0]}" is one`)
  refuseForeign(flags, command, command === 'stdio' ? [...HUB_FLAGS, 'surface'] : HUB_FLAGS)
  return { command }
}

function surfaceName(text: string): SurfaceName {
  const known = SURFACES.find((name) => name === text)
  if (!known) throw usage(`There is no surface ${text}`, text, SURFACES)
  return known
}

function logLevel(text: string): LogLevel {
  const known = LOG_LEVELS.find((level) => level === text)
  if (!known) throw usage(`There is no log level ${text}`, text, LOG_LEVELS)
  return known
}

function portNumber(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw usage(`A port is a number from 0 to 65535, and "${text}" is not`)
  return port
}
