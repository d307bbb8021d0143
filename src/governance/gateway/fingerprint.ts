import { hash } from 'node:crypto'
import { isRecord } from '../../protocol/text/record.ts'

/** A tool as its server lists it, with whatever else it says. */
export interface RawTool {
  name: string
  annotations?: unknown
  [more: string]: unknown
}

/**
 * The same where everything that the server says of it is the same, in whatever order its fields come, and the server
 * too.
 */
export function fingerprintOf(tool: RawTool, owner: string): string {
  return hash('sha256', JSON.stringify([owner, tool], inOrder)).slice(0, 32)
}

/** The identity of a mounted server, as it stands in the file: what it is given to work with is not who it is. */
export function ownerOf(written: unknown): string {
  const { command, args, cwd, url } = isRecord(written) ? written : {}
  return JSON.stringify([command, args ?? [], cwd, url])
}

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
