import { expect, test } from 'vitest'
import { drivenAgent } from '../../../test/support/driven/driven-agent.ts'

const OPTIONS = [
  { id: 'yes-1', label: 'Yes', kind: 'allow_once' },
  { id: 'yes-2', label: 'Yes, and never ask again', kind: 'allow_always' },
  { id: 'no-1', label: 'No, do something else', kind: 'reject_once' },
]

test('[O65] a permission is asked with the options of the agent by their names, and gets the one that was taken', async () => {
  const { prompt, asked, says } = await drivenAgent()
  const turn = prompt('do unsaid')
  const ask = await asked()
  expect(ask).toMatchObject({ text: 'Something', approval: { input: '{}', options: OPTIONS } })
  ask.settled({ outcome: 'approved', option: 'yes-1' })
  expect(await turn).toEqual({ outcome: 'ended' })
  expect(says()).toBe('taken: yes-1')
})

test('[U473] a call that the agent could allow for good is asked about as any other, and is allowed once', async () => {
  const { prompt, asked, says, shownTools } = await drivenAgent()
  const turn = prompt('do permission')
  const ask = await asked()
  const approval = { tool_name: 'Bash', title: 'touch file', input: '{"command":"touch file"}' }
  expect(ask).toMatchObject({ text: 'touch file', step: 'call-sh' })
  expect(ask.approval).toEqual(approval)
  ask.settled({ outcome: 'approved' })
  expect(await turn).toEqual({ outcome: 'ended' })
  expect(says()).toBe('taken: yes-1')
  expect(shownTools()).toMatchObject([{ id: 'call-sh', tool_name: 'Bash', state: 'done' }])
})

test('[O260] arguments that are written as the text of a call are those that are asked about, and no output', async () => {
  const { prompt, asked, shownTools } = await drivenAgent()
  const turn = prompt('do written {"command":"touch file"}')
  const ask = await asked()
  expect(ask.approval).toMatchObject({ input: '{"command":"touch file"}', title: 'Bash' })
  expect(shownTools()).toMatchObject([{ id: 'call-written', input: { command: 'touch file' } }])
  expect(shownTools()[0]?.output).toBeUndefined()
  ask.settled({ outcome: 'approved', option: 'yes-1' })
  await turn
  expect(shownTools()).toMatchObject([{ state: 'done', input: { command: 'touch file' }, output: '{"made":"file"}' }])
})

test('[O260] what nobody was told the arguments of is asked in the words of the agent', async () => {
  const { prompt, asked } = await drivenAgent()
  const turn = prompt('do written')
  const ask = await asked()
  const words = 'Requesting approval to Running: touch file'
  expect(ask).toMatchObject({ text: words, approval: { title: words, input: '{}' } })
  ask.settled({ outcome: 'approved', option: 'yes-1' })
  await turn
})

test('[O65] each question has a key of its own, also about the same call', async () => {
  const { prompt, asked } = await drivenAgent()
  for (const number of [1, 2]) {
    const turn = prompt('do permission')
    ;(await asked(number)).settled({ outcome: 'approved', option: 'yes-1' })
    await turn
  }
  expect((await asked(1)).key).not.toBe((await asked(2)).key)
})

test('[O65] a bare verdict counts where it can mean only one option', async () => {
  const { prompt, asked, says } = await drivenAgent()
  const answer = async (number: number, deed: string, outcome: 'approved' | 'denied') => {
    const before = says().length
    const turn = prompt(`do ${deed}`)
    ;(await asked(number)).settled({ outcome })
    await turn
    return says().slice(before)
  }
  expect(await answer(1, 'permission', 'approved')).toBe('taken: yes-1')
  expect(await answer(2, 'permission', 'denied')).toBe('taken: no-1')
  expect(await answer(3, 'choice', 'approved')).toBe('{"outcome":"cancelled"}')
  expect(await answer(4, 'choice', 'denied')).toBe('{"outcome":"selected","optionId":"q0_skip"}')
})

test('[O65] an option that the agent does not have is never sent', async () => {
  const { prompt, asked, says } = await drivenAgent()
  const turn = prompt('do permission')
  ;(await asked()).settled({ outcome: 'approved', option: 'made-up' })
  await turn
  expect(says()).toBe('taken: cancelled')
})

test('[O65] a permission may be the first that is heard of a call, and the last', async () => {
  const { prompt, asked, shownTools } = await drivenAgent()
  const turn = prompt('do unannounced')
  const ask = await asked()
  const changes = [{ path: '/project/a.txt', old_text: 'a', new_text: 'b' }]
  expect(ask.approval).toMatchObject({ tool_name: 'edit', input: '{}', changes })
  expect(shownTools()).toMatchObject([{ id: 'first-seen', title: 'Edit a.txt', changes }])
  ask.settled({ outcome: 'denied', option: 'cancel' })
  await turn
  expect(shownTools()).toMatchObject([{ id: 'first-seen', state: 'failed' }])
})

test('[O65] changed arguments and the reason of a no, for which there is no place, are told in words', async () => {
  const { prompt, asked, says, lines } = await drivenAgent()
  const turn = prompt('do permission')
  ;(await asked()).settled({ outcome: 'approved', option: 'yes-1', input: '{"command":"touch other"}' })
  await turn
  expect(says()).toBe('taken: no-1')
  const next = prompt('do permission')
  ;(await asked(2)).settled({ outcome: 'denied', option: 'no-1', reason: 'not in this folder' })
  await next
  await prompt('go on')
  expect(lines('prompts').map(({ text }) => text)).toEqual([
    'do permission',
    'I want other arguments for "touch file"; call it again with these: {"command":"touch other"}\n\ndo permission',
    'About "touch file": not in this folder\n\ngo on',
  ])
})

test('[O65] an agent that can be steered is told them at once', async () => {
  const { prompt, asked, lines } = await drivenAgent({ nature: { steering: true } })
  const turn = prompt('do permission\ndo steered')
  ;(await asked()).settled({ outcome: 'denied', option: 'no-1', reason: 'use mktemp' })
  await turn
  expect(lines('prompts').at(-1)).toMatchObject({ text: 'About "touch file": use mktemp', steered: true })
})

test('[O66] a form is one question for each field, and the answers are its content', async () => {
  const { prompt, asked, says, of } = await drivenAgent()
  const turn = prompt('do ask')
  const [color, sizes, count, gift] = await Promise.all([1, 2, 3, 4].map(asked))
  expect(color).toMatchObject({
    text: 'About the shirt\n\nWhich colour?',
    options: [{ label: 'RED' }, { label: 'BLUE' }],
  })
  expect(sizes).toMatchObject({ options: [{ label: 'S' }, { label: 'M' }, { label: 'L' }], multi_select: true })
  color?.settled({ outcome: 'answered', reply: 'BLUE', choices: ['BLUE'] })
  sizes?.settled({ outcome: 'answered', reply: 'S, L', choices: ['S', 'L'] })
  gift?.settled({ outcome: 'answered', reply: 'No', choices: ['No'] })
  count?.settled({ outcome: 'answered', reply: 'a few' })
  const again = await asked(5)
  expect(again.text).toBe('“a few” is not a number. About the shirt\n\nHow many?')
  again.settled({ outcome: 'answered', reply: '3' })
  await turn
  expect(JSON.parse(says())).toEqual({
    action: 'accept',
    content: { color: 'blue', sizes: ['S', 'L'], count: 3, gift: false },
  })
  expect(of('ask')).toHaveLength(5)
})

test('[O66] an answer in other words goes where the form has a place for it, and a question that is withdrawn cancels it', async () => {
  const { prompt, asked, says } = await drivenAgent()
  const turn = prompt('do ask')
  const asks = await Promise.all([1, 2, 3, 4].map(asked))
  for (const [index, reply] of ['mauve', 'M', '1', 'Yes'].entries())
    asks[index]?.settled({ outcome: 'answered', reply })
  await turn
  const content = { color_other: 'mauve', sizes: ['M'], count: 1, gift: true }
  expect(JSON.parse(says())).toEqual({ action: 'accept', content })
  const next = prompt('do ask')
  for (const number of [5, 6, 7, 8]) (await asked(number)).settled({ outcome: 'withdrawn' })
  await next
  expect(says()).toContain('{"action":"cancel"}')
})
