import { humanName } from '../../../src/protocol/entries/agent-name.ts'
import { folderLetter, LOOKS, letterOf } from '../../../src/protocol/look.ts'
import { visible } from './visible.ts'

/** Nine of them are far enough from each other to be told apart, and none is the colour of a state. */
const HUES = 9
const DEGREES = 40

/** A circle, a square, a hexagon, a shield and a tag: told apart without colours, with room for letters. */
export const SHAPES = [
  'M12 2a10 10 0 1 1 0 20 10 10 0 1 1 0-20z',
  'M3 3h18v18H3z',
  'M7 3h10l5 9-5 9H7l-5-9z',
  'M3 2h18v12l-9 8-9-8z',
  'M2 3h14l6 9-6 9H2z',
]

/** Where an agent is: the folder that it works in, and its conversation. */
export interface AgentPlace {
  id: string
  folder?: string
  /** The look that the hub gave it. */
  look?: number
}

export interface Mark {
  /** With a number, where there are more agents than looks. */
  letters: string
  hue: number
  /** One of the shapes. */
  shape: number
  /** Only its edge has the colour. */
  open: boolean
}

/** An agent as it is named everywhere. */
export function agentName(by: string): string {
  return visible(humanName(by))
}

/**
 * The mark of an agent, the same here and on every other device: letters and colour of the agent and its folder, and the
 * look that the hub gave its conversation, which no other one with the same letters has at the same time.
 */
export function markOf(by: string, at?: AgentPlace): Mark {
  const name = humanName(by)
  const folder = at?.folder ?? ''
  const of = name + folder
  const look = at?.look ?? hashOf(of + at?.id) % LOOKS
  const shape = look % LOOKS
  return {
    letters:
      (letterOf(name) || '?').toUpperCase() + folderLetter(folder) + (look < LOOKS ? '' : Math.floor(look / LOOKS) + 1),
    hue: (hashOf(of) % HUES) * DEGREES,
    shape: shape >> 1,
    open: shape % 2 > 0,
  }
}

function hashOf(text: string): number {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  // The lowest bits follow the last letters.
  return hash >>> 8
}
