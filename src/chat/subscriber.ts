import { mustBeAble, type Principal } from '../protocol/principal.ts'

/** Who can be named as a subscriber. */
export interface Subscribers {
  /** Without tokens nobody is told apart by one, and everybody is whom they say. */
  anyone(): boolean
  /** The principal that has a token of this name; throws when there is none. */
  named(name: string): Principal
}

/**
 * Whom a principal acts for that names a subscriber: itself, for an administrator whoever there is, and whoever it likes
 * where there are no tokens, without being able to do more.
 */
export function actingFor(principal: Principal, subscriber: string | undefined, known: Subscribers): Principal {
  if (subscriber === undefined || subscriber === principal.name) return principal
  if (known.anyone()) return { ...principal, id: subscriber, name: subscriber }
  mustBeAble(principal, 'administer')
  return known.named(subscriber)
}
