import { describe, expect, test } from 'vitest'
import { driveModel } from '../../../test/support/driven/driven-model.ts'
import { FAMILIES } from '../../../test/support/driven/model-servers.ts'
import type { Reply } from '../../../test/support/models/reply.ts'

const TOO_LONG = {
  anthropic: { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' },
  openai: {
    status: 400,
    code: 'context_length_exceeded',
    message: "This model's maximum context length is 8192 tokens.",
  },
}

describe.each(FAMILIES)('a service of the %s family', (family) => {
  test('[O88] that limits the rate is waited for as long as it says, and the page is told', async () => {
    const limited = (headers: Record<string, string>): Reply => ({
      refuse: { status: 429, message: 'Slow down', code: 'rate_limit_error', headers },
    })
    const { agent, waits, notices, happenings, text } = await driveModel(family, [
      limited({ 'retry-after': '7' }),
      limited({ 'retry-after': new Date(90_000).toUTCString() }),
      limited({ 'retry-after-ms': '250' }),
      { say: ['Hello.'] },
    ])
    expect(await agent.prompt({ text: 'Hello' })).toMatchObject({ outcome: 'ended' })
    expect(waits).toEqual([7000, 90_000, 250])
    expect(notices()[0]).toBe('The service of the model says: Slow down; trying again in 7 s')
    expect(happenings.at(-1)).toEqual({ type: 'notice', text: '' })
    expect(text()).toEqual(['Hello.'])
  })

  test('[O88] that wants a wait of more than a quarter of an hour is not waited for', async () => {
    const refuse = { status: 429, message: 'Slow down', headers: { 'retry-after': '3600' } }
    const { agent, waits } = await driveModel(family, [{ refuse }])
    expect(await agent.prompt({ text: 'Hello' })).toMatchObject({
      outcome: 'failed',
      problem: 'The service of the model says: Slow down; try again later',
    })
    expect(waits).toEqual([])
  })

  test('[O88] that fails is tried again, each time after a longer wait, and at last given up', async () => {
    const failing: Reply = { refuse: { status: 529, message: 'Overloaded', code: 'overloaded_error' } }
    const { agent, waits, asked } = await driveModel(family, [
      failing,
      { say: ['Hello.'] },
      ...Array.from({ length: 6 }, () => failing),
      { say: ['Here again.'] },
    ])
    expect(await agent.prompt({ text: 'Hello' })).toMatchObject({ outcome: 'ended' })
    expect(await agent.prompt({ text: 'And?' })).toMatchObject({ outcome: 'failed', problem: /Overloaded; try again/ })
    expect(waits).toEqual([1000, 1000, 2000, 4000, 8000, 16_000])
    expect(await agent.prompt({ text: 'Now?' })).toMatchObject({ outcome: 'ended' })
    expect(JSON.stringify(asked.at(-1)?.body.messages)).toMatch(/Hello.*And\?.*Now\?/)
  })

  test('[O186] that repeats its key says it in no problem and no notice, wherever it stands', async () => {
    // As no secret looks otherwise.
    const apiKey = 'my own words'
    const long = `${'x'.repeat(490)} ${apiKey} and more`
    const { agent, notices } = await driveModel(
      family,
      [
        { refuse: { status: 400, message: `Who is ${apiKey}?` } },
        { refuse: { status: 400, message: long } },
        { refuse: { status: 529, message: `Overloaded by ${apiKey}`, code: 'overloaded_error' } },
        { say: ['Well'], fails: `No more for ${apiKey}` },
        { refuse: { status: 400, message: `Who is ${apiKey}?` } },
      ],
      { apiKey },
    )
    const problems: unknown[] = []
    for (const text of ['one', 'two', 'three']) problems.push((await agent.prompt({ text })).problem)
    expect(problems[0]).toBe('The service of the model says: Who is [masked]?')
    const told = JSON.stringify([problems, notices()])
    expect(told).toContain('Overloaded by ')
    expect(told).not.toMatch(/my own|my\b|own words/)
  })

  test('[O88] that refuses the key, has no such model or cannot be reached says what to do', async () => {
    const { agent } = await driveModel(family, [
      { refuse: { status: 401, message: 'invalid x-api-key' } },
      { refuse: { status: 404, message: 'model: scripted' } },
      { refuse: { status: 400, message: 'temperature: too hot' } },
    ])
    const key = `${family} refuses the key: check ${family.toUpperCase()}_API_KEY and run it again`
    expect(await agent.prompt({ text: 'Hello' })).toMatchObject({ outcome: 'failed', problem: key })
    const { problem } = await agent.prompt({ text: 'Hello' })
    expect(problem).toMatch(new RegExp(`^${family} has no model "scripted" at http`))
    expect(await agent.prompt({ text: 'Hello' })).toMatchObject({
      problem: 'The service of the model says: temperature: too hot',
    })

    const away = await driveModel(family, [], { baseUrl: 'http://127.0.0.1:1/v1' })
    const end = await away.agent.prompt({ text: 'Hello' })
    expect(end.problem).toMatch(
      new RegExp(`^${family} cannot be reached at http://127.0.0.1:1/v1 .*; try again later$`),
    )
  })

  test.each<Reply>([{ cut: 'broken' }, { cut: 'ended' }, { fails: 'Overloaded' }])(
    '[O89] what was said before a cut (%o) stays, and the rest is said behind it',
    async (cut) => {
      const { agent, asked, text, steps, posts, notices } = await driveModel(family, [
        { say: ['Good ', 'mor'], calls: [{ name: 'chat_assistant_post', input: { content: 'Never' } }], ...cut },
        { say: ['ning, ', 'every'], ...cut },
        { say: ['body.'] },
        { say: ['Bye.'] },
      ])
      expect(await agent.prompt({ text: 'Hello' })).toMatchObject({ outcome: 'ended' })
      expect(text()).toEqual(['Good morning, everybody.'])
      expect(posts()).toEqual([])
      expect(steps()).toEqual([])
      const problem = cut.fails ? 'The service of the model says: Overloaded' : 'The answer of the model was cut off'
      expect(notices()).toEqual([`${problem}; trying again in 1 s`, `${problem}; trying again in 2 s`])
      expect(JSON.stringify(asked[2]?.body.messages)).toMatch(
        /Hello.*Good morning, every.*Go on exactly where it stops/,
      )
      await agent.prompt({ text: 'Bye' })
      expect(JSON.stringify(asked[3]?.body.messages)).toMatch(/Hello.*Good morning, every.*body\..*Bye/)
    },
  )

  test('[O89] a model that begins anew behind a cut says nothing twice', async () => {
    const { agent, asked, text, thoughts } = await driveModel(family, [
      { think: ['Well, ', 'then.'], say: ['Good ', 'mor'], cut: 'broken' },
      { think: ['Well, ', 'then.'], say: ['Good ', 'mor', 'ning.'] },
      { say: ['Bye.'] },
    ])
    await agent.prompt({ text: 'Hello' })
    expect(text()).toEqual(['Good morning.'])
    expect(thoughts()).toEqual(['Well, then.'])
    await agent.prompt({ text: 'Bye' })
    expect(JSON.stringify(asked[2]?.body.messages).match(/Good mor/g)).toHaveLength(1)
  })

  test('[O89] what was said before a service is given up stays, and the model knows it', async () => {
    const { agent, asked, text } = await driveModel(family, [
      { say: ['Good mor'], cut: 'broken' },
      { refuse: { status: 400, message: 'No.' } },
      { say: ['Bye.'] },
    ])
    expect(await agent.prompt({ text: 'Hello' })).toMatchObject({ outcome: 'failed' })
    expect(text()).toEqual(['Good mor'])
    await agent.prompt({ text: 'Bye' })
    expect(JSON.stringify(asked[2]?.body.messages)).toMatch(/Hello.*Good mor.*Bye/)
  })

  test('[O90] a conversation that is too long for the model loses its oldest part, and the page is told', async () => {
    const turns = ['One', 'Two', 'Three', 'Four']
    const { agent, asked, notices, text } = await driveModel(family, [
      ...turns.map((turn) => ({ say: [`${turn}.`] })),
      { refuse: TOO_LONG[family] },
      { refuse: TOO_LONG[family] },
      { say: ['Five.'] },
    ])
    for (const turn of turns) await agent.prompt({ text: turn })
    expect(await agent.prompt({ text: 'Five' })).toMatchObject({ outcome: 'ended' })
    expect(text().at(-1)).toBe('Five.')
    const told = asked.map(({ body }) => JSON.stringify(body.messages))
    expect(told[4]).toContain('One')
    expect(told[5]).not.toContain('One')
    expect(told[6]?.length).toBeLessThan(told[5]?.length ?? 0)
    expect(told[6]).toContain('Five')
    expect(notices()).toContain(
      'The conversation is longer than the model can take in; it no longer knows the oldest part',
    )
  })

  test('[O90] a message that is too long for the model ends the turn with one sentence', async () => {
    const { agent } = await driveModel(family, [
      { refuse: TOO_LONG[family] },
      { refuse: { status: 413, message: 'No' } },
    ])
    const problem = 'This is more than the model can take in; say it shorter, or begin a new conversation'
    expect(await agent.prompt({ text: 'Very long' })).toMatchObject({ outcome: 'failed', problem })
  })

  test('[O91] an interruption ends the answer at once; what was said stays', async () => {
    const { agent, asked, happened, text } = await driveModel(family, [
      { say: ['Good mor'], hang: true },
      { say: ['Yes.'] },
    ])
    const end = agent.prompt({ text: 'Hello' })
    await happened(({ type }) => type === 'text')
    await agent.interrupt()
    expect(await end).toMatchObject({ outcome: 'cancelled' })
    await asked[0]?.closed
    expect(text()).toEqual(['Good mor'])
    expect(await agent.prompt({ text: 'Are you there?' })).toMatchObject({ outcome: 'ended' })
    expect(JSON.stringify(asked[1]?.body.messages)).toMatch(/Hello.*Good mor.*Are you there/)
  })

  test('[O91] an interruption ends a wait for the service', async () => {
    const { agent, happened, asked } = await driveModel(
      family,
      [{ refuse: { status: 429, message: 'Slow down', headers: { 'retry-after': '600' } } }],
      { wait: undefined },
    )
    const end = agent.prompt({ text: 'Hello' })
    await happened((happening) => happening.type === 'notice' && happening.text.includes('600 s'))
    await agent.interrupt()
    expect(await end).toMatchObject({ outcome: 'cancelled' })
    expect(asked).toHaveLength(1)
  })
})
