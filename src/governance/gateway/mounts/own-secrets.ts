import { isSecretName } from '../../../protocol/secrets/secret-names.ts'
import { MASK } from '../../../protocol/secrets/token-runs.ts'
import { isRecord } from '../../../protocol/text/record.ts'
import type { MountConfig } from './mount-config.ts'

/** Shorter ones are words that a server may well say. */
const SHORTEST = 8

export type Hide = (text: string) => string

/** Used where there are no secrets. */
export const HIDE_NOTHING: Hide = (text) => text

/** Takes out of a text the keys that a mount shows to its server, and to nobody else. */
export function hidingSecretsOf({ env, headers }: MountConfig): Hide {
  const secrets = [env, headers]
    .filter(isRecord)
    .flatMap((given) => Object.entries(given))
    .filter(([name]) => isSecretName(name))
    // A header says how it is meant before its key.
    .flatMap(([, value]) => [String(value), ...String(value).split(' ')])
  return hiding(secrets)
}

export function hiding(secrets: Iterable<string>): Hide {
  const long = [...new Set(secrets)].filter(({ length }) => length >= SHORTEST)
  if (long.length === 0) return HIDE_NOTHING
  const longestFirst = long.sort((one, other) => other.length - one.length)
  return (text) => longestFirst.reduce((rest, secret) => rest.replaceAll(secret, MASK), text)
}

/** Hides them in all texts of a value, and in the names in it. */
export function hiddenIn<Value>(value: Value, hide: Hide): Value {
  if (hide === HIDE_NOTHING) return value
  return hidden(value) as Value

  function hidden(value: unknown): unknown {
    if (typeof value === 'string') return hide(value)
    if (Array.isArray(value)) return value.map(hidden)
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [hide(name), hidden(one)]))
  }
}

export function hideInError(error: Error & { data?: unknown }, hide: Hide) {
  error.message = hide(error.message)
  if (error.data !== undefined) Object.defineProperty(error, 'data', { value: hiddenIn(error.data, hide) })
}
