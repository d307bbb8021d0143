import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commandDriver } from '../../agents/command/command-driver.ts'
import type { Driver } from '../../agents/driver.ts'
import { ignoring } from '../../io/system-error.ts'
import type { Flags } from '../../line/flags.ts'
import { commandWords } from '../../protocol/text/command-words.ts'
import { usage } from '../../protocol/usage.ts'
import type { Config } from '../config.ts'

export const HELP = { help: 'parley run --help' }
const KINDS = ['acp', 'model', 'command'] as const
/** Flags that only one kind of agent has. */
const ONLY = { 'strict-chat': 'model', instructions: 'model', mcp: 'model', 'base-url': 'model' } as const

/** What drives the agent that was asked for. Each is loaded when it is needed. */
export async function wantedDriver(flags: Flags, { data }: Config): Promise<Driver> {
  const [kind = 'acp', another] = KINDS.filter((kind) => flags[kind] !== undefined)
  if (another !== undefined) throw usage(`run takes one of --acp, --model and --command, not --${another} too`, HELP)
  for (const [flag, its] of Object.entries(ONLY))
    if (flags[flag] !== undefined && kind !== its) throw usage(`--${flag} is for --${its}`, HELP)
  const given = flags[kind] ?? ''
  if (given.trim() === '') throw usage(`--${kind} needs a value`, HELP)
  if (kind === 'command') return commandDriver(given)
  if (kind === 'acp') return (await import('../../agents/acp/driver.ts')).acpDriver({ command: given })
  return (await import('../../agents/model/driver.ts')).modelDriver({
    model: given,
    baseUrl: flags['base-url'],
    servers: serversIn(flags.mcp ?? ''),
    strictChat: flags['strict-chat'] !== undefined,
    instructions: await instructionsIn(flags.instructions),
    stateFolder: join(data, 'runs', 'models'),
  })
}

async function instructionsIn(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined
  const text = await readFile(path, 'utf8').catch(ignoring())
  if (text === undefined) throw usage(`--instructions takes a file with text, and "${path}" cannot be read`, HELP)
  return text
}

/** `NAME=COMMAND` or `NAME=URL`, one a line. */
function serversIn(text: string) {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, name, what = ''] = /^([\w-]+)=(\S.*)$/.exec(line) ?? []
      if (name === undefined) throw usage(`--mcp takes NAME=COMMAND or NAME=URL, and "${line}" is neither`, HELP)
      if (/^https?:\/\//.test(what)) return { name, url: what }
      const [command = '', ...args] = commandWords(what)
      return { name, command, args }
    })
}
