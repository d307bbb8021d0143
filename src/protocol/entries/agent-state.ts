import * as z from 'zod/mini'

/**
 * `working`: a call, a step or a turn of it is in progress, or it was active in the last seconds; `waiting`: a
 * call of it waits for a reply; `backgrounded`: it asked and went on, and gets the reply with its next call; `idle`: it
 * is there and none of these; `gone`: nobody would receive a message now.
 */
export const AgentState = z.enum(['working', 'waiting', 'backgrounded', 'idle', 'gone'])
export type AgentState = z.infer<typeof AgentState>
