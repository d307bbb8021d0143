import { hash } from 'node:crypto'

/** A tool as its server lists it, with whatever else it says. */
export interface RawTool {
  name: string
  annotations?: unknown
  [more: string]: unknown
}

/** The same where everything that the server says of it is the same, in whatever order its fields come. */
export function fingerprintOf(tool: RawTool): string {
  return hash('sha256', JSON.stringify(tool, inOrder)).slice(0, 32)
}

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
