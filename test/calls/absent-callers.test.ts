import { expect, test } from 'vitest'
import { ParleyError } from '../../src/protocol/errors.ts'
import type { PolicyDecision } from '../../src/protocol/tools/gateway.ts'
import { until } from '../support/chat.ts'
import { callAndLeave, fullDisk, openGoverned, texts, WROTE } from '../support/policy/governor.ts'

const ONCE = { calls: { most: 1, ms: 3_600_000, each: 'hour' } }
const LIMITED: PolicyDecision = { decision: 'ask', rule: { id: 'once' }, limit: ONCE }
const SECRET = `ghp_${'a1B2'.repeat(9)}`

const arrive = ({ carried }: ReturnType<ReturnType<typeof openGoverned>['called']>) => {
  for (const { arrived } of carried) arrived()
}

test('[G63] after its answer the same call is another one', async () => {
  const { govern, called, asked, person } = openGoverned()
  const first = called()
  const answer = govern(first)
  const question = await asked()
  await person.allow(question, undefined)
  await answer
  expect(first.carried).toMatchObject([{ deliveredIds: { conversation: 'work', replies: [] } }])
  const second = govern(called())
  expect(await asked(question)).not.toBe(question)
  await person.deny(await asked(question), 'Enough')
  await expect(second).rejects.toThrow('Enough')
})

test('[G64] a call that is allowed when its caller has gone runs for nobody, and the next call is told, once', async () => {
  const opened = openGoverned()
  const { govern, called, person, tool, bodies, problems } = opened
  const question = await callAndLeave(opened)
  await person.allow(question, undefined)
  await until(async () => (await bodies('message')).length > 0)
  expect([tool.ran, tool.ranAlone]).toEqual([[], [{ text: 'one' }]])
  const [result] = await bodies('tool_result')
  expect(result).toMatchObject({ late: true, success: true, decided: { by: 'person' } })
  expect(result?.duration_ms).toBeLessThan(60_000)
  const other = called({ subject: { arguments: { text: 'two' } }, waitMs: 1 })
  const [, told] = texts(await govern(other))
  expect(told).toMatch(/earlier call of diary_write: person allowed it, and it was carried out. Wrote/)
  arrive(other)
  await until(async () => (await bodies('receipt')).length > 0)
  expect(texts(await govern(called({ subject: { arguments: { text: 'two' } }, waitMs: 1 })))).toHaveLength(1)
  expect(problems).toEqual([])
})

test('[G64] so it is where several waited for it, once the last has gone', async () => {
  const { govern, called, asked, person, tool, bodies } = openGoverned()
  const gone = new AbortController()
  const call = () => called({ visit: 'v1', signal: gone.signal })
  const first = govern(call())
  const question = await asked()
  const second = govern(call())
  await until(() => tool.waited === 2)
  gone.abort()
  await Promise.allSettled([first, second])
  await person.allow(question, undefined)
  await until(async () => (await bodies('message')).length > 0)
  expect([tool.ran, tool.ranAlone.length]).toEqual([[], 1])
})

test('[G64] while one of several still waits it runs for that one', async () => {
  const { govern, called, asked, person, tool, bodies } = openGoverned()
  const gone = new AbortController()
  const first = govern(called({ visit: 'v1' }))
  const question = await asked()
  const others = [1, 2].map(() => govern(called({ visit: 'v1', signal: gone.signal })))
  await until(() => tool.waited === 3)
  gone.abort()
  await Promise.allSettled(others)
  await person.allow(question, undefined)
  expect(await first).toBe(WROTE)
  expect([tool.ran.length, tool.ranAlone]).toEqual([1, []])
  expect(await bodies('message')).toEqual([])
})

test('[G64] so it is where it fails, or is denied', async () => {
  const opened = openGoverned()
  const { person, tool, bodies } = opened
  tool.answer = async () => {
    throw new Error('No ink')
  }
  await person.allow(await callAndLeave(opened), undefined)
  await until(async () => (await bodies('message')).length > 0)
  await person.deny(await callAndLeave(opened, { subject: { arguments: { text: 'two' } } }), 'No')
  await until(async () => (await bodies('message')).length > 1)
  expect(await bodies('tool_result')).toMatchObject([
    { late: true, success: false, result: 'No ink' },
    { late: true, success: false },
  ])
  expect((await bodies('message')).map(({ text }) => text)).toEqual([
    expect.stringContaining('it failed. No ink'),
    expect.stringContaining('No'),
  ])
  expect(tool.ranAlone).toHaveLength(1)
})

test('[G65] the very same call that is made while it runs for nobody gets its end, also where it fails', async () => {
  const opened = openGoverned()
  const { govern, called, person, tool, bodies } = opened
  const answered = Promise.withResolvers<typeof WROTE>()
  tool.answer = () => answered.promise
  await person.allow(await callAndLeave(opened), undefined)
  await until(() => tool.ranAlone.length > 0)
  const before = tool.waited
  const again = govern(called())
  await until(() => tool.waited > before)
  answered.reject(new Error('No ink'))
  await expect(again).rejects.toThrow('No ink')
  expect([tool.ran, tool.ranAlone.length]).toEqual([[], 1])
  expect((await bodies('tool_result'))[0]).not.toHaveProperty('late')
})

test('[G65] the very same call gets what came of it meanwhile, and is told nothing besides', async () => {
  const opened = openGoverned()
  const { govern, called, person, tool, bodies } = opened
  await person.allow(await callAndLeave(opened), undefined)
  await until(async () => (await bodies('message')).length > 0)
  const again = called()
  expect(await govern(again)).toEqual(WROTE)
  expect(again.carried).toHaveLength(1)
  arrive(again)
  await until(async () => (await bodies('receipt')).length > 0)
  expect(tool.ranAlone).toHaveLength(1)
})

test('[G173] so it is where its caller has gone, which is told of both', async () => {
  const opened = openGoverned()
  const { asked, person, tool, bodies } = opened
  const first = await callAndLeave(opened)
  tool.now = { fingerprint: 'newer' }
  await person.allow(first, undefined)
  const second = await asked(first)
  expect(tool.ranAlone).toEqual([])
  await person.allow(second, undefined)
  await until(async () => (await bodies('message')).length > 1)
  expect(tool.ranAlone).toEqual([{ text: 'one' }])
})

test.each([true, false])(
  '[G173] a tool that is gone by then does not run, and keeps its place (caller there: %s)',
  async (isThere) => {
    const opened = openGoverned({ decide: () => LIMITED })
    const { govern, called, asked, person, tool, bodies } = opened
    const shown = tool.now
    if (isThere) {
      const answer = govern(called())
      const question = await asked()
      tool.now = undefined
      await person.allow(question, undefined)
      await expect(answer).rejects.toMatchObject({ code: 'mount_down' })
    } else {
      const question = await callAndLeave(opened)
      tool.now = undefined
      await person.allow(question, undefined)
      await until(async () => (await bodies('message')).length > 0)
    }
    expect((await bodies('tool_result'))[0]?.result).toMatch(/no tool write now/)
    expect([tool.ran, tool.ranAlone]).toEqual([[], []])
    tool.now = shown
    const other = govern(called({ subject: { arguments: { text: 'two' } } }))
    await person.allow(await asked(), undefined)
    await other
    expect(tool.ran).toHaveLength(1)
  },
)

test('[G265] [G266] a call that nobody waits for has its time, and what it brings is held to its limit', async () => {
  const opened = openGoverned({ decide: () => ({ decision: 'ask', limit: { time: 3_600_000, result: 10 } }) })
  const { person, tool, bodies } = opened
  let given: AbortSignal | undefined
  tool.answer = async (_, expiry) => {
    given = expiry
    return WROTE
  }
  await person.allow(await callAndLeave(opened), undefined)
  await until(async () => (await bodies('message')).length > 0)
  expect(given?.aborted).toBe(false)
  expect(await bodies('tool_result')).toMatchObject([{ success: false, result: expect.stringContaining('10 bytes') }])
})

test('[G265] [G266] so is one whose caller waited for a person', async () => {
  const limit = { time: 3_600_000, result: 10 }
  const { govern, called, asked, person, tool } = openGoverned({ decide: () => ({ decision: 'ask', limit }) })
  let given: AbortSignal | undefined
  tool.answer = async (_, expiry) => {
    given = expiry
    return WROTE
  }
  const answer = govern(called())
  await person.allow(await asked(), undefined)
  await expect(answer).rejects.toMatchObject({ code: 'result_limited' })
  expect(given?.aborted).toBe(false)
})

test('[G67] what is allowed while there is no hub runs at the next, and what was decided is told there', async () => {
  const first = openGoverned()
  const question = await callAndLeave(first)
  await first.close()
  await first.person.allow(question, '{"text":"two"}')
  const { tool, bodies } = openGoverned({ log: first.log })
  await until(async () => (await bodies('message')).length > 0)
  expect([first.tool.ranAlone, tool.ranAlone]).toEqual([[], [{ text: 'two' }]])
  expect(await bodies('tool_result')).toMatchObject([{ late: true, decided: { by: 'person' } }])
})

test('[S116] a call whose secrets are gone by then does not run', async () => {
  const first = openGoverned()
  const question = await callAndLeave(first, { subject: { arguments: { text: SECRET } } })
  await first.close()
  await first.person.allow(question, undefined)
  const { tool, bodies } = openGoverned({ log: first.log })
  await until(async () => (await bodies('message')).length > 0)
  expect([first.tool.ranAlone, tool.ranAlone]).toEqual([[], []])
  expect((await bodies('tool_result'))[0]).toMatchObject({ success: false, late: true })
  expect((await bodies('tool_result'))[0]?.result).toBe(new ParleyError('secret_gone').message)
  expect(JSON.stringify(await bodies('tool_call'))).not.toContain(SECRET)
})

test('[S116] a call that is allowed at the next hub runs with what is masked on its card', async () => {
  const first = openGoverned()
  const question = await callAndLeave(first, { subject: { arguments: { text: SECRET } } })
  await first.close()
  await first.person.allow(question, undefined)
  const { clearInput } = first.chat.mountedCalls
  const { tool, bodies } = openGoverned({ log: first.log, otherwise: () => ({ clearInput }) })
  await until(async () => (await bodies('message')).length > 0)
  expect(tool.ranAlone).toEqual([{ text: SECRET }])
})

test('[G71] a call that ran when its hub ended is in doubt, and its caller is told', async () => {
  const first = openGoverned()
  const ended = Promise.withResolvers<typeof WROTE>()
  first.tool.answer = () => ended.promise
  const running = first.govern(first.called())
  await first.person.allow(await first.asked(), undefined)
  await until(() => first.tool.ran.length > 0)
  const { bodies, tool } = openGoverned({ log: first.log })
  await until(async () => (await bodies('message')).length > 0)
  const [result] = await bodies('tool_result')
  expect(result).toMatchObject({ success: false, late: true, duration_ms: 0, by: 'codex', server: 'diary' })
  expect(result?.result).toContain('Whether diary_write ran is unknown')
  expect([tool.ran, tool.ranAlone]).toEqual([[], []])
  ended.resolve(WROTE)
  await running
})

test('[G197] a hub that ends waits for what runs', async () => {
  const opened = openGoverned()
  const { person, tool, bodies, close } = opened
  const question = await callAndLeave(opened)
  const answered = Promise.withResolvers<typeof WROTE>()
  tool.answer = () => answered.promise
  await person.allow(question, undefined)
  await until(() => tool.ranAlone.length > 0)
  const closed = close()
  answered.resolve(WROTE)
  await closed
  expect(await bodies('message')).toHaveLength(1)
})

test('[G197] a hub that ends has told what was denied, too', async () => {
  const opened = openGoverned()
  const { person, bodies, close } = opened
  await person.deny(await callAndLeave(opened), 'No')
  await close()
  expect(await bodies('message')).toHaveLength(1)
})

test('[G64] an answer that is no tool’s takes nothing along', async () => {
  const opened = openGoverned({ decide: ({ tool }) => ({ decision: tool === 'write' ? 'ask' : 'allow' }) })
  const { govern, called, person, bodies } = opened
  await person.allow(await callAndLeave(opened), undefined)
  await until(async () => (await bodies('message')).length > 0)
  const reading = { subject: { tool: 'read' } }
  const request = called({ ...reading, isRequest: true })
  expect(texts(await govern(request))).toEqual(['Wrote'])
  expect(request.carried).toEqual([])
  expect(texts(await govern(called(reading)))).toHaveLength(2)
})

test('[G195] what a call brought is its caller’s while it cannot be written, also when it calls again', async () => {
  const { govern, called, asked, person, tool, bodies } = openGoverned({ otherwise: () => ({ end: fullDisk }) })
  const first = called()
  const answer = govern(first)
  await person.allow(await asked(), undefined)
  expect(await answer).toBe(WROTE)
  expect(first.carried).toHaveLength(1)
  first.carried[0]?.returned()
  const again = called()
  expect(await govern(again)).toBe(WROTE)
  expect(again.carried).toHaveLength(1)
  expect(tool.ran).toHaveLength(1)
  expect(await bodies('tool_result')).toEqual([])
})
