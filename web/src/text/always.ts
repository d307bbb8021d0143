import { commandOffer } from '../../../src/protocol/command-start.ts'
import type { Approval } from '../../../src/protocol/entry.ts'
import { jsonIn } from '../../../src/protocol/json.ts'
import { isRecord } from '../../../src/protocol/record.ts'
import type { Scope } from '../state/records.ts'
import { agentName } from './agent.ts'
import { clamped } from './clamped.ts'
import { ownName } from './tool-name.ts'
import { visible } from './visible.ts'

/** Who asks, as its card shows it. */
export interface Asking {
  by: string
  folder?: string
}

/** For whom a call can always be allowed, and what that allows, in words. */
export function alwaysOffers(
  approval: Approval,
  { by, folder }: Asking,
): { scope: Scope; name: string; note: string }[] {
  const input = jsonIn(approval.input)
  const offer = isRecord(input) ? commandOffer(input) : undefined
  const every = offer ? 'Every command' : `Every call of ${clamped(visible(ownName(approval)))}`
  const what = !offer
    ? every
    : 'begins' in offer
      ? `“${visible(offer.begins)} …”: one command that begins so`
      : 'This very command'
  const where = folder ? ` in ${visible(folder)}` : ''
  return [
    { scope: undefined, name: 'In this conversation', note: `${every}. Can be taken back here` },
    { scope: 'agent', name: 'For this agent', note: `${what}, by ${agentName(by)}${where}, in every conversation` },
    { scope: 'everyone', name: 'For everyone', note: `${what}, by every agent, in every conversation` },
  ]
}
