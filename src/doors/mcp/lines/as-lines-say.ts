import type { FromLine } from '../../../protocol/frames/link.ts'

/** Whatever a line says after its hello. */
export type Told = Exclude<FromLine, { hello: unknown }>

const SAYING = new Set(['key', 'mcp'])
const ARRIVAL = new Set(['got'])
/** Keys as lines make them: the name of the line, and a number. The schema would leave them as they are. */
const KEY = /^[\w:.-]{1,200}$/

/**
 * Whether a frame is one of the two that a line says all the time, and just as every line of ours says it. The schema
 * takes that for what it is; it is asked about everything else. [M108]
 */
export function isAsLinesSay(frame: unknown): frame is Told {
  if (!isRecord(frame)) return false
  if ('mcp' in frame) return hasOnly(frame, SAYING) && isRecord(frame.mcp) && (!('key' in frame) || isKey(frame.key))
  return hasOnly(frame, ARRIVAL) && isKey(frame.got)
}

function isKey(value: unknown): boolean {
  return typeof value === 'string' && KEY.test(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasOnly(frame: object, names: ReadonlySet<string>): boolean {
  for (const name in frame) if (!names.has(name)) return false
  return true
}
