import { expect, test } from 'vitest'
import { until } from '../../../test/support/chat.ts'
import { fullDisk, openGoverned, WROTE } from '../../../test/support/policy/governor.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { PolicyDecision, ToolNow } from '../../protocol/tools/gateway.ts'

const RULE = { id: 'pen', note: 'It is only a diary' }
const ALLOW = { decision: 'allow', rule: RULE, reason: 'as ever' } as const
const ONCE = { calls: { most: 1, ms: 3_600_000, each: 'hour' } }
const READS = { fingerprint: 'as shown', annotations: { readOnlyHint: true } }
const CHANGED = { fingerprint: 'another' }

/** Hears what decided. */
function counted() {
  const heard: unknown[] = []
  return { heard, counts: { ruled: (verdict: PolicyDecision) => void heard.push(verdict.decision), granted: told } }

  function told(since: string) {
    heard.push(since)
  }
}

/** What the tool is, one look after the other. */
function looks(...then: (ToolNow | undefined)[]) {
  let look = 0
  return async () => then[look++]
}

test('[G60] a call that a rule allows is in the log with all that it is, before and after it ran', async () => {
  const { heard, counts } = counted()
  const { govern, called, tool, bodies, close } = openGoverned({ decide: () => ALLOW, counts })
  const before = performance.now()
  const call = called({ folder: '/work', visit: 'v1', title: 'Diary', subject: { cwd: '/work/shop' } })
  expect(await govern(call)).toBe(WROTE)
  await close()
  const took = Math.ceil(performance.now() - before)
  expect([tool.ran, heard]).toEqual([[{ text: 'one' }], ['allow']])
  const decided = { decision: 'allow', rule: RULE, reason: 'as ever' }
  const [begun] = await bodies('tool_call')
  expect(begun).toMatchObject({
    ...{ tool_name: 'diary_write', server: 'diary', tool: 'write', tool_args: '{"text":"one"}', decided },
    ...{ asker: 'local:agent', by: 'codex', folder: '/work', visit: 'v1', call_id: expect.stringMatching(/.{36}/) },
  })
  const [ended] = await bodies('tool_result')
  expect(ended).toMatchObject({ call_id: begun?.call_id, success: true, result: 'Wrote', decided })
  expect(ended?.duration_ms).toBeLessThanOrEqual(took)
  expect(ended).not.toHaveProperty('late')
  expect(await bodies('title')).toMatchObject([{ title: 'Diary', folder: '/work/shop' }])
})

test('[G60] where no rule is about a call none is named, and no reason', async () => {
  const { govern, called, bodies } = openGoverned({ decide: () => ({ decision: 'allow', reason: 'no rule' }) })
  await govern(called())
  expect((await bodies('tool_call'))[0]?.decided).toEqual({ decision: 'allow' })
})

test('[G61] a denied call is written down as such, also of a tool that has changed', async () => {
  const decide = () => ({ decision: 'deny_abort', rule: RULE }) as const
  const { heard, counts } = counted()
  const { govern, called, tool, toolPins, bodies } = openGoverned({ decide, counts })
  toolPins.pin({ server: 'diary', tool: 'write', fingerprint: 'before' })
  await expect(govern(called())).rejects.toMatchObject({ code: 'call_aborted' })
  expect([tool.ran, heard]).toEqual([[], ['deny_abort']])
  expect(await bodies('tool_call')).toMatchObject([{ decided: decide(), tool_args: '{"text":"one"}' }])
  const [result] = await bodies('tool_result')
  expect(result).toMatchObject({ decided: decide(), success: false, duration_ms: 0 })
  expect(result).not.toHaveProperty('late')
})

test('[G68] a tool that is another than when it was allowed is asked about, whatever a rule says', async () => {
  const { govern, called, toolPins, bodies, asked, person } = openGoverned({ decide: () => ALLOW })
  toolPins.pin({ server: 'diary', tool: 'write', fingerprint: 'before' })
  const answer = govern(called())
  await person.allow(await asked(), undefined)
  expect(await answer).toBe(WROTE)
  expect((await bodies('question'))[0]?.approval).toMatchObject({ tool_changed: true })
  // It was allowed as it is now.
  expect(await govern(called())).toBe(WROTE)
})

test('[G68] so is one that only a rule ever allowed', async () => {
  const { govern, called, tool, asked, person } = openGoverned({ decide: () => ALLOW })
  await govern(called())
  tool.now = CHANGED
  const again = govern(called())
  await person.deny(await asked(), 'Not this one')
  await expect(again).rejects.toThrow('Not this one')
  expect(tool.ran).toHaveLength(1)
})

test('[G69] a call of a tool that is gone, or became another one since it was listed, is of what is there', async () => {
  const { govern, called, tool, bodies } = openGoverned({ decide: ({ annotations }) => decided(annotations) })
  tool.now = { fingerprint: 'newer', annotations: { title: 'Pen' } }
  expect(await govern(called())).toBe(WROTE)
  tool.now = undefined
  await expect(govern(called())).rejects.toMatchObject({ code: 'mount_down' })
  expect(await bodies('tool_call')).toHaveLength(1)

  function decided(annotations: ToolNow['annotations']): PolicyDecision {
    return { decision: annotations?.title === 'Pen' ? 'allow' : 'deny_continue' }
  }
})

test('[G174] a tool that changes while its call is written down is asked about, and keeps its place', async () => {
  const { govern, called, tool, bodies, asked, person } = openGoverned({ decide: () => ({ ...ALLOW, limit: ONCE }) })
  const answer = govern(called({ now: looks(tool.now, CHANGED, CHANGED) }))
  const question = await asked()
  expect(tool.ran).toEqual([])
  expect(await bodies('tool_result')).toMatchObject([{ success: false, duration_ms: 0 }])
  expect((await bodies('tool_result'))[0]?.result).toMatch(/diary_write/)
  await person.allow(question, undefined)
  expect(await answer).toBe(WROTE)
  await expect(govern(called())).rejects.toMatchObject({ code: 'calls_limited' })
})

test('[G174] where it is gone by then nobody is asked', async () => {
  const { govern, called, tool, bodies } = openGoverned({ decide: () => ALLOW })
  await expect(govern(called({ now: looks(tool.now) }))).rejects.toMatchObject({ code: 'mount_down' })
  expect(tool.ran).toEqual([])
  expect((await bodies('tool_result'))[0]?.result).toMatch(/no tool write now/)
  expect(await bodies('question')).toEqual([])
})

test('[G135] what changes something runs when its beginning is durable, and what only reads meanwhile', async () => {
  const writing = Promise.withResolvers<void>()
  const { govern, called, tool } = openGoverned({
    decide: () => ALLOW,
    otherwise: ({ begin }) => ({ begin: (...args) => writing.promise.then(() => begin(...args)) }),
  })
  const writes = govern(called())
  const reads = govern(called({ now: async () => READS, subject: { arguments: { text: 'two' } } }))
  await until(() => tool.ran.length > 0)
  expect(tool.ran).toEqual([{ text: 'two' }])
  writing.resolve()
  expect(await Promise.all([writes, reads])).toEqual([WROTE, WROTE])
  expect(tool.ran).toHaveLength(2)
})

test('[G263] a call that could not be written down takes no place', async () => {
  let isFull = true
  const { govern, called, tool } = openGoverned({
    decide: () => ({ ...ALLOW, limit: ONCE }),
    otherwise: ({ begin }) => ({ begin: (...args) => (isFull ? fullDisk() : begin(...args)) }),
  })
  await expect(govern(called())).rejects.toMatchObject({ code: 'disk_full' })
  expect(tool.ran).toEqual([])
  isFull = false
  expect(await govern(called())).toBe(WROTE)
  await expect(govern(called())).rejects.toMatchObject({ code: 'calls_limited' })
})

test('[G262] a call that ran and could not be written down has its place all the same', async () => {
  const written = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let begun = 0
  const { govern, called, tool } = openGoverned({
    decide: () => ({ ...ALLOW, limit: ONCE }),
    otherwise: () => ({ begin: async () => written[begun++]?.promise, end: async () => {} }),
  })
  tool.now = READS
  const read = govern(called())
  await until(() => tool.ran.length > 0)
  written[0]?.reject(new ParleyError('disk_full'))
  await expect(read).rejects.toMatchObject({ code: 'disk_full' })
  written[1]?.resolve()
  await expect(govern(called())).rejects.toMatchObject({ code: 'calls_limited' })
})

test.each([
  ['is another one by then', { now: () => looks(READS, CHANGED) }],
  ['is not wanted by then', { now: () => looks(READS, READS), signal: AbortSignal.abort() }],
])(
  '[G60] of a call that only reads and %s nothing is said before its beginning is written',
  async (_, { now, ...more }) => {
    const ended: unknown[] = []
    const { govern, called, tool } = openGoverned({
      decide: () => ({ ...ALLOW, limit: ONCE }),
      otherwise: () => ({ begin: fullDisk, end: async (...args) => void ended.push(args) }),
    })
    await expect(govern(called({ ...more, now: now() }))).rejects.toMatchObject({ code: 'disk_full' })
    expect([ended, tool.ran]).toEqual([[], []])
  },
)

test('[G263] a call that is given up before it runs takes no place, and is written down as such', async () => {
  const { govern, called, tool, bodies } = openGoverned({ decide: () => ({ ...ALLOW, limit: ONCE }) })
  const gone = AbortSignal.abort()
  await expect(govern(called({ signal: gone }))).rejects.toThrow('The call was cancelled')
  expect(tool.ran).toEqual([])
  expect(await bodies('tool_result')).toMatchObject([{ result: 'The call was cancelled', duration_ms: 0 }])
  expect(await govern(called())).toBe(WROTE)
})

test('[G261] a call over its limit is refused and written down, whether a rule allows it or asks', async () => {
  let decision: 'allow' | 'ask' = 'allow'
  const { govern, called, tool, bodies } = openGoverned({ decide: () => ({ ...ALLOW, decision, limit: ONCE }) })
  await govern(called())
  for (decision of ['allow', 'ask'] as const)
    await expect(govern(called())).rejects.toMatchObject({ code: 'calls_limited' })
  expect(tool.ran).toHaveLength(1)
  const [, ...refused] = await bodies('tool_result')
  expect(refused).toMatchObject(Array(2).fill({ success: false, decided: { decision: 'deny_continue', rule: RULE } }))
  expect(refused.some((one) => 'late' in one)).toBe(false)
  expect(await bodies('question')).toEqual([])
})

test('[G266] the time of a call begins when it runs, and what it brings is held to its limit', async () => {
  const limit = { time: 3_600_000, result: 10 }
  const { govern, called, tool, bodies, close } = openGoverned({ decide: () => ({ ...ALLOW, limit }) })
  let given: AbortSignal | undefined
  tool.answer = async (_, expiry) => {
    given = expiry
    return WROTE
  }
  await expect(govern(called())).rejects.toMatchObject({ code: 'result_limited' })
  expect(given?.aborted).toBe(false)
  await close()
  expect(await bodies('tool_call')).toHaveLength(1)
})

test('[G170] what is always allowed runs at once, and the log says by whom', async () => {
  const { heard, counts } = counted()
  const { govern, called, asked, person, chat, bodies } = openGoverned({ counts })
  const first = govern(called())
  await person.allowAlways(await asked(), undefined)
  await first
  const [grant] = await chat.standing.grants()
  heard.length = 0
  expect(await govern(called({ subject: { arguments: { text: 'two' } } }))).toBe(WROTE)
  expect(heard).toEqual(['ask', grant?.since])
  expect((await bodies('tool_call')).at(-1)?.decided).toEqual({ decision: 'allow', by: 'person', always: true })
  expect(await bodies('question')).toHaveLength(1)
})

test('[G155] before a call runs that a person allowed the rules are asked again, and their limits hold', async () => {
  let verdict: PolicyDecision = { decision: 'ask' }
  const { heard, counts } = counted()
  const at: number[] = []
  const { govern, called, tool, asked, person, bodies } = openGoverned({
    counts,
    decide(subject) {
      at.push(subject.at)
      return verdict
    },
  })
  const denied = govern(called({ subject: { at: 1 } }))
  const first = await asked()
  verdict = { decision: 'deny_continue', rule: RULE }
  await person.allow(first, undefined)
  await expect(denied).rejects.toMatchObject({ code: 'call_denied', message: expect.stringContaining('pen') })
  expect(heard).toEqual(['ask', 'deny_continue'])
  expect(at[1]).toBeGreaterThan(1)
  verdict = { decision: 'ask' }
  const limited = govern(called())
  const second = await asked(first)
  verdict = { ...ALLOW, limit: { arguments: 3 } }
  await person.allow(second, undefined)
  await expect(limited).rejects.toMatchObject({ code: 'arguments_limited' })
  expect(tool.ran).toEqual([])
  expect((await bodies('tool_result')).map(({ decided }) => decided?.rule)).toEqual([RULE, RULE])
  expect(heard).toEqual(['ask', 'deny_continue', 'ask'])
})

test('[G67] what goes wrong while a hub begins is reported, except that it ends', async () => {
  const { problems, toolPins } = openGoverned()
  const failing = (error: Error) => {
    const ready = Promise.reject(error)
    const { govern, called } = openGoverned({ toolPins: { ...toolPins, ready }, report: (one) => problems.push(one) })
    return expect(govern(called())).rejects.toBe(error)
  }
  const broken = new Error('No notes')
  await failing(new ParleyError('shutting_down'))
  await failing(broken)
  expect(problems).toEqual([broken])
})

test('[G60] a hub that ends waits for what runs, and writes down how it ended', async () => {
  const written = Promise.withResolvers<void>()
  const { govern, called, bodies, close } = openGoverned({
    decide: () => ALLOW,
    otherwise: ({ end }) => ({ end: (...args) => written.promise.then(() => end(...args)) }),
  })
  await govern(called())
  const closed = close()
  expect(await bodies('tool_result')).toEqual([])
  written.resolve()
  await closed
  expect(await bodies('tool_result')).toHaveLength(1)
})
