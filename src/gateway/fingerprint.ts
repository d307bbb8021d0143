import { hash } from 'node:crypto'

/** A tool as its server lists it, with whatever else it says. */
export interface RawTool {
  name: string
  description?: unknown
  inputSchema?: unknown
  outputSchema?: unknown
  annotations?: unknown
  [more: string]: unknown
}

/** The same for the same words, schemas and annotations, in whatever order their fields come. */
export function fingerprintOf({ description, inputSchema, outputSchema, annotations }: RawTool): string {
  return hash('sha256', JSON.stringify({ description, inputSchema, outputSchema, annotations }, inOrder)).slice(0, 32)
}

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
