import { hash, randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { type Entry, EntryId } from '../../protocol/entries/entry.ts'
import { jsonIn } from '../../protocol/text/json.ts'

const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const common = { n: z.number(), at: z.number(), chain: Sha256 }

/** One line of the chain: a digest of an entry, and nothing that tells what is in it. */
const EntryLink = z.object({
  ...common,
  id: EntryId,
  kind: z.string(),
  digest: Sha256,
  /** Nothing can be guessed from the digest once it is gone; so the chain does not hold it. */
  salt: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
})
/** Somebody forgets a conversation: these entries may be missing from now on. */
const Forgetting = z.object({ ...common, seen: EntryId, forgotten: z.array(EntryId), by: z.string() })
/** The salts of what the line before forgets are gone. */
const Erased = z.object({ ...common, seen: EntryId, erased: z.number() })
/** The log knew of a link that was not here any more: what followed the line before is lost, and linked again. */
const Cut = z.object({ ...common, seen: EntryId, cut: z.number(), head: Sha256 })
/** Somebody changed what is decided without people. */
const Change = z.object({ ...common, seen: EntryId, by: z.string(), changed: z.string(), about: z.string() })
/** A mark up to which there was nothing else to be linked. */
const Seen = z.object({ ...common, seen: EntryId })
const Link = z.union([EntryLink, Forgetting, Erased, Cut, Change, Seen])

export type Change = z.infer<typeof Change>
export type EntryLink = z.infer<typeof EntryLink>
export type Link = z.infer<typeof Link>
/** A link before it has its place. */
export type Loose = Placeless<Link>
type Placeless<Any> = Any extends Link ? Omit<Any, 'n' | 'chain'> : never

export const Head = z.object({ n: z.number(), chain: Sha256 })
export type Head = z.infer<typeof Head>

export const NO_LINK: Head = { n: 0, chain: '0'.repeat(64) }
export const NO_SALT = '0'.repeat(32)

/** True for entries that say what a tool was to do, did, or may do. */
export function isAudited({ body }: Entry): boolean {
  switch (body.kind) {
    case 'tool_call':
    case 'tool_result':
    case 'permitted_call':
    case 'refused_call':
    case 'revocation':
      return true
    case 'question':
      return body.approval !== undefined
    case 'settlement':
      // Approvals are never only answered.
      return body.outcome !== 'answered'
    default:
      return false
  }
}

export function linkOf(entry: Entry): Loose {
  const salt = randomBytes(16).toString('hex')
  const { id, at, body } = entry
  return { id, at, kind: body.kind, digest: digestOf(entry, salt), salt }
}

export function digestOf({ id, conversation, at, body }: Entry, salt: string): string {
  return hash('sha256', `${salt}\n${canonical({ id, conversation, at, body })}`)
}

export function chained(before: Head, loose: Loose): Link {
  const { salt: _, ...held } = { salt: undefined, ...loose }
  const n = before.n + 1
  return { n, ...loose, chain: hash('sha256', `${before.chain}\n${canonical({ n, ...held })}`) } as Link
}

export function follows(before: Head, { n, chain, ...loose }: Link): boolean {
  return n === before.n + 1 && chained(before, loose).chain === chain
}

export function linkIn(text: string): Link | undefined {
  return Link.safeParse(jsonIn(text)).data
}

/** The last entry of the log that is known where this link stands. */
export function reachedBy(link: Link): string {
  return 'id' in link ? link.id : link.seen
}

/** The same text for the same value, whatever the order of its fields. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  const inOrder = fields.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${inOrder.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join()}}`
}
