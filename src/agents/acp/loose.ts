import { isRecord } from '../../protocol/text/record.ts'

/** What agents send, read without trust: what is not as it should be counts as absent. */

export type Loose = Record<string, unknown>

export function record(value: unknown): Loose {
  return isRecord(value) ? value : {}
}

export function records(value: unknown): Loose[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null).map(record) : []
}

/** Undefined for an empty text too. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Of which there cannot be less than none. */
export function count(value: unknown): number | undefined {
  const told = number(value)
  return told !== undefined && told >= 0 ? told : undefined
}
