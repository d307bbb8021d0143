import { accessSync, constants } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { attempt } from '../../io/attempt.ts'
import { ifSystemError } from '../../io/system-error.ts'
import type { Flags } from '../../line/flags.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { DEFAULT_FOLDER, DEFAULT_PORT } from '../../protocol/settings.ts'
import type { Config } from '../config.ts'
import { lastingNode, lastingProgram, ownProgram } from '../lasting-program.ts'
import type { Place } from './agent-tokens.ts'
import { isAnswered, isAnsweredAt, noHubAt } from './answered-port.ts'
import type { Client } from './client.ts'
import { unclear } from './formats/text-format.ts'
import type { Reach } from './reach.ts'
import { HIDDEN, SESSION, type ServerEntry } from './server-entry.ts'
import { alone } from './taking-turns.ts'

interface Asked extends Place {
  /** Whether it is only looked what would change. */
  isTrial: boolean
  /** The token that the agent shows already. */
  shown: string | undefined
}

/**
 * Whether an entry starts this Parley at the folder of its user, or leads to the hub of it, and does nothing else. Whoever made a project may have written
 * the entry and the note beside it; with another folder or variable it would start what they want.
 */
export async function isOwnReach(reach: Reach | undefined, config: Config): Promise<boolean> {
  if (!reach) return false
  if ('url' in reach) return isOfOwnHub(reach.url, config)
  const { data } = config
  const [program = '', word, ...more] = reach.args
  const options = { surface: { type: 'string' }, port: { type: 'string' }, data: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args: more, options, strict: false })
  const isOther =
    positionals.length > 0 ||
    Object.keys(values).some((name) => !Object.hasOwn(options, name)) ||
    Object.keys(reach.env).some((name) => name !== SESSION)
  return (
    reach.command === lastingNode() &&
    program === ownProgram() &&
    word === 'stdio' &&
    (values.data ?? defaultFolder()) === data &&
    !isOther
  )
}

async function isOfOwnHub(text: string, config: Config): Promise<boolean> {
  const [own, there] = [await hubAddress(config), URL.parse(text)]
  return own !== undefined && there?.origin === own && /^\/mcp(?:\/[a-z]+)?$/.test(there.pathname)
}

/** Where the hub is, or will be; nothing where another program has its port. */
async function hubAddress({ data, port = DEFAULT_PORT }: Config): Promise<string | undefined> {
  const { runningHub } = await import('../hub/running-hub.ts')
  const hub = await runningHub(data)
  return hub?.url ?? ((await isAnswered(port)) ? undefined : `http://localhost:${port}`)
}

/** This Parley, as an agent is to reach it from now on. */
export async function openOwnServer(config: Config, flags: Flags) {
  const { data, port = DEFAULT_PORT } = config
  const { surface } = flags
  const isOnlyLooked = flags.print !== undefined || flags.remove !== undefined
  const program = isOnlyLooked ? ownProgram() : lastingProgram()
  const url = flags.http === undefined ? undefined : await address()
  return { entryFor, placeholder, tokens, hasToken, inTurn, missingHub }

  /** Fetched when they are needed, like what follows: whoever only looks does not wait for it. */
  async function tokens() {
    const { openAgentTokens } = await import('./agent-tokens.ts')
    return openAgentTokens(config)
  }

  /** Whether one was made for an entry and still counts. */
  async function hasToken(place: Place): Promise<boolean> {
    return (await tokens().catch(ifDamaged))?.isThere(place) ?? false
  }

  /** A token and the entry that shows it change together: a second one at the same time would make another of the same name. */
  async function inTurn(act: () => Promise<void>): Promise<void> {
    const isAnyThere = isWritable(data) && (await tokens().catch(ifDamaged))?.areNeeded()
    return isAnyThere && flags.print === undefined ? alone(join(data, 'tokens.json'), act) : act()
  }

  /** Over HTTP no agent starts a hub, nor keeps one that an agent or a page started. */
  async function missingHub(): Promise<ParleyError | undefined> {
    if (url === undefined) return undefined
    const { runningHub } = await import('../hub/running-hub.ts')
    const hub = await runningHub(data)
    const stays = hub ? hub.keep_seconds === undefined : await isAnsweredAt(url)
    return stays ? undefined : noHubAt(url)
  }

  async function address(): Promise<string> {
    const url = (await hubAddress(config)) ?? `http://localhost:${port}`
    return `${url}/mcp${surface === undefined || surface === 'bridge' ? '' : `/${surface}`}`
  }

  /** In a protected folder each agent gets a token of its own, which is written nowhere else. */
  async function entryFor({ isTrial, shown, ...place }: Asked): Promise<ServerEntry> {
    const { client } = place
    if (url === undefined) return stdio()
    if (!client.http) throw unclear(`takes no address, as ${client.title} speaks no HTTP; leave --http out`)
    const { areNeeded, isGood, create } = await tokens()
    if (!areNeeded()) return { url }
    if ((await hubAddress(config)) === undefined) throw new ParleyError('port_of_others', { port, data })
    if (shown !== undefined && isGood(shown)) return { url, headers: { Authorization: shown } }
    return { url, headers: { Authorization: isTrial ? HIDDEN : await create(place) } }
  }

  function placeholder({ http }: Client): ServerEntry {
    return url !== undefined && http ? { url } : stdio()
  }

  function stdio(): ServerEntry {
    const more = [
      ...(surface === undefined ? [] : ['--surface', surface]),
      ...(flags.port === undefined ? [] : ['--port', flags.port]),
      ...(data === defaultFolder() ? [] : ['--data', data]),
    ]
    return { command: lastingNode(), args: [program, 'stdio', ...more], env: {} }
  }
}

/** Where nothing can be written no token changes either. */
function isWritable(folder: string): boolean {
  return attempt(
    () => {
      accessSync(folder, constants.W_OK)
      return true
    },
    ifSystemError(() => false),
  )
}

/** Whoever needs none is not told of it. */
function ifDamaged(error: unknown): undefined {
  if (!(error instanceof ParleyError) || error.code !== 'tokens_damaged') throw error
}

function defaultFolder(): string {
  return join(homedir(), DEFAULT_FOLDER)
}
