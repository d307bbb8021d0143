import type { Driven } from '../../../../src/protocol/frames/driving.ts'
import { FoundChoices } from '../../start/choices/found-choices.svelte.ts'
import type { Conversation } from '../../state/conversation/conversation.svelte.ts'

type Commands = NonNullable<Driven['commands']>

/** The commands that fit what is typed, of a list that is too long to be told. */
export async function moreCommands({ id, driven }: Conversation, typed: string): Promise<Commands> {
  const choices = new FoundChoices({ conversation: id, list: 'commands' })
  await choices.look(typed)
  const told = new Set(driven?.commands?.map(({ name }) => name))
  return (choices.page?.found ?? [])
    .filter((one) => !told.has(one.id))
    .map(({ id: name, description }) => ({ name, ...(description && { description }) }))
}
