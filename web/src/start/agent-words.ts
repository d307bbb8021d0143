import type { LaunchableAgent } from '../../../src/protocol/frames/launching.ts'
import { unreachable } from '../../../src/protocol/unreachable.ts'

/** What is to be done before it can be talked to, in two words. */
export function stateWords(state: LaunchableAgent['state'], isFetching: boolean): string | undefined {
  switch (state) {
    case 'ready':
      return undefined
    case 'needs_adapter':
      return isFetching ? 'fetching…' : 'needs an adapter'
    case 'needs_sign_in':
      return 'not signed in'
    case 'not_installed':
      return 'not installed'
    default:
      return unreachable(state)
  }
}
