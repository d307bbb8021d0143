import { ParleyError } from '../../../protocol/errors.ts'
import { PrincipalName, Role } from '../../../protocol/principal.ts'
import { hashOf } from './token-edition.ts'
import type { Token } from './token-entry.ts'

/** `name:role:token`, separated by commas. Hashed at once; a sentence about a wrong one never repeats its token. */
export function givenTokens(text = ''): Token[] {
  const parts = text.split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '').map(givenToken)
}

function givenToken(part: string, place: number): Token {
  const [, name = '', role = '', secret = ''] = /^([^:]*):([^:]*):(\S+)$/.exec(part) ?? []
  const known = { name: PrincipalName.safeParse(name), role: Role.safeParse(role) }
  if (!known.name.success || !known.role.success)
    throw new ParleyError('usage', {
      problem: `PARLEY_TOKENS is name:role:token, separated by commas, and number ${place + 1} is not`,
    })
  return { kind: 'token', name: known.name.data, role: known.role.data, hash: hashOf(secret) }
}
