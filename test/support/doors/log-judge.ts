import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { openFolder } from '../../../src/export/folder.ts'
import { logFile } from '../../../src/log/file-name.ts'
import { AFTER_ALL, BEFORE_ALL, type Body, type Decided, type Entry } from '../../../src/protocol/entries/entry.ts'
import { PERSONS, type World } from './world.ts'

const PAGE = 100
const BY_PEOPLE = ['answered', 'approved', 'denied']

/**
 * What may stand in the log of a hub that ended: only what a person decided, of what they named themselves, and what a
 * rule decided that a person made.
 */
export async function judgeLog(data: string, { named, hasForgotten }: Pick<World, 'named' | 'hasForgotten'>) {
  expect(integrityOf(data)).toEqual({ integrity_check: 'ok' })
  const settled = new Set<string>()
  /** Approvals with the tool that is asked for. */
  const asked = new Map<string, string | undefined>()
  const granted = new Set<string>()
  /** Tools of which a person made a rule, which counts in all conversations; and what rules allowed. */
  const ruled = new Set<string | undefined>()
  const byRules: { tool: string | undefined; shown: string }[] = []
  /** What was allowed along with the grant that stands right behind it, or by one before. */
  let along: { tool: string; shown: string }[] = []
  let approved = 0
  for await (const entry of entriesIn(data)) {
    const { id, body, conversation } = entry
    const shown = JSON.stringify(entry).slice(0, 500)
    const isAlong = body.kind === 'settlement' && body.always === 'used'
    if (!isAlong && !isGrant(body)) judgeAlong()
    if (body.kind === 'question') asked.set(id, body.approval?.tool_name)
    if (body.kind === 'permitted_call' && !body.decided)
      expect(granted.has(`${conversation} ${body.approval.tool_name}`), shown).toBe(true)
    if (body.kind === 'permitted_call' && body.decided) judgeRule(body.decided, body.approval.tool_name, shown)
    if (body.kind !== 'settlement') continue
    expect(asked.has(body.question), shown).toBe(true)
    expect(settled.has(body.question), shown).toBe(false)
    settled.add(body.question)
    if (!BY_PEOPLE.includes(body.outcome)) continue
    if (body.outcome === 'approved') approved++
    if (body.decided) {
      expect([body.outcome, body.by], shown).toEqual(['approved', 'policy'])
      judgeRule(body.decided, asked.get(body.question), shown)
      continue
    }
    expect(PERSONS, shown).toContain(body.by)
    if (body.outcome !== 'approved') continue
    const tool = `${conversation} ${asked.get(body.question)}`
    if (body.always === 'used') along.push({ tool, shown })
    else expect(named.has(body.question), shown).toBe(true)
    if (body.always === 'granted' && body.scope === undefined) granted.add(tool)
    if (body.always === 'granted' && body.scope !== undefined) ruled.add(asked.get(body.question))
  }
  judgeAlong()
  // A rule outlives the card that it was made of.
  if (!hasForgotten()) for (const { tool, shown } of byRules) expect(ruled.has(tool), shown).toBe(true)
  const approvals = [...asked.values()].filter((tool) => tool !== undefined).length
  return { asked: asked.size, approvals, approved, byRules: byRules.length, settled: settled.size }

  function judgeAlong() {
    for (const { tool, shown } of along) expect(granted.has(tool), shown).toBe(true)
    along = []
  }

  /** Nobody wrote one that denies. */
  function judgeRule({ decision, rule }: Decided, tool: string | undefined, shown: string) {
    expect(decision, shown).toBe('allow')
    expect(rule, shown).toBeDefined()
    byRules.push({ tool, shown })
  }
}

function isGrant(body: Body): boolean {
  return body.kind === 'settlement' && body.always === 'granted' && body.scope === undefined
}

function integrityOf(data: string) {
  using file = new DatabaseSync(logFile(data), { readOnly: true })
  return { ...file.prepare('PRAGMA integrity_check').get() }
}

/** One conversation after the other, and each in its order. */
async function* entriesIn(data: string): AsyncGenerator<Entry> {
  const { source, close } = await openFolder(data)
  try {
    for (let before = AFTER_ALL; ; ) {
      const page = await source.conversations({ before, limit: PAGE })
      for (const { id, last } of page)
        for (let after = BEFORE_ALL; after < last; ) {
          const { entries } = await source.logged(id, { after, limit: PAGE })
          let place = after
          for (const entry of entries) {
            expect(entry.id > place, `${entry.id} after ${place}`).toBe(true)
            place = entry.id
            yield entry
          }
          after = entries.at(-1)?.id ?? last
        }
      const oldest = page.at(-1)
      if (!oldest) return
      before = oldest.last
    }
  } finally {
    await close()
  }
}
