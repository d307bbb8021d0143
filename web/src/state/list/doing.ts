import type { AgentState } from '../../../../src/protocol/entries/agent-state.ts'
import type { Driven } from '../../../../src/protocol/frames/driving.ts'
import { waited } from '../../text/wait.ts'

/**
 * The state of a conversation's agent as it is shown. `stopping`: it was told to stop and has not heard it yet;
 * `unknown`: the hub, which knows, is not there.
 */
export type Doing = AgentState | 'stopping' | 'unknown'

/** Texts for the list. */
export const SHORTLY: Record<Doing, string> = {
  working: 'working',
  waiting: 'waiting for you',
  backgrounded: 'moved on after asking',
  idle: 'idle',
  gone: 'not listening',
  stopping: 'stopping',
  unknown: 'offline',
}

const IN_FULL: Record<Doing, string> = {
  working: 'Working',
  waiting: 'Waiting for you',
  backgrounded: 'Moved on, gets your reply with its next call',
  idle: 'Idle',
  gone: 'Not listening',
  stopping: 'Stopping',
  unknown: 'Offline',
}

/** The text for the header. */
export function inFull({ doing, seen, driven }: { doing: Doing; seen: number; driven?: Driven }, now: number): string {
  if (driven && doing === 'idle') return driven.state === 'asleep' ? 'Asleep until you write' : 'Ready'
  return doing === 'idle' ? `${IN_FULL.idle} · last seen ${sinceThen(seen, now)}` : IN_FULL[doing]
}

function sinceThen(seen: number, now: number): string {
  const since = waited(seen, now)
  return since === 'now' ? 'just now' : `${since} ago`
}

/** A call without a result is only said to run as long as its agent is at it. */
export function leftBy(doing: Doing): 'gone' | 'open' | undefined {
  if (doing === 'gone') return 'gone'
  return doing === 'idle' || doing === 'stopping' || doing === 'unknown' ? 'open' : undefined
}
