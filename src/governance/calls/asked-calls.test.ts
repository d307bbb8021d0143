import { expect, test } from 'vitest'
import { until } from '../../../test/support/chat.ts'
import { fullDisk, openGoverned, texts, WROTE } from '../../../test/support/policy/governor.ts'
import { StillOpen } from '../../chat/questions/waiters.ts'
import type { Ending, PolicyDecision } from '../../protocol/tools/gateway.ts'

const ONCE = { calls: { most: 1, ms: 3_600_000, each: 'hour' } }
const LIMITED: PolicyDecision = { decision: 'ask', rule: { id: 'once' }, limit: ONCE }

test('[G62] what a person changed runs, and the log has who allowed it and what ran', async () => {
  const opened = openGoverned({ decide: () => ({ decision: 'ask', rule: { id: 'ink' }, reason: 'Ink is dear' }) })
  const { govern, called, asked, person, tool, bodies } = opened
  const before = performance.now()
  const call = called({ title: 'Diary', folder: '/work', visit: 'v1', key: 'k', subject: { cwd: '/work/shop' } })
  const answer = govern(call)
  await person.allow(await asked(), '{"text":"two"}')
  expect(await answer).toBe(WROTE)
  const took = Math.ceil(performance.now() - before)
  expect([tool.ran, tool.ranAlone]).toEqual([[{ text: 'two' }], []])
  expect(await bodies('title')).toMatchObject([{ title: 'Diary', folder: '/work/shop' }])
  const [question] = await bodies('question')
  expect(question?.approval).toMatchObject({ reason: 'Ink is dear', fingerprint: 'as shown', server: 'diary' })
  const decided = { decision: 'allow', by: 'person' }
  const whose = { asker: 'local:agent', by: 'codex', folder: '/work', visit: 'v1' }
  const [begun] = await bodies('tool_call')
  expect(begun).toMatchObject({ ...whose, server: 'diary', tool: 'write', tool_name: 'diary_write', decided })
  expect(begun).toMatchObject({ tool_args: '{"text":"two"}', call_id: question?.approval?.call_id })
  const [result] = await bodies('tool_result')
  expect(result).toMatchObject({ success: true, decided, call_id: begun?.call_id })
  expect(result?.duration_ms).toBeLessThanOrEqual(took)
  expect(result).not.toHaveProperty('late')
  // Its line makes the call again, and it is the same.
  expect(await govern(called({ key: 'k', isRepeated: true }))).toEqual(WROTE)
  expect(tool.ran).toHaveLength(1)
})

test('[G62] a person who says no gives the reason, and nothing runs', async () => {
  const { govern, called, asked, person, tool, bodies } = openGoverned()
  const answer = govern(called())
  await person.deny(await asked(), 'Use a pencil')
  await expect(answer).rejects.toMatchObject({ code: 'call_denied', message: expect.stringContaining('Use a pencil') })
  expect([tool.ran, tool.ranAlone]).toEqual([[], []])
  const decided = { decision: 'deny_continue', by: 'person', reason: 'Use a pencil' }
  expect(await bodies('tool_call')).toMatchObject([{ tool_args: '{"text":"one"}', decided }])
  const [result] = await bodies('tool_result')
  expect(result).toMatchObject({ success: false, decided })
  expect(result).not.toHaveProperty('late')
  // Its caller knows.
  expect(await bodies('message')).toEqual([])
})

test('[Q92] a call that a stop takes away is denied with its words, and one that is withdrawn says so', async () => {
  const stopped = openGoverned()
  const withdrawn = openGoverned({ otherwise: () => ({ stopBehind: async () => undefined }) })
  for (const [{ govern, called, asked, person }, words] of [
    [stopped, 'Not today'],
    [withdrawn, 'it was withdrawn'],
  ] as const) {
    const call = govern(called())
    await asked()
    await person.interrupt('work', 'Not today')
    await expect(call).rejects.toMatchObject({ code: 'call_denied', message: expect.stringContaining(words) })
  }
})

test('[G63] who cannot wait longer is told that it is pending, and waits for the same card when it calls again', async () => {
  const { govern, called, asked, person, tool, bodies } = openGoverned()
  const pending = await govern(called({ waitMs: 1, visit: 'v1' }))
  const question = await asked()
  expect(pending.isError).toBe(true)
  expect(JSON.parse(texts(pending)[0] ?? '')).toMatchObject({ status: 'pending', question_id: question })
  await expect(govern(called({ waitMs: 1, visit: 'v1', isRequest: true }))).rejects.toMatchObject({
    code: 'call_undecided',
  })
  const before = tool.waited
  const again = [govern(called({ visit: 'v1' })), govern(called({ visit: 'v1' }))]
  await until(() => tool.waited === before + 2)
  await person.allow(question, undefined)
  expect(await Promise.all(again)).toEqual([WROTE, WROTE])
  expect([tool.ran.length, tool.ranAlone]).toEqual([1, []])
  expect(await bodies('question')).toHaveLength(1)
})

test('[G63] a card whose time cannot be ended is pending, and every other error is the caller’s', async () => {
  let error = new Error('Broken')
  const { govern, called, asked } = openGoverned({ otherwise: () => ({ outcome: () => Promise.reject(error) }) })
  await expect(govern(called())).rejects.toThrow('Broken')
  error = new StillOpen('still')
  const pending = await govern(called())
  expect(JSON.parse(texts(pending)[0] ?? '').question_id).toBe(await asked())
})

test('[G64] a caller that goes while its call runs is told, too', async () => {
  const { govern, called, asked, person, tool, bodies } = openGoverned()
  const gone = new AbortController()
  tool.answer = async () => {
    gone.abort()
    return WROTE
  }
  const answer = govern(called({ signal: gone.signal }))
  await person.allow(await asked(), undefined)
  await answer
  await until(async () => (await bodies('message')).length > 0)
  expect(tool.ran).toHaveLength(1)
})

test('[G69] [G173] a tool that changed since is asked about again, with what was allowed, and its caller waits on', async () => {
  const { govern, called, asked, person, tool, bodies } = openGoverned({ decide: () => LIMITED })
  const answer = govern(called())
  const first = await asked()
  tool.now = { fingerprint: 'newer' }
  await person.allow(first, '{"text":"two"}')
  const second = await asked(first)
  expect(tool.ran).toEqual([])
  expect(await bodies('tool_result')).toMatchObject([{ success: false }])
  expect((await bodies('tool_result'))[0]?.result).toMatch(/diary_write/)
  expect((await bodies('question'))[1]?.approval).toMatchObject({ input: '{"text":"two"}', fingerprint: 'newer' })
  await person.allow(second, undefined)
  expect(await answer).toBe(WROTE)
  expect(tool.ran).toEqual([{ text: 'two' }])
})

test('[G173] whoever waits on does so for as long as it said when it called', async () => {
  const { govern, called, asked, person, tool } = openGoverned()
  const answer = govern(called({ waitMs: 3_600_000, subject: { at: Date.now() - 3_600_001 } }))
  const first = await asked()
  tool.now = { fingerprint: 'newer' }
  await person.allow(first, undefined)
  const second = await asked(first)
  expect(JSON.parse(texts(await answer)[0] ?? '')).toMatchObject({ status: 'pending', question_id: second })
})

test('[G262] of two that a person allows only one has the last place', async () => {
  const { govern, called, asked, person, tool } = openGoverned({ decide: () => LIMITED })
  const one = govern(called())
  const first = await asked()
  const two = govern(called({ subject: { arguments: { text: 'two' } } }))
  const second = await asked(first)
  await person.allow(first, undefined)
  expect(await one).toBe(WROTE)
  await person.allow(second, undefined)
  await expect(two).rejects.toMatchObject({ code: 'calls_limited' })
  expect(tool.ran).toHaveLength(1)
})

test('[G135] a call whose beginning cannot be written does not run, and keeps its place', async () => {
  let isFull = true
  const { govern, called, asked, person, tool } = openGoverned({
    decide: () => LIMITED,
    otherwise: ({ begin }) => ({ begin: (...args) => (isFull ? fullDisk() : begin(...args)) }),
  })
  const answer = govern(called())
  await person.allow(await asked(), undefined)
  await expect(answer).rejects.toMatchObject({ code: 'disk_full' })
  expect([tool.ran, tool.ranAlone]).toEqual([[], []])
  isFull = false
  expect(await govern(called())).toBe(WROTE)
})

test('[G37] a call whose server wants to know something first is over when its caller has gone on with it', async () => {
  const { govern, called, asked, person, bodies } = openGoverned()
  const wanted = { resultType: 'input_required' }
  let goOn: (ending: Ending) => unknown = () => {}
  const call = called({
    async run(_, over) {
      goOn = over
      return wanted
    },
  })
  const answer = govern(call)
  await person.allow(await asked(), undefined)
  expect(await answer).toBe(wanted)
  expect(call.carried).toEqual([])
  expect(await bodies('tool_result')).toEqual([])
  await goOn({ result: WROTE })
  const [result] = await bodies('tool_result')
  expect(result).toMatchObject({ success: true })
  expect(result).not.toHaveProperty('late')
  expect(await bodies('receipt')).toHaveLength(1)
  expect(await bodies('message')).toEqual([])
})
