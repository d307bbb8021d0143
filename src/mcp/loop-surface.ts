import { type ChatParts, endTurn } from './chat-tools.ts'
import type { Surface } from './surface.ts'

/** Control of the agent's loop, whatever the interface. */
export function loopSurface(parts: ChatParts): Surface {
  return {
    name: 'parley-loop',
    instructions: 'Call yield_turn when you have nothing more to do until the person speaks.',
    tools: [
      endTurn(parts, {
        name: 'yield_turn',
        alias: 'loop.yield_turn',
        title: 'Yield the turn',
        description: 'Ends your turn: you have nothing more to say or do until the person speaks again.',
      }),
    ],
  }
}
