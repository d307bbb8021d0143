import { openTokens } from '../../doors/http/access/open-tokens.ts'
import { addressOf } from '../../doors/http/address.ts'
import { addressesOf } from '../../doors/http/bind.ts'
import { mustBeOurs } from '../../doors/socket/folder.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { DEFAULT_PORT } from '../../protocol/settings.ts'
import { type Config, noMemory } from '../config.ts'
import type { Typed } from '../program.ts'
import { table } from '../table.ts'
import { runningHub } from './running-hub.ts'
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
  if (rows.length === 0) return console.error('No tokens yet; make one with parley token create NAME --role ROLE')
  console.log(table([['name', 'role', 'conversation', 'created', 'expires'], ...rows]))
}

export async function revokeToken({ config, words: [name = ''] }: Typed) {
  await tokensOf(config).revoke(name)
  console.error(`Access for ${name} revoked, in every browser too`)
}

export async function linkToken({ config, flags, words: [name = ''] }: Typed) {
  const tokens = tokensOf(config)
  const url = await addressFor(config, flags)
  console.log(`${url}/sign-in/${await tokens.link(name)}`)
  console.error(`Signs one browser in as ${name}, once, within 10 minutes`)
}

/**
 * The hub's address, unless somebody knows better how it is reached: another program that listens there would get the
 * link.
 */
async function addressFor({ data, host }: Config, flags: Typed['flags']): Promise<string> {
  const told = flags.host !== undefined || flags.port !== undefined
  // Whoever speaks https for the hub has that port, and would take a link of http for a mistake.
  if (told) return addressOf(addressesOf(host), Number(flags.port ?? DEFAULT_PORT)).replace(/^http(.*):443$/, 'https$1')
  const hub = await runningHub(data)
  if (!hub) throw new ParleyError('no_hub', { data })
  return hub.url
}

function tokensOf(config: Config) {
  noMemory(config.data, 'PARLEY_TOKENS needs none')
  mustBeOurs(config.data)
  return openTokens(config)
}

function day(time: string | undefined): string | undefined {
  return time?.slice(0, 10)
}
