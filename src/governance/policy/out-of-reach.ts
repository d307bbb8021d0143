import type { Caller, Offered } from '../../protocol/tools/gateway.ts'
import { type Call, callOf } from './call.ts'
import type { Rule } from './rule.ts'

type Checks = readonly { fits(call: Call): boolean }[]

interface Parted {
  rule: Rule
  checks: Checks
  /** The part of them that does not change from one call to the next. */
  parts: { who: Checks; tool: Checks; arguments: Checks }
}

/**
 * What an agent may never call, whatever the arguments, the time and the conversation: a rule denies it, and none
 * before that one could let it through. Where arguments are named, with these.
 */
export function createOutOfReach(rules: readonly Parted[], caller: Caller): (offered: Offered) => boolean {
  if (!rules.some(isDenial)) return () => false
  const byServer = new Map<string, readonly Parted[]>()
  return ({ server, ...tool }) => {
    const about = rulesFor(server)
    if (!about.some(isDenial)) return false
    const call = callOf({ ...caller, server, at: 0, ...tool, arguments: tool.arguments ?? {} })
    for (const one of about) {
      const { parts, checks } = one
      const isKnown = parts.arguments.length === 0 || tool.arguments !== undefined
      if (!fitAll(parts.tool, call) || (isKnown && !fitAll(parts.arguments, call))) continue
      if (!isDenial(one)) return false
      const isSure = isKnown && checks.length === parts.who.length + parts.tool.length + parts.arguments.length
      if (isSure) return true
    }
    return false
  }

  function rulesFor(server: string): readonly Parted[] {
    const known = byServer.get(server)
    if (known) return known
    const call = callOf({ ...caller, server, tool: '', arguments: {}, at: 0 })
    const found = rules.filter(({ parts }) => fitAll(parts.who, call))
    byServer.set(server, found)
    return found
  }
}

function isDenial({ rule: { decision } }: Parted): boolean {
  return decision === 'deny_continue' || decision === 'deny_abort'
}

function fitAll(checks: Checks, call: Call): boolean {
  for (let n = 0; n < checks.length; n++) if (!checks[n]?.fits(call)) return false
  return true
}
