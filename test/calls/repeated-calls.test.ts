import { expect, test } from 'vitest'
import { until } from '../support/chat.ts'
import { fullDisk, openGoverned, WROTE } from '../support/policy/governor.ts'

const ALLOW = { decision: 'allow', rule: { id: 'pen' }, reason: 'as ever' } as const

test('[G72] a call that is made again while it runs runs once; who only knows its key has made another', async () => {
  const { govern, called, tool } = openGoverned({ decide: () => ALLOW })
  const answered = Promise.withResolvers<typeof WROTE>()
  tool.answer = () => answered.promise
  const first = govern(called({ key: 'k' }))
  await until(() => tool.ran.length > 0)
  const again = govern(called({ key: 'k', isRepeated: true }))
  const others = [{ principal: 'bot' }, { conversation: 'other' }].map((subject) =>
    govern(called({ key: 'k', isRepeated: true, subject })),
  )
  await until(() => tool.ran.length === 3)
  answered.resolve(WROTE)
  expect(await Promise.all([first, again, ...others])).toEqual(Array(4).fill(WROTE))
  expect(tool.ran).toHaveLength(3)
})

test('[G72] a call that is made again once it is over gets what was kept of it, for as long as it is kept', async () => {
  const { govern, called, tool, close } = openGoverned({ decide: () => ALLOW })
  const first = await govern(called({ key: 'k' }))
  await close()
  const again = await govern(called({ key: 'k', isRepeated: true }))
  expect(again).toEqual(first)
  expect(again).not.toBe(first)
  expect(await govern(called({ key: 'k', isRepeated: true, isGone: true }))).toEqual(first)
  expect(tool.ran).toHaveLength(1)
  expect(await govern(called({ key: 'other', isRepeated: true }))).toEqual(first)
  await expect(govern(called({ key: 'gone', isRepeated: true, isGone: true }))).rejects.toMatchObject({
    code: 'unknown_tool',
    message: expect.stringContaining('diary_write'),
  })
  expect(tool.ran).toHaveLength(2)
})

test('[G72] one that failed says so once it is over, and one that was denied is denied again', async () => {
  let decision: 'allow' | 'deny_continue' = 'allow'
  const { govern, called, tool, close } = openGoverned({ decide: () => ({ decision }) })
  tool.answer = async () => {
    throw new Error('No ink')
  }
  await expect(govern(called({ key: 'k' }))).rejects.toThrow('No ink')
  await close()
  expect(await govern(called({ key: 'k', isRepeated: true }))).toMatchObject({
    isError: true,
    content: [{ text: 'No ink' }],
  })
  decision = 'deny_continue'
  await expect(govern(called({ key: 'no' }))).rejects.toMatchObject({ code: 'call_denied' })
  decision = 'allow'
  await expect(govern(called({ key: 'no', isRepeated: true }))).rejects.toMatchObject({ code: 'call_denied' })
})

test('[G72] a call whose end nobody could write down is in doubt, for its caller alone', async () => {
  const broken = new Error('Not this entry')
  const { govern, called, tool, problems } = openGoverned({
    decide: () => ALLOW,
    otherwise: () => ({ end: () => Promise.reject(broken) }),
  })
  await govern(called({ key: 'k' }))
  await until(() => problems.length > 0)
  await expect(govern(called({ key: 'k', isRepeated: true }))).rejects.toMatchObject({
    code: 'call_in_doubt',
    message: expect.stringContaining('diary_write'),
  })
  expect([tool.ran.length, problems]).toEqual([1, [broken]])
  expect(await govern(called({ key: 'k', isRepeated: true, subject: { principal: 'bot' } }))).toBe(WROTE)
})

test('[G71] what had begun at a hub before this one is in doubt', async () => {
  const first = openGoverned({ decide: () => ALLOW })
  const ended = Promise.withResolvers<typeof WROTE>()
  first.tool.answer = () => ended.promise
  const running = first.govern(first.called({ key: 'k' }))
  await until(() => first.tool.ran.length > 0)
  const { govern, called, tool, bodies } = openGoverned({ decide: () => ALLOW, log: first.log })
  expect(await govern(called({ key: 'k', isRepeated: true }))).toMatchObject({ isError: true })
  expect(tool.ran).toEqual([])
  const [result] = await bodies('tool_result')
  expect(result).toMatchObject({
    ...{ success: false, duration_ms: 0, server: 'diary', by: 'codex', tool_name: 'diary_write', decided: ALLOW },
    result: expect.stringContaining('Whether diary_write ran is unknown'),
  })
  expect(result).not.toHaveProperty('late')
  ended.resolve(WROTE)
  await running
})

test('[G72] a result that is not yet written is there for the call that is made again', async () => {
  const { govern, called, tool } = openGoverned({ decide: () => ALLOW, otherwise: () => ({ end: fullDisk }) })
  expect(await govern(called({ key: 'k' }))).toBe(WROTE)
  expect(await govern(called({ key: 'k', isRepeated: true }))).toBe(WROTE)
  expect(tool.ran).toHaveLength(1)
})

test('[G72] a call that a person was asked about and that is made again while it runs runs once', async () => {
  const { govern, called, asked, person, tool } = openGoverned()
  const answered = Promise.withResolvers<typeof WROTE>()
  tool.answer = () => answered.promise
  const first = govern(called({ key: 'k' }))
  await person.allow(await asked(), undefined)
  await until(() => tool.ran.length > 0)
  const again = govern(called({ key: 'k', isRepeated: true }))
  await until(() => tool.waited > 1)
  answered.resolve(WROTE)
  expect(await Promise.all([first, again])).toEqual([WROTE, WROTE])
  expect([tool.ran.length, tool.ranAlone]).toEqual([1, []])
})
