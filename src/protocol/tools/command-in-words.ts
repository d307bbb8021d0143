import type { AlwaysCommand } from '../entries/approval.ts'

/** The command of what is always allowed, as people read it. */
export function commandInWords({ begins, same }: AlwaysCommand): string {
  if (begins !== undefined) return `${begins} …`
  if (typeof same === 'string') return same
  const isWords = Array.isArray(same) && same.every((word) => typeof word === 'string')
  return isWords ? same.join(' ') : JSON.stringify(same)
}
