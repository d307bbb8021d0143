import { ParleyError } from '../../protocol/errors.ts'
import { LOCAL, mustBeAble, type Principal } from '../../protocol/principal.ts'

/** Knows who can be named as a subscriber. */
export interface Subscribers {
  /** True without tokens: nobody is told apart by one, and everybody is who they say they are. */
  anyone(): boolean
  /** The principal that has a token of this name. */
  named(name: string): Principal | undefined
}

/**
 * The principal as which one acts that names a subscriber: itself, for an administrator whoever there is, and anyone
 * where there are no tokens, without being able to do more. Even where there are tokens, a runner that the owner
 * started has a name of its own: no other runner comes without a token there.
 */
export function actingFor(principal: Principal, subscriber: string | undefined, known: Subscribers): Principal {
  if (subscriber === undefined || subscriber === principal.name) return principal
  if (known.anyone()) return called(principal, subscriber)
  const other = known.named(subscriber)
  if (principal.name === LOCAL && principal.role === 'orchestrator') {
    if (other) throw new ParleyError('subscriber_taken', { subscriber })
    return called(principal, subscriber)
  }
  mustBeAble(principal, 'administer')
  if (!other) throw new ParleyError('unknown_subscriber', { subscriber })
  return other
}

function called(principal: Principal, name: string): Principal {
  return { ...principal, id: name, name }
}
