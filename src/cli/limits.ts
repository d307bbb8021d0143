import { DEFAULT_LIMITS, type Limits } from '../protocol/limits.ts'
import type { Flag, Flags } from './flags.ts'
import { usage } from './usage.ts'

const SETTINGS = {
  rate: { flag: 'max-rate', variable: 'PARLEY_MAX_RATE', from: 1, to: 1_000_000 },
  connections: { flag: 'max-connections', variable: 'PARLEY_MAX_CONNECTIONS', from: 1, to: 1_000_000 },
  // What the protocol allows is the most.
  messageBytes: { flag: 'max-message', variable: 'PARLEY_MAX_MESSAGE', from: 1024, to: 1024 * 1024 },
  unreadBytes: { flag: 'max-unread', variable: 'PARLEY_MAX_UNREAD', from: 1024, to: 1024 ** 3 },
  heartbeatSeconds: { flag: 'heartbeat', variable: 'PARLEY_HEARTBEAT', from: 1, to: 3600 },
} as const satisfies Record<keyof Limits, { flag: Flag; variable: string; from: number; to: number }>

export const LIMIT_FLAGS: Flag[] = Object.values(SETTINGS).map(({ flag }) => flag)

export function readLimits(flags: Flags, env: Record<string, string | undefined>): Readonly<Limits> {
  const limits: Limits = { ...DEFAULT_LIMITS }
  for (const name of Object.keys(SETTINGS) as (keyof Limits)[]) {
    const { flag, variable, from, to } = SETTINGS[name]
    const text = flags[flag] ?? (env[variable] || undefined)
    if (text === undefined) continue
    limits[name] = wholeNumber(flags[flag] === undefined ? variable : `--${flag}`, text, from, to)
  }
  return Object.freeze(limits)
}

export function wholeNumber(where: string, text: string, from: number, to: number): number {
  if (/^\d+$/.test(text) && Number(text) >= from && Number(text) <= to) return Number(text)
  throw usage(`${where} is a number from ${from} to ${to}, and "${text}" is not`)
}
