import { ParleyError } from '../protocol/errors.ts'
import { HUMANS, type Principal } from '../protocol/principal.ts'

/** No agent ever speaks for a person. */
export function mustBePerson({ name, role }: Principal) {
  if (!HUMANS.includes(role)) throw new ParleyError('forbidden_role', { roles: HUMANS.join(' or '), name, role })
}
