import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ParleyError } from '../protocol/errors.ts'
import { parse } from '../protocol/parse.ts'
import { Name } from '../protocol/text.ts'
import { nearest } from './nearest.ts'

export const COMMANDS = ['serve', 'stdio', 'demo', 'help', 'version'] as const
export type Command = (typeof COMMANDS)[number]

export interface Config {
  command: Command
  host: string
  /** Absent when nobody asked for one. */
  port?: number
  data: string
  /** The conversation an agent process speaks in, when it was named. */
  session?: string
  /** What a new conversation of this process is called. */
  title: string
}

export interface Surroundings {
  args: string[]
  env: Record<string, string | undefined>
  cwd: string
  /** Whether another program is at the other end of stdin. */
  piped: boolean
}

const FLAGS = {
  port: { type: 'string' },
  host: { type: 'string' },
  data: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

const LOOPBACK = ['127.0.0.1', 'localhost', '::1']

/** Flags win over the environment; what comes back never changes. */
export function readConfig({ args, env, cwd, piped }: Surroundings): Readonly<Config> {
  const { flags, words } = read(args)
  const host = flags.host ?? '127.0.0.1'
  if (!LOOPBACK.includes(host)) throw new ParleyError('not_loopback', { host })
  const port = flags.port ?? (env.PORT || undefined)
  const session = env.PARLEY_SESSION || undefined
  const data = flags.data ?? (env.PARLEY_DATA || join(homedir(), '.parley'))
  return Object.freeze({
    command: flags.help ? 'help' : flags.version ? 'version' : command(words, piped),
    host,
    port: port === undefined ? undefined : portNumber(port),
    data: data === 'memory' ? data : resolve(cwd, data),
    session: session === undefined ? undefined : parse(Name, session),
    title: Name.safeParse(basename(cwd)).data ?? 'agent',
  })
}

function read(args: string[]) {
  const { values, positionals, tokens } = parseArgs({ args, options: FLAGS, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const flag = FLAGS[token.name as keyof typeof FLAGS]
    if (!flag)
      throw usage(
        `There is no flag ${token.rawName}`,
        `--${token.name}`,
        Object.keys(FLAGS).map((name) => `--${name}`),
      )
    if (flag.type === 'string' && !token.value) throw usage(`${token.rawName} needs a value`)
    if (flag.type === 'boolean' && token.value !== undefined) throw usage(`${token.rawName} takes no value`)
  }
  return {
    flags: values as { port?: string; host?: string; data?: string; help?: true; version?: true },
    words: positionals,
  }
}

function command([word, extra]: string[], piped: boolean): Command {
  if (word === undefined) return piped ? 'stdio' : 'help'
  const known = COMMANDS.find((name) => name === word)
  if (!known) throw usage(`There is no command ${word}`, word, [...COMMANDS])
  if (extra !== undefined) throw usage(`${known} takes no further words, and "${extra}" is one`)
  return known
}

function portNumber(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw usage(`A port is a number from 0 to 65535, and "${text}" is not`)
  return port
}

function usage(problem: string, wrong?: string, known: string[] = []): ParleyError {
  const hint = wrong && nearest(wrong, known)
  return new ParleyError('usage', {
    problem: hint ? `${problem}; did you mean ${hint}?` : `${problem}; see parley --help`,
  })
}
