import { addressOf } from '../http/address.ts'
import { openTokens } from '../http/open-tokens.ts'
import { DEFAULT_PORT } from '../protocol/settings.ts'
import { type Config, noMemory } from './config.ts'
import type { Typed } from './program.ts'
import { runningHub } from './running-hub.ts'
import { table } from './table.ts'
import { wantedToken } from './wanted-token.ts'

// A running hub takes notice by itself. On stdout is only what a script wants to have.

export async function createToken({ config, flags, words: [name = ''] }: Typed) {
  const wanted = wantedToken(name, flags)
  const tokens = tokensOf(config)
  const first = !tokens.exist()
  const { secret, principal } = await tokens.create(wanted)
  const where = principal.conversation === undefined ? '' : ` in ${principal.conversation} only`
  console.log(secret)
  console.error(`This is the token of ${name}, ${principal.role}${where}; it is not shown again`)
  if (first) console.error('From now on the hub asks everyone for a token')
}

export async function listTokens({ config }: Typed) {
  const rows = tokensOf(config)
    .list()
    .map(({ name, role, conversation, created_at, expires_at, revoked_at }) => [
      name,
      role,
      conversation ?? '(all)',
      day(created_at) ?? 'PARLEY_TOKENS',
      revoked_at ? `revoked ${day(revoked_at)}` : (day(expires_at) ?? 'never'),
    ])
  if (rows.length === 0) return console.error('There are no tokens; make one with parley token create NAME --role ROLE')
  console.log(table([['name', 'role', 'conversation', 'created', 'expires'], ...rows]))
}

export async function revokeToken({ config, words: [name = ''] }: Typed) {
  await tokensOf(config).revoke(name)
  console.error(`${name} is let in no more, and no browser as ${name}`)
}

export async function linkToken({ config, flags, words: [name = ''] }: Typed) {
  const tokens = tokensOf(config)
  console.log(`${await addressFor(config, flags)}/sign-in/${await tokens.link(name)}`)
  console.error(`Signs one browser in as ${name}, once, within 10 minutes`)
}

/** Where the hub is, unless somebody knows better how it is reached. */
async function addressFor({ data, host }: Config, flags: Typed['flags']): Promise<string> {
  const told = flags.host !== undefined || flags.port !== undefined
  const hub = told ? undefined : await runningHub(data)
  return hub?.url ?? addressOf(host, Number(flags.port ?? DEFAULT_PORT))
}

function tokensOf(config: Config) {
  noMemory(config.data, 'PARLEY_TOKENS needs none')
  return openTokens(config)
}

function day(time: string | undefined): string | undefined {
  return time?.slice(0, 10)
}
