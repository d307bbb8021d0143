import { expect, test } from 'vitest'
import { aFolder, drivenAgent } from '../../../test/support/driven/driven-agent.ts'

test.for([
  { nature: {}, method: 'session/load' },
  { nature: { resume: true }, method: 'session/resume' },
])('[O73] a session goes on with $method, and nothing of it is shown again', async ({ nature, method }) => {
  const folder = aFolder()
  const first = await drivenAgent({ folder, nature })
  expect(first.session.remembers).toBe(false)
  await first.prompt('remember 42')
  await first.session.stop()
  const second = await drivenAgent({ folder, nature, resume: first.session.id, prompts: 1 })
  expect(second.session).toMatchObject({ id: first.session.id, remembers: true })
  expect(second.lines('begun').at(-1)).toMatchObject({ method, sessionId: first.session.id, cwd: folder })
  expect(second.says()).toBe('')
  await second.prompt('and more')
  expect(second.says()).toBe('You said: and more')
  expect(second.lines('prompts').map(({ text }) => text)).toEqual(['remember 42', 'and more'])
})

test('[O73] a session that the agent does not know any more is a new one, which remembers nothing', async () => {
  for (const nature of [{}, { resume: true }]) {
    const { session, prompt } = await drivenAgent({ nature, resume: 'long gone' })
    expect(session.remembers).toBe(false)
    expect(session.id).not.toBe('long gone')
    expect(await prompt('hello')).toEqual({ outcome: 'ended' })
  }
})

test('[O73] one that is loaded and repeats nothing has forgotten', async () => {
  const { session } = await drivenAgent({ nature: { forgets: true }, resume: 'emptied' })
  expect(session).toMatchObject({ id: 'emptied', remembers: false })
})

test('[O73] an agent that cannot go on with a session has none to go on with', async () => {
  for (const nature of [{ load: false }, { name: 'cline' }]) {
    const { session, lines } = await drivenAgent({ nature, resume: 'anything' })
    expect(session).not.toHaveProperty('id')
    expect(session.remembers).toBe(false)
    expect(lines('begun').map(({ method }) => method)).not.toContain('session/load')
  }
})

test('[O73] an agent that loses what is loaded in the minute it was made in is not asked to', async () => {
  const folder = aFolder()
  const nature = { name: 'gemini-cli' }
  const first = await drivenAgent({ folder, nature })
  await first.prompt('remember 42')
  await first.session.stop()
  const minute = Math.floor(Date.now() / 60_000)
  const id = String(first.session.id).replace(/@\d+$/, '')
  const second = await drivenAgent({ folder, nature, resume: `${id}@${minute}` })
  // The minute may end between the two.
  if (Math.floor(Date.now() / 60_000) === minute) expect(second.session.remembers).toBe(false)
  const third = await drivenAgent({ folder, nature, resume: `${id}@${minute - 1}` })
  expect(third.session).toMatchObject({ id: `${id}@${minute - 1}`, remembers: true })
})

test.for([{}, { resume: true }])(
  '[O98] a session that is loaded tells by its place whether a prompt came, whatever its words',
  async (nature) => {
    const folder = aFolder()
    const first = await drivenAgent({ folder, nature })
    expect(first.session).toMatchObject({ prompts: 0 })
    for (const words of ['continue', 'continue', 'and continue']) await first.prompt(words)
    await first.session.stop()
    const resume = first.session.id
    for (const [prompts, had] of [
      [2, true],
      [3, false],
    ] as const) {
      const { session } = await drivenAgent({ folder, nature, resume, prompts, doubtful: true })
      expect(session).toMatchObject({ remembers: true, prompts: 3, had })
    }
    // It is not what it was: nobody can tell.
    for (const prompts of [undefined, 1, 4]) {
      const { session } = await drivenAgent({ folder, nature, resume, prompts, doubtful: true })
      expect(session.prompts).toBe(3)
      expect(session).not.toHaveProperty('had')
    }
    expect((await drivenAgent({ folder, nature, resume, prompts: 3 })).session).not.toHaveProperty('had')
  },
)

test('[O98] to a session that the agent does not know nothing came; one that cannot be loaded tells nothing', async () => {
  const doubt = { prompts: 0, doubtful: true } as const
  expect((await drivenAgent({ resume: 'long gone', ...doubt })).session).toMatchObject({ had: false })
  for (const nature of [{ forgets: true }, { load: false }])
    expect((await drivenAgent({ nature, resume: 'anything', ...doubt })).session).not.toHaveProperty('had')
})
