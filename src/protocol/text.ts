import * as z from 'zod/mini'
import { NAME, trimmedName } from './name.ts'

export const TEXT_LIMIT_BYTES = 1024 * 1024

const encoder = new TextEncoder()

/** At most 1 MiB, and text that every engine can store. */
export const Words = z.string('must be text').check(
  z.overwrite((text) => text.toWellFormed()),
  z.refine((text) => fits(text, TEXT_LIMIT_BYTES), 'is larger than the limit of 1 MiB'),
)

/** What a person or an agent says: never blank. */
export const Text = Words.check(z.refine((text) => text.trim() !== '', 'must not be empty'))

export const MIMES = [
  'text/markdown',
  'text/plain',
  'application/json',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/svg+xml',
] as const

export const Mime = z.enum(MIMES, `must be one of ${MIMES.join(', ')}`)
export type Mime = z.infer<typeof Mime>

/** A name a client chooses: a session, a key, a title. */
export const Name = z
  .string('must be text')
  .check(
    z.overwrite(trimmedName),
    z.minLength(1, NAME.isEmpty),
    z.maxLength(NAME.longest, NAME.isTooLong),
    z.regex(NAME.allowed, NAME.isForbidden),
  )

/** Whether the text takes at most so many bytes as UTF-8. */
export function fits(text: string, limitBytes: number): boolean {
  // One UTF-16 unit takes at most three bytes, so most texts need no encoding to be measured.
  return text.length * 3 <= limitBytes || encoder.encode(text).length <= limitBytes
}
