import type { Log } from '../../log/views.ts'
import { BEFORE_ALL, type Entry } from '../../protocol/entries/entry.ts'
import type { AuditProblem, AuditVerified } from '../../protocol/tools/audit.ts'
import { auditPath, linesIn, openIfThere } from './audit-file.ts'
import { keptHead } from './head.ts'
import { createKeptFiles } from './kept-files.ts'
import {
  digestOf,
  type EntryLink,
  follows,
  type Head,
  isAudited,
  type Link,
  linkIn,
  NO_LINK,
  reachedBy,
} from './link.ts'

const MOST_PROBLEMS = 50
const PAGE = 256

interface VerifyParts {
  data: string
  log: Pick<Log, 'read' | 'notes'>
  /** The hash of a head that was kept elsewhere. */
  head?: string
}

/** Whether the chain is whole, and the log is what it says. Reads all of both, a page at a time; changes nothing. */
export async function verifyAudit({ data, log, head: wanted }: VerifyParts): Promise<AuditVerified> {
  const problems: AuditProblem[] = []
  let more = 0
  const forgotten = new Set<string>()
  const files = createKeptFiles(data)
  // The head is read before the chain, which may grow meanwhile.
  const kept = await keptHead(log)
  await using file = await openIfThere(auditPath(data), 'r')
  const end = file ? (await file.stat()).size : 0
  const { head, reached } = await verifyChain()
  const pending = await compare()
  return { links: head.n, head: head.chain, forgotten: forgotten.size, pending, problems, more }

  /** Each link follows the one before. */
  async function verifyChain(): Promise<{ head: Head; reached: string }> {
    let before = NO_LINK
    let reached = BEFORE_ALL
    let isHeadThere = wanted === undefined || wanted === NO_LINK.chain
    let line = 0
    for await (const link of links()) {
      line += 1
      if (!link) wrong({ problem: 'unreadable', link: line })
      else {
        if (!follows(before, link)) wrong({ problem: 'broken', link: line })
        if ('forgotten' in link) for (const id of link.forgotten) forgotten.add(id)
        if ('cut' in link) lacks(link.n - 1, link.cut)
        if (link.n === kept?.n && link.chain !== kept.chain) wrong({ problem: 'replaced', link: link.n })
        isHeadThere ||= link.chain === wanted
        reached = reachedBy(link)
        before = link
      }
    }
    if (kept && before.n < kept.n) lacks(before.n, kept.n)
    if (!isHeadThere) wrong({ problem: 'no_such_head' })
    return { head: before, reached }
  }

  /** The chain had a link of this number, and has none after that one, or another. */
  function lacks(after: number, to: number) {
    if (to > after) wrong({ problem: 'cut', link: after + 1, to })
    else wrong({ problem: 'replaced', link: to })
  }

  /** Both are in the order of their ids. Gives how many entries came after the last link. */
  async function compare(): Promise<number> {
    const linked = entryLinks()
    let next = await linked.next()
    let pending = 0
    for await (const entry of entriesOf(log)) {
      for (; !next.done && next.value.id < entry.id; next = await linked.next()) missing(next.value)
      if (!next.done && next.value.id === entry.id) {
        if (!forgotten.has(entry.id) && digestOf(entry, next.value.salt) !== next.value.digest)
          wrong({ problem: 'changed', ...placeOf(next.value) })
        for (const problem of await files.problemsOf(entry)) wrong({ ...problem, ...placeOf(next.value) })
        next = await linked.next()
      } else if (isAudited(entry)) {
        if (entry.id > reached) pending += 1
        else wrong({ problem: 'unlinked', entry: entry.id, kind: entry.body.kind })
      }
    }
    for (; !next.done; next = await linked.next()) missing(next.value)
    return pending
  }

  function missing(link: EntryLink) {
    if (!forgotten.has(link.id)) wrong({ problem: 'missing', ...placeOf(link) })
  }

  async function* links(): AsyncGenerator<Link | undefined> {
    if (file) for await (const { text } of linesIn(file, end)) yield linkIn(text)
  }

  async function* entryLinks(): AsyncGenerator<EntryLink> {
    for await (const link of links()) if (link && 'id' in link) yield link
  }

  function wrong(problem: AuditProblem) {
    if (problems.length < MOST_PROBLEMS) problems.push(problem)
    else more += 1
  }
}

function placeOf({ n, id, kind }: EntryLink) {
  return { link: n, entry: id, kind }
}

/** Every entry of the log, in order. */
export async function* entriesOf(log: Pick<Log, 'read'>): AsyncGenerator<Entry> {
  for (let after = BEFORE_ALL; ; ) {
    const page = (await log.read({ after, limit: PAGE })) as Entry[]
    yield* page
    if (page.length === 0) return
    after = page.at(-1)?.id ?? after
  }
}
