import * as z from 'zod/mini'
import { isKeyOfCalls } from '../tools/call-keys.ts'
import { NAME, trimmedName } from './name.ts'
import { fits } from './size.ts'

export { fits } from './size.ts'

export const TEXT_LIMIT_BYTES = 1024 * 1024

/** Text of at most 1 MiB that every engine can store. */
export const Words = z.string('must be text').check(
  z.overwrite((text) => text.toWellFormed()),
  z.refine((text) => fits(text, TEXT_LIMIT_BYTES), 'is larger than the limit of 1 MiB'),
)

/** What a person or an agent says: never blank. */
export const Text = Words.check(z.refine((text) => text.trim() !== '', 'must not be empty'))

const TOKEN = "[\\w!#$%&'*+.^`|~-]+"
const PARAMETER = `[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"(?:[\\x20!#-[\\]-~]|\\\\[\\x20-~])*")`
const MIME = new RegExp(`^${TOKEN}/${TOKEN}(?:${PARAMETER})*$`)
const isMime = 'must be a mime type, such as text/markdown or application/json'

/** Any type, with or without parameters. */
export const Mime = z.string(isMime).check(
  z.trim(),
  z.maxLength(200, 'is longer than 200 characters'),
  // A pattern would appear in the schemas of tools and tell nobody anything.
  z.refine((mime) => MIME.test(mime), isMime),
)

/** A name a client chooses: a session, a key, a title. */
export const Name = z
  .string('must be text')
  .check(
    z.overwrite(trimmedName),
    z.minLength(1, NAME.isEmpty),
    z.maxLength(NAME.longest, NAME.isTooLong),
    z.regex(NAME.allowed, NAME.isForbidden),
  )

/** A name for one command: sent again with it, it happens once. */
export const Key = Name.check(
  z.refine((key) => !isKeyOfCalls(key), 'must not begin with call:, result: or tell:, as the keys of calls do'),
)
