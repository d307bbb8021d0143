import { ParleyError } from '../protocol/errors.ts'
import type { Principal, Role } from '../protocol/principal.ts'

const PEOPLE: Role[] = ['human', 'admin']

/** No agent ever speaks for a person. */
export function mustBePerson({ name, role }: Principal) {
  if (!PEOPLE.includes(role)) throw new ParleyError('forbidden_role', { roles: PEOPLE.join(' or '), name, role })
}
