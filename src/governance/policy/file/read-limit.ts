import type { CallLimit } from '../../../protocol/tools/gateway.ts'
import { Misplaced, type Node } from './jsonc.ts'
import { textIn, wordAmong } from './read-condition.ts'

const KINDS = ['calls', 'arguments', 'result', 'time'] as const
const READERS: Record<(typeof KINDS)[number], (node: Node) => unknown> = {
  calls: paceIn,
  arguments: sizeIn,
  result: sizeIn,
  time: (node) => lengthIn(node, TIME),
}

/** The most that a rule lets through. */
export function limitIn(node: Node): CallLimit {
  if (node.kind !== 'object') throw new Misplaced(node.at, 'A limit is an object, as in { "calls": "10 a minute" }')
  if (node.members.length === 0) throw new Misplaced(node.at, `This limits nothing; say it with ${KINDS.join(', ')}`)
  return Object.fromEntries(
    node.members.map(({ name, at, value }) => {
      const kind = wordAmong(name, KINDS, at, 'a limit')
      return [kind, READERS[kind](value)]
    }),
  )
}

const PACE = /^(\d{1,5}) an? (second|minute|hour|day)$/
const EACH_MS: Record<string, number> = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 }
/** Each is remembered for as long. */
const MOST_CALLS = 10_000

function paceIn(node: Node): CallLimit['calls'] {
  const [, count = '', unit = ''] = PACE.exec(textIn(node)) ?? []
  const most = Number(count)
  if (most === 0 || most > MOST_CALLS)
    throw new Misplaced(
      node.at,
      `Calls are as in "10 a minute", "3 a second", "100 an hour" or "500 a day", and from 1 to ${MOST_CALLS}`,
    )
  return { most, ms: EACH_MS[unit] as number, each: unit }
}

const SIZE = /^(\d{1,6}) ?(bytes|KB|MB)$/
const BYTES: Record<string, number> = { bytes: 1, KB: 1000, MB: 1_000_000 }

/** A size in bytes. */
function sizeIn(node: Node): number {
  const [, count = '', unit = ''] = SIZE.exec(textIn(node)) ?? []
  const bytes = Number(count) * (BYTES[unit] ?? 0)
  if (bytes === 0) throw new Misplaced(node.at, 'A size is as in "500 bytes", "64 KB" or "2 MB"')
  return bytes
}

const LENGTH = /^(\d{1,4})\s?([smhd])$/
const LENGTH_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

interface Longest {
  days: number
  /** The name for it in a problem. */
  what: string
}

export const DEADLINE: Longest = { days: 30, what: 'A deadline' }
// Timers end no later.
const TIME: Longest = { days: 1, what: 'A time' }

/** A length in milliseconds. */
export function lengthIn(node: Node, { days, what }: Longest): number {
  const [, count = '', unit = ''] = LENGTH.exec(textIn(node)) ?? []
  const ms = Number(count) * (LENGTH_MS[unit] ?? 0)
  if (ms === 0 || ms > days * (LENGTH_MS.d as number))
    throw new Misplaced(
      node.at,
      `${what} is as in "90s", "10m", "2h" or "1d", and at most ${days === 1 ? '1 day' : `${days} days`}`,
    )
  return ms
}
