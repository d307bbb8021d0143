import { mustBeAble, type Principal } from '../protocol/principal.ts'
import type { Acts } from './acts.ts'

export type DriverView = ReturnType<typeof driverView>

interface DriverViewParts {
  acts: Pick<Acts, 'holds' | 'conversation'>
  principal: Principal
  /** Throws where the principal may not see it. */
  seen(conversation: string): string
}

/** What a principal may do that drives agents. */
export function driverView({ acts, principal, seen }: DriverViewParts) {
  const { holds } = acts
  mustBeAble(principal, 'drive')
  return { hold, release, mustHold }

  /** Who holds it then, until when, and how the person wants it to be driven. */
  async function hold(conversation: string, holder: string, seconds: number) {
    const now = await holds.hold(seen(conversation), holder, principal, seconds * 1000)
    const { wish = {} } = await acts.conversation(conversation)
    return { held: now.holder === holder && now.principal === principal.id, ...now, wish }
  }

  async function release(conversation: string, holder: string): Promise<boolean> {
    return holds.release(seen(conversation), holder, principal)
  }

  async function mustHold(conversation: string, holder: string): Promise<void> {
    await holds.mustHold(seen(conversation), holder, principal)
  }
}
