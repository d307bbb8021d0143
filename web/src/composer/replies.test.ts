import { expect, test } from 'vitest'
import { commandIn, commandsOf, matching } from './replies.ts'

const driven = {
  state: 'idle' as const,
  commands: [{ name: 'review', description: 'Look at the changes' }, { name: 'compact' }],
}

test('[U200] a slash finds the commands of the agent by name and by what they do', () => {
  const found = (draft: string) => matching(commandsOf(driven), commandIn(draft) ?? '').map(({ name }) => name)
  expect(found('/')).toEqual(['review', 'compact'])
  expect(found('/comp')).toEqual(['compact'])
  expect(found('/changes')).toEqual(['review'])
})

test('[U200] once a command has its arguments, none is offered', () => {
  expect(commandIn('/review ')).toBeUndefined()
  expect(commandIn('/review src')).toBeUndefined()
  expect(commandIn('see /review')).toBeUndefined()
})

test('[U200] an agent that nobody drives has no commands', () => {
  expect(commandsOf(undefined)).toEqual([])
})
