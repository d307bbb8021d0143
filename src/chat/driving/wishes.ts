import { mustBeAble, type Principal } from '../../protocol/principal.ts'
import type { Runners } from './runners.ts'

/**
 * What this principal may wish of how a conversation is driven, or throws. To choose a runner that the hub starts is to
 * start an agent in a folder.
 */
export function wishesOf({ isLaunched }: Pick<Runners, 'isLaunched'>, principal: Principal) {
  return <Wanted extends { runner?: string }>(wanted: Wanted): Wanted => {
    if (wanted.runner !== undefined && isLaunched(wanted.runner)) mustBeAble(principal, 'administer')
    return wanted
  }
}
