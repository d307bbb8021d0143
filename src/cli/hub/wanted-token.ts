import type { Flags } from '../../line/flags.ts'
import { PrincipalName, Role } from '../../protocol/principal.ts'
import { Name } from '../../protocol/text/text.ts'
import { usage } from '../../protocol/usage.ts'

const HELP = { help: 'parley token create --help' }
const UNITS = { m: 60_000, h: 60 * 60_000, d: 24 * 60 * 60_000 }

/** The token that somebody wants to have made. */
export function wantedToken(name: string, { role, session, expires }: Flags) {
  return {
    name: checkedAs(PrincipalName, 'A name', name, HELP),
    role: roleOf(role),
    conversation: session === undefined ? undefined : checkedName('A session', session, HELP),
    lifeMs: expires === undefined ? undefined : lifeOf(expires),
  }
}

/** Nobody becomes a person because somebody forgot to say what they are. */
function roleOf(text: string | undefined): Role {
  if (text === undefined) throw usage(`A token needs a role: one of ${Role.options.join(', ')}`, HELP)
  const { data } = Role.safeParse(text)
  if (!data) throw usage(`Unknown role ${text}`, { wrong: text, known: Role.options, ...HELP })
  return data
}

function lifeOf(text: string): number {
  const [, count = '', unit] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? []
  if (!unit)
    throw usage(`A time is a number of minutes, hours or days, like 45m, 12h or 30d, and "${text}" is not`, HELP)
  return Number(count) * UNITS[unit as keyof typeof UNITS]
}

export function checkedName(what: string, text: string, help: { help: string }): string {
  return checkedAs(Name, what, text, help)
}

function checkedAs(schema: typeof Name, what: string, text: string, help: { help: string }): string {
  const { data, error } = schema.safeParse(text)
  if (data === undefined) throw usage(`${what} ${error?.issues[0]?.message}`, help)
  return data
}
