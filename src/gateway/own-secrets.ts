import { isRecord } from '../protocol/record.ts'
import { isSecretName } from '../protocol/secret-names.ts'
import { MASK } from '../protocol/token-runs.ts'
import type { MountConfig } from './mount-config.ts'

/** Shorter ones are words that a server may well say. */
const SHORTEST = 8

export type Hide = (text: string) => string

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
  const longestFirst = long.sort((one, other) => other.length - one.length)
  return (text) => longestFirst.reduce((rest, secret) => rest.replaceAll(secret, MASK), text)
}

/** The texts of a result by which a tool says that it failed. */
export function withoutSecrets(result: Record<string, unknown>, hide: Hide): Record<string, unknown> {
  if (result.isError !== true || !Array.isArray(result.content)) return result
  const content = result.content.map((block) =>
    isRecord(block) && typeof block.text === 'string' ? { ...block, text: hide(block.text) } : block,
  )
  return { ...result, content }
}
