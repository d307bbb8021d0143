import { expect, test } from 'vitest'
import { drivenAgent } from '../../../test/support/driven/driven-agent.ts'

test('[O63] text, thoughts, plans, titles and notices come as the agent tells them', async () => {
  const { prompt, happenings, says, of, until } = await drivenAgent()
  expect(await prompt('hello there, agent')).toEqual({ outcome: 'ended' })
  expect(says()).toBe('You said: hello there, agent')
  await prompt('do think about it for long\ndo plan\ndo say The answer is 42.\ndo title Forty-two\ndo notice Slow')
  expect(says('thought')).toBe('about it for long')
  expect(new Set(of('thought').map(({ message }) => message))).toEqual(new Set(['thought-1']))
  expect(of('plan')).toEqual([
    {
      type: 'plan',
      steps: [
        { text: 'Look', state: 'completed' },
        { text: 'Change', state: 'in_progress' },
        { text: 'Test', state: 'pending' },
      ],
    },
  ])
  expect(says()).toContain('The answer is 42.')
  expect(of('title')).toEqual([{ type: 'title', title: 'Forty-two' }])
  expect(happenings.at(-1)).toEqual({ type: 'notice', text: 'Slow: for a while' })
  await prompt('do later 50\ndo say done')
  expect(of('notice').at(-1)?.text).toBe('')
  await until(() => of('title').some(({ title }) => title === 'Later'))
})

test('[O328] what an agent tells of another conversation’s session is not shown in this one', async () => {
  const first = await drivenAgent()
  const second = await drivenAgent({ driver: first.driver })
  const [own, other] = [String(second.session.id), String(first.session.id)]
  await second.prompt(`do elsewhere ${other}\ndo elsewhere ${own}\ndo elsewhere unknown`)
  expect([first.says(), second.says()]).toEqual(['', `${own}unknown`])
  await first.session.stop()
  await second.prompt(`do elsewhere ${other}`)
  expect(second.says()).toBe(`${own}unknown${other}`)
})

test('[O329] counts and costs of less than none are none', async () => {
  const { prompt, of } = await drivenAgent()
  expect(await prompt('do negative')).toEqual({ outcome: 'ended' })
  expect(of('controls').filter(({ context }) => context)).toEqual([])
})

test('[O63] what is no message, answers nothing or is of a kind that nobody knows is skipped', async () => {
  const { prompt, says, of, shownTools } = await drivenAgent()
  expect(await prompt('do odd\ndo write')).toEqual({ outcome: 'ended' })
  // Requests that were never offered are answered with -32601.
  expect(says()).toBe('without version still here[-32601,-32601]')
  expect(of('plan')).toEqual([{ type: 'plan', steps: [{ text: 'Look', state: 'pending' }] }])
  expect(shownTools()).toEqual([{ id: 'odd-1', tool_name: 'tool', state: 'done' }])
})

test('[O63] a line may have 32 MB, and a longer one is skipped', async () => {
  const { prompt, of, says, until } = await drivenAgent()
  // Those with which it begins come behind its answer.
  await until(() => of('controls').some(({ commands }) => commands))
  await prompt(`do long ${20 * 1024 * 1024}`)
  expect(of('controls').at(-1)?.commands?.[0]?.description).toHaveLength(20 * 1024 * 1024)
  await prompt(`do long ${33 * 1024 * 1024}\ndo say here`)
  expect(of('controls').at(-1)?.commands?.[0]?.description).toHaveLength(20 * 1024 * 1024)
  expect(says()).toBe('here')
})

test('[O64] what is told of a call is put together by its id: title, arguments, places, output, changes', async () => {
  const { prompt, shownTools, of } = await drivenAgent()
  await prompt('do tool\ndo edit\ndo terminal')
  expect(shownTools()).toEqual([
    {
      id: 'call-read',
      tool_name: 'Read',
      title: 'Read notes.txt',
      input: { path: '/project/notes.txt' },
      locations: [{ path: '/project/notes.txt', line: 3 }],
      output: 'one\ntwo',
      state: 'done',
    },
    {
      id: 'call-edit',
      tool_name: 'edit',
      title: 'Edit a.txt',
      changes: [{ path: '/project/a.txt', old_text: 'beta', new_text: 'BETA' }],
      state: 'done',
    },
    {
      id: 'call-terminal',
      tool_name: 'execute',
      title: 'count',
      // The line that was lost on the way is there in the end.
      output: 'line 1\nline 2\nline 3\n',
      state: 'done',
    },
  ])
  const grown = of('tool').flatMap(({ step }) => (step.id === 'call-terminal' ? (step.output ?? []) : []))
  expect(grown).toEqual(['line 2\n', 'line 2\nline 3\n', 'line 1\nline 2\nline 3\n'])
})

test('[O64] a new file is one whose old text is null, empty or absent', async () => {
  const { prompt, shownTools } = await drivenAgent()
  await prompt('do files')
  const change = (name: string) => [{ path: `/project/${name}.txt`, new_text: 'new' }]
  expect(shownTools().map(({ changes }) => changes)).toEqual([change('a'), change('b'), change('c')])
})

test('[O64] a call goes only on, also where the agent tells it backwards', async () => {
  const { prompt, asked, of } = await drivenAgent()
  const turn = prompt('do backwards')
  ;(await asked()).settled({ outcome: 'approved', option: 'once' })
  await turn
  expect(of('tool').flatMap(({ step }) => step.state ?? [])).toEqual(['running', 'done'])
})

test('[O64] calls that are left open are closed with their turn, and an id that is used again is another call', async () => {
  const { prompt, shownTools, asked, says } = await drivenAgent({ nature: { name: 'cline' } })
  const turn = prompt('do twice')
  for (const number of [1, 2]) (await asked(number)).settled({ outcome: 'approved', option: 'allow_once' })
  await turn
  const title = 'Execute command: touch file'
  expect(shownTools()).toMatchObject([
    { id: 'twice-1', title, input: { command: 'touch file' }, state: 'done' },
    { id: 'twice-2', title, input: { command: 'touch file' }, state: 'done' },
  ])
  expect(says()).toBe('\nAll done.')
  await prompt('do again')
  expect(shownTools()).toMatchObject([
    { id: 'twice-1', title, state: 'done' },
    { id: 'twice-2' },
    { id: 'twice-1-2', title, output: 'late', state: 'done' },
    { id: 'twice-1-3', title: 'Another', state: 'done' },
  ])
  expect(shownTools()[0]).not.toHaveProperty('output')
})
