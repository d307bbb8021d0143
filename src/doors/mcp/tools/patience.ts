import type { Caller } from '../surface.ts'

/** How long clients wait for a call, less a little; those that progress keeps waiting are asked for it. */
const LIMITS: { name: RegExp; seconds?: number; progress?: true }[] = [
  { name: /^codex-mcp-client/, seconds: 280 },
  { name: /^qwen-cli-mcp-client/, seconds: 280 },
  { name: /^gemini-cli-mcp-client/, seconds: 580 },
  { name: /^(claude-code|opencode|copilot-cli)/, progress: true },
]
const UNKNOWN_SECONDS = 50

/** The shortest wait of a repeated call, however long it had waited before: its answer may be there already. */
const SHORTEST_MS = 1000

/**
 * How long a call may wait before its client gives up on it and the model is told of a failure. `maxWaitSeconds` of the
 * hub's own rules over what is known of the client; 0 is forever.
 */
export function patienceMs(caller: Caller, maxWaitSeconds?: number): number | undefined {
  const seconds = maxWaitSeconds ?? secondsOf(caller.client, caller.tellProgress !== undefined)
  return seconds === 0 ? undefined : remainingMs(seconds, caller)
}

/** The rest of a time that began when the client made its call, at whichever hub that was. */
export function remainingMs(seconds: number, { waitedMs }: Pick<Caller, 'waitedMs'>): number {
  return Math.max(SHORTEST_MS, seconds * 1000 - waitedMs)
}

function secondsOf(client: string, hearsProgress: boolean): number {
  const known = LIMITS.find(({ name }) => name.test(client))
  if (known?.progress && hearsProgress) return 0
  return known?.seconds ?? UNKNOWN_SECONDS
}
