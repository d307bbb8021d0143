import { describe, expect, test } from 'vitest'
import { driveModel } from '../../../test/support/driven/driven-model.ts'
import { FAMILIES } from '../../../test/support/driven/model-servers.ts'

describe.each(FAMILIES)('a model of the %s family', (family) => {
  test('[O81] its plain text is said as it comes and its reasoning are thoughts', async () => {
    const { agent, happenings, text, thoughts } = await driveModel(family, [
      { think: ['Let me ', 'see.'], say: ['Good ', 'morning.'], tokens: { input: 12, output: 7 } },
    ])
    const end = await agent.prompt({ text: 'Hello' })
    expect(end).toEqual({ outcome: 'ended', tokens: { input: 12, output: 7 } })
    expect(thoughts()).toEqual(['Let me see.'])
    expect(text()).toEqual(['Good morning.'])
    expect(happenings.filter(({ type }) => type === 'text')).toHaveLength(2)
  })

  test('[O81] it is told what was said before, its images and what it is about', async () => {
    const { agent, asked } = await driveModel(family, [{ say: ['One.'] }, { say: ['Two.'] }], {
      instructions: 'Be brief.',
    })
    await agent.prompt({ text: 'First' })
    await agent.prompt({ text: 'Second', images: [{ mime: 'image/png', base64: 'aWNvbg==', name: 'icon.png' }] })
    const told = JSON.stringify(asked[1]?.body)
    expect(told).toMatch(/Be brief\..*First.*One\..*Second|First.*One\..*Second.*Be brief\./)
    expect(told).toContain('aWNvbg==')
  })

  test('[O82] what it posts is said, and yield_turn ends its turn', async () => {
    const { agent, asked, happenings, posts } = await driveModel(family, [
      {
        calls: [
          { name: 'chat_assistant_post', input: { mime: 'text/plain', content: 'Deploying.' } },
          { name: 'chat_assistant_post', input: { content: 'Done.' } },
          { name: 'yield_turn', input: {} },
        ],
      },
    ])
    expect(await agent.prompt({ text: 'Deploy now?' })).toMatchObject({ outcome: 'ended' })
    expect(posts()).toEqual(['Deploying.', 'Done.'])
    expect(happenings.filter(({ type }) => type !== 'notice').at(-1)).toEqual({ type: 'yield' })
    expect(asked).toHaveLength(1)
    expect(JSON.stringify(asked[0]?.body.tools)).toMatch(/chat_assistant_post.*yield_turn/)
  })

  test('[O82] it goes on behind what it posts until it yields, and is told what it posts wrongly', async () => {
    const { agent, asked, posts } = await driveModel(family, [
      {
        calls: [
          { name: 'chat_assistant_post', input: { content: '' } },
          { name: 'yield_turn', input: {} },
        ],
      },
      { calls: [{ name: 'chat_assistant_post', input: { content: 'Hello', mime: 'no type' } }] },
      { calls: [{ name: 'chat_assistant_post', input: { content: { rows: 2 }, mime: 'application/json' } }] },
      { calls: [{ name: 'yield_turn', input: '' }] },
    ])
    await agent.prompt({ text: 'Hello' })
    expect(posts()).toEqual([{ rows: 2 }])
    expect(JSON.stringify(asked[1]?.body.messages)).toContain('content must not be empty')
    expect(JSON.stringify(asked[2]?.body.messages)).toContain('mime must be a media type')
  })

  test('[O83] with strict chat only what it posts is said, and plain text counts as thinking', async () => {
    const script = [{ say: ['I will post.'], calls: [{ name: 'chat_assistant_post', input: { content: 'Hi.' } }] }]
    const { agent, text, thoughts, posts } = await driveModel(family, [...script, { say: ['Done.'] }], {
      strictChat: true,
    })
    expect(await agent.prompt({ text: 'Hello' })).toMatchObject({ outcome: 'ended' })
    expect(text()).toEqual([])
    expect(thoughts()[0]).toBe('I will post.')
    expect(posts()).toEqual(['Hi.'])
  })

  test('[O83] with strict chat a model that has posted nothing is told so once', async () => {
    const { agent, asked, posts } = await driveModel(
      family,
      [
        { say: ['Hello!'] },
        { calls: [{ name: 'chat_assistant_post', input: { content: 'Hello!' } }] },
        { say: ['Bye'] },
      ],
      { strictChat: true },
    )
    await agent.prompt({ text: 'Hello' })
    expect(posts()).toEqual(['Hello!'])
    expect(asked).toHaveLength(3)
    expect(JSON.stringify(asked[1]?.body.messages)).toContain('Nobody has seen what you wrote')
  })

  test('[O83] with strict chat a model that is told so and still posts nothing has ended its turn', async () => {
    const { agent, asked, thoughts } = await driveModel(family, [{ say: ['Hm.'] }, { say: ['No.'] }], {
      strictChat: true,
    })
    expect(await agent.prompt({ text: 'Hello' })).toMatchObject({ outcome: 'ended' })
    expect(thoughts()).toEqual(['Hm.', 'No.'])
    expect(asked).toHaveLength(2)
  })

  test.each(['ui_end_turn', 'end_turn', 'loop_yield_turn'])(
    '[O84] ui_send_message and %s still work',
    async (ending) => {
      const calls = [
        { name: 'ui_send_message', input: { mime: 'text/markdown', content: 'Acknowledged.' } },
        { name: ending, input: {} },
      ]
      const instructions = `Say it with ui_send_message, then call ${ending}.`
      const told = await driveModel(family, [{ calls }], { instructions })
      await told.agent.prompt({ text: 'Deploy now?' })
      expect(told.posts()).toEqual(['Acknowledged.'])
      expect(told.asked).toHaveLength(1)
      expect(JSON.stringify(told.asked[0]?.body.tools)).toMatch(new RegExp(`ui_send_message.*"${ending}"`))

      const untold = await driveModel(family, [{ calls }])
      await untold.agent.prompt({ text: 'Deploy now?' })
      expect(untold.posts()).toEqual(['Acknowledged.'])
      expect(JSON.stringify(untold.asked[0]?.body.tools)).not.toContain('ui_send_message')
    },
  )

  test('[O93] what is said during a turn is told with the next step, and the turn goes on for it', async () => {
    const { agent, asked, requests, text } = await driveModel(family, [{ say: ['One.'] }, { say: ['Two.'] }])
    const end = agent.prompt({ text: 'Count' })
    await requests(1)
    expect(await agent.steer?.({ text: 'Go on' })).toBe(true)
    await end
    expect(text()).toEqual(['One.', 'Two.'])
    expect(JSON.stringify(asked[1]?.body.messages)).toMatch(/Count.*One\..*Go on/)
    expect(await agent.steer?.({ text: 'Too late' })).toBe(false)
  })

  test('[O81] an answer that is refused or too long for the model says so', async () => {
    const { agent } = await driveModel(family, [
      { say: ['No.'], finish: 'refusal' },
      { say: ['And so'], finish: 'length' },
    ])
    expect(await agent.prompt({ text: 'Hello' })).toMatchObject({ outcome: 'refused' })
    expect(await agent.prompt({ text: 'Tell' })).toMatchObject({
      outcome: 'failed',
      problem: 'The answer is longer than the model may give at once; ask it to go on',
    })
  })
})
