import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { mustBeNoFile } from '../doors/socket/folder.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Limits } from '../protocol/limits.ts'
import type { LogLevel } from '../protocol/log-level.ts'
import { DEFAULT_FOLDER, type Given, givenBy, hubSettings, problemIn, type SettingName } from '../protocol/settings.ts'

export interface Config {
  host: string
  /** Absent when nobody asked for one. */
  port?: number
  data: string
  /** The number of seconds after which a waiting call comes back, when somebody knows better than we do. */
  maxWaitSeconds?: number
  limits: Readonly<Limits>
  /** The level of the log, and whether it shows what people and agents say. */
  log: Readonly<{ level: LogLevel; content: boolean }>
  /** Everything that was set, for a hub that is started with it. */
  given: Readonly<Given>
  /** Tokens from the environment, as `PARLEY_TOKENS` holds them. */
  tokens?: string
  /** The token that the demo agent shows to the hub. */
  ownToken?: string
}

export interface Surroundings {
  env: Record<string, string | undefined>
  cwd: string
}

/** Flags win over the environment; what comes back never changes. Settings that a command does not have are not looked at. */
export function readConfig(flags: Given, own: readonly SettingName[], { env, cwd }: Surroundings): Readonly<Config> {
  const all = givenBy(flags, env)
  const given = Object.freeze(
    Object.fromEntries(own.flatMap((name) => (name in all ? [[name, all[name]]] : []))) as Given,
  )
  const problem = problemIn(given, flags)
  if (problem) throw new ParleyError('usage', { problem })
  const { host, limits, log } = hubSettings(given)
  const named = given.data ?? join(homedir(), DEFAULT_FOLDER)
  const data = named === 'memory' ? named : resolve(cwd, named)
  if (data !== 'memory') mustBeNoFile(data)
  return Object.freeze({
    host,
    port: given.port === undefined ? undefined : Number(given.port),
    data,
    maxWaitSeconds: given['max-wait'] === undefined ? undefined : Number(given['max-wait']),
    limits: Object.freeze(limits),
    log: Object.freeze(log),
    given,
    tokens: env.PARLEY_TOKENS || undefined,
    ownToken: env.PARLEY_TOKEN || undefined,
  })
}

/** Refuses `memory` for commands that need a folder. */
export function noMemory(data: string, otherwise = 'a hub in memory is found by nobody else') {
  if (data === 'memory')
    throw new ParleyError('usage', { problem: `This needs a data folder, and memory is none; ${otherwise}` })
}
