import type { Surface } from '../surface.ts'
import { type ChatParts, yieldTurn } from '../tools/chat-tools.ts'

/** Control of the agent's loop, whatever the interface. */
export function loopSurface(parts: ChatParts): Surface {
  return {
    name: 'parley-loop',
    instructions: 'Call yield_turn when you have nothing more to do until the person speaks.',
    tools: [yieldTurn(parts)],
  }
}
