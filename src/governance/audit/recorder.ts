import { createSeen } from '../../chat/conversation/seen.ts'
import { steady } from '../../chat/conversation/steady.ts'
import type { Log } from '../../log/views.ts'
import { BEFORE_ALL, type Entry } from '../../protocol/entries/entry.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { auditPath, openAuditFile } from './audit-file.ts'
import { keepHead, keptHead } from './head.ts'
import { type Change, type Head, isAudited, type Loose, linkOf, reachedBy } from './link.ts'

interface RecorderParts {
  data: string
  log: Log
  report(error: unknown): void
}

export type Recorder = Awaited<ReturnType<typeof openRecorder>>

// Links that come within it share one write to the disk.
const GATHER_MS = 100
/** The chain says after so many other entries that it has seen them: a start reads no more than this. */
const SEEN_EVERY = 1000
const SEEN_WORTH = 100
const PAGE = 256

/** Links every call and every decision about one to the chain in the data folder. Nobody waits for it who calls. */
export async function openRecorder({ data, log, report }: RecorderParts) {
  const file = await openAuditFile(auditPath(data))
  const last = file.last()
  const seen = createSeen(last ? reachedBy(last) : BEFORE_ALL)
  let position = last ? reachedBy(last) : BEFORE_ALL
  let passed = 0
  let hurried = 0
  let wake = () => {}
  let writing: Promise<unknown> = begin()
  writing.catch(fail)
  const following = steady(log, report).follow({ after: position }, { entries: record, failed: fail })
  return { reached, forgetting, record: change, close }

  async function begin() {
    const kept = await keptHead(log)
    if (kept && !(await file.has(kept))) {
      const reason = `${auditPath(data)} lacks link ${kept.n}, which was written; see parley audit verify`
      report(new ParleyError('data_corrupt', { reason }))
      await append([{ at: Date.now(), seen: position, cut: kept.n, head: kept.chain }])
    }
    if (last && 'forgotten' in last) await eraseFor(last.forgotten, last.n)
  }

  async function append(links: Loose[]) {
    await file.append(links)
    await keepHead(log, file.last() as Head)
  }

  /** A crash meanwhile leaves the link that forgets as the last one: then it is done again. */
  async function eraseFor(forgotten: string[], erased: number) {
    await file.eraseSalts(new Set(forgotten))
    await append([{ at: Date.now(), seen: position, erased }])
  }

  /** Nothing more is told while this is under way: what is said meanwhile is read from the log afterwards. */
  function record(entries: unknown[]): void | Promise<void> {
    const audited = (entries as Entry[]).filter(isAudited)
    const to = (entries as Entry[]).at(-1)?.id ?? position
    passed += entries.length - audited.length
    if (audited.length > 0 || passed >= SEEN_EVERY) return link(audited, to)
    position = to
    seen.moveTo(to)
  }

  async function link(audited: Entry[], to: string) {
    const links = audited.map(linkOf)
    if (audited.at(-1)?.id !== to && passed >= SEEN_EVERY) links.push({ at: Date.now(), seen: to })
    if (links.length > 0) await inTurn(() => append(links))
    if (passed >= SEEN_EVERY) passed = 0
    position = to
    seen.moveTo(to)
    if (hurried === 0) await new Promise<void>(gathered)
  }

  function gathered(resolve: () => void) {
    const timer = setTimeout(resolve, GATHER_MS)
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
  }

  /** Resolves once everything up to this entry is in the chain. */
  async function reached(id: string) {
    hurried += 1
    wake()
    try {
      await seen.until(id)
    } finally {
      hurried -= 1
    }
  }

  /**
   * Called before a conversation is gone, with the id of its last entry: the chain says so, and what could betray it
   * goes too.
   */
  async function forgetting(conversation: string, by: string, upTo: string) {
    // A chain that cannot be written keeps nobody from forgetting; it will tell that something is missing.
    if (seen.hasFailed()) return
    await reached(upTo)
    const forgotten = await auditedIn(conversation)
    if (forgotten.length === 0) return
    await inTurn(async () => {
      await append([{ at: Date.now(), seen: position, forgotten, by }])
      await eraseFor(forgotten, file.last()?.n ?? 0)
    })
  }

  /** A chain that cannot be written keeps nobody from switching a rule off. */
  async function change(made: Pick<Change, 'by' | 'changed' | 'about'>) {
    if (seen.hasFailed()) return
    await inTurn(() => append([{ at: Date.now(), seen: position, ...made }]))
  }

  async function auditedIn(conversation: string): Promise<string[]> {
    const ids: string[] = []
    for (let after = BEFORE_ALL; ; ) {
      const page = (await log.read({ conversation, after, limit: PAGE })) as Entry[]
      ids.push(...page.filter(isAudited).map(({ id }) => id))
      if (page.length === 0) return ids
      after = page.at(-1)?.id ?? after
    }
  }

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = writing.then(work)
    writing = done.catch(() => {})
    return done
  }

  function fail(error: unknown) {
    if (!seen.hasFailed()) report(error)
    seen.fail(error)
  }

  async function close() {
    try {
      if (!seen.hasFailed()) await reached(await log.last())
    } finally {
      following.close()
      wake()
      if (passed >= SEEN_WORTH && !seen.hasFailed()) await inTurn(() => append([{ at: Date.now(), seen: position }]))
      await writing
      await file.close()
    }
  }
}
