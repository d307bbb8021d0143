import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { mustBeNoFile } from '../doors/socket/folder.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Hello } from '../protocol/frames/link.ts'
import { LINK_FORMAT } from '../protocol/frames/link-format.ts'
import type { SurfaceName } from '../protocol/frames/surface-name.ts'
import {
  DEFAULT_FOLDER,
  type Given,
  givenBy,
  HUB_SETTINGS,
  LINE_SETTINGS,
  problemIn,
  SETTINGS,
} from '../protocol/settings.ts'
import { problemInName, trimmedName } from '../protocol/text/name.ts'
import { usage } from '../protocol/usage.ts'
import { VERSION } from '../protocol/version.ts'
import { readFlags, tokensIn } from './flags.ts'
import type { HubOptions } from './hub-start.ts'

const HELP = 'parley stdio --help'
const LONGEST_RUN = 200

export interface Surroundings {
  /** The flags of `parley stdio`. */
  args: string[]
  env: Record<string, string | undefined>
  cwd: string
  /** A name that no other line has. */
  line: string
}

/** What a line was told by its command line and its environment: which hub it wants, and how it says hello. */
export function readAsked({ args, env, cwd, line }: Surroundings): { hub: HubOptions; hello: Hello } {
  // The code that reads flags is loaded only where there are any.
  const flags = args.length === 0 ? {} : flagsIn(args)
  const given = givenBy(flags, env)
  const problem = problemIn(given, flags)
  if (problem) throw new ParleyError('usage', { problem })
  const { data = join(homedir(), DEFAULT_FOLDER), surface = 'bridge' } = given
  const port = number(given.port)
  const folder = data === 'memory' ? data : ownFolder(resolve(cwd, data))
  return {
    hub: { data: folder, given, port: port === 0 ? 0 : undefined },
    hello: {
      format: LINK_FORMAT,
      version: VERSION,
      line,
      surface: surface as SurfaceName,
      conversation: conversationIn(env),
      title: titleFor(cwd),
      folder: cwd,
      driven: drivenIn(env),
      run: runIn(env),
      port: port || undefined,
      max_wait_seconds: number(given['max-wait']),
      token: env.PARLEY_TOKEN || undefined,
      wants: Object.fromEntries(HUB_SETTINGS.flatMap((name) => (name in given ? [[name, given[name] ?? '']] : []))),
      tokens: env.PARLEY_TOKENS || undefined,
    },
  }
}

function ownFolder(path: string): string {
  mustBeNoFile(path)
  return path
}

function flagsIn(args: string[]): Given {
  const table = LINE_SETTINGS.map((name) => [name, SETTINGS[name]] as const)
  const known = LINE_SETTINGS.map((name) => `--${name}`)
  const { flags, words } = readFlags(tokensIn(args, table), {
    table,
    help: HELP,
    unknown: (option) => usage(`Unknown option ${option}`, { wrong: option, known, help: HELP }),
  })
  const extra = words[0] === 'stdio' ? words[1] : words[0]
  if (extra !== undefined) throw usage(`Unexpected argument ${extra}`, { help: HELP })
  return flags
}

function number(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

function conversationIn({ PARLEY_SESSION }: Surroundings['env']): string | undefined {
  if (!PARLEY_SESSION) return undefined
  const name = trimmedName(PARLEY_SESSION)
  const problem = problemInName(name)
  if (problem) throw usage(`A session ${problem}`, { help: HELP })
  return name
}

function titleFor(cwd: string): string {
  const name = trimmedName(basename(cwd))
  return problemInName(name) ? 'agent' : name
}

/** The name of this run of the client, where it says one. */
function runIn({ CLAUDE_CODE_SESSION_ID, QWEN_CODE_SESSION_ID, COPILOT_AGENT_SESSION_ID }: Surroundings['env']) {
  const run = CLAUDE_CODE_SESSION_ID || QWEN_CODE_SESSION_ID || COPILOT_AGENT_SESSION_ID
  return run ? run.slice(0, LONGEST_RUN) : undefined
}

/** Set by `parley run` for what it drives. */
function drivenIn({ PARLEY_DRIVEN: driven }: Surroundings['env']): Hello['driven'] {
  return driven === 'agent' || driven === 'model' ? driven : undefined
}
