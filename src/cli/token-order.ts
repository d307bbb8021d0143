import { PrincipalName, Role } from '../protocol/principal.ts'
import { Name } from '../protocol/text.ts'
import { type Flag, type Flags, refuseForeign } from './flags.ts'
import { checked, usage } from './usage.ts'

/** What `parley token` is to do. */
export type TokenOrder =
  | { act: 'list' }
  | { act: 'revoke' | 'link'; name: string }
  | { act: 'create'; name: string; role?: Role; conversation?: string; lifeMs?: number }

type Act = TokenOrder['act']

const OWN: Record<Act, Flag[]> = {
  create: ['role', 'session', 'expires', 'data'],
  list: ['data'],
  revoke: ['data'],
  link: ['data', 'host', 'port'],
}
const ACTS = Object.keys(OWN) as Act[]

const UNITS = { m: 60_000, h: 60 * 60_000, d: 24 * 60 * 60_000 }

export function tokenOrder([word, name, ...more]: string[], flags: Flags): TokenOrder {
  if (word === undefined) throw usage(`token needs one of ${ACTS.join(', ')}`)
  const act = ACTS.find((act) => act === word)
  if (!act) throw usage(`There is no command token ${word}`, word, ACTS)
  refuseForeign(flags, `token ${act}`, OWN[act])
  const extra = act === 'list' ? name : more[0]
  if (extra !== undefined) throw usage(`token ${act} takes no further words, and "${extra}" is one`)
  if (act === 'list') return { act }
  if (name === undefined) throw usage(`token ${act} needs a name`)
  if (act !== 'create') return { act, name }
  return {
    act,
    name: checked(PrincipalName, 'A name', name),
    role: flags.role === undefined ? undefined : roleOf(flags.role),
    conversation: flags.session === undefined ? undefined : checked(Name, 'A session', flags.session),
    lifeMs: flags.expires === undefined ? undefined : lifeOf(flags.expires),
  }
}

function roleOf(text: string): Role {
  const { data } = Role.safeParse(text)
  if (!data) throw usage(`There is no role ${text}`, text, Role.options)
  return data
}

function lifeOf(text: string): number {
  const [, count = '', unit] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? []
  if (!unit) throw usage(`A time is a number of minutes, hours or days, like 45m, 12h or 30d, and "${text}" is not`)
  return Number(count) * UNITS[unit as keyof typeof UNITS]
}
