import { humanName } from '../../../src/protocol/entries/agent-name.ts'
import { visible } from './visible.ts'

/** Far enough from each other to be told apart, and none of them the colour of a state. */
const HUES = 9

/** An agent as it is named everywhere. */
export function agentName(by: string): string {
  return visible(humanName(by))
}

/** The mark of an agent: the same for the same name, here and on every other device. */
export function markOf(by: string): { letter: string; hue: number } {
  const name = humanName(by)
  let hash = 0
  for (const unit of name) hash = (hash * 31 + (unit.codePointAt(0) ?? 0)) % 65_521
  const letter = [...name].find((unit) => /[\p{L}\p{N}]/u.test(unit)) ?? '?'
  return { letter: letter.toUpperCase(), hue: (hash % HUES) * (360 / HUES) }
}
