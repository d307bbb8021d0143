import type { Choice, Choices, Driven } from '../../protocol/frames/driving.ts'

type Lists = Pick<Driven, 'modes' | 'models' | 'commands' | 'commands_total'>
type Item = Choice | NonNullable<Driven['commands']>[number]

/** Together with everything else that is told of an agent they fit in one message. */
const MODES_BYTES = 16 * 1024
const LONG_BYTES = 40 * 1024
const DESCRIPTIONS = [Infinity, 200, 0]
const LONGEST_NAME = 200
const LONGEST_SENTENCE = 2000

/** What an agent can do, so short that people can be told of it; what it is set to now is always there. */
export function shortLists<Told extends Lists>({ modes, models, commands, ...rest }: Told) {
  return {
    ...rest,
    ...(modes && { modes: shortChoices(modes, MODES_BYTES) }),
    ...(models && { models: shortChoices(models, LONG_BYTES) }),
    ...(commands && shortCommands(commands)),
  }
}

export function shortSentence(text: string): string {
  return text.length > LONGEST_SENTENCE ? `${text.slice(0, LONGEST_SENTENCE).toWellFormed()}…` : text
}

function shortChoices({ current, all }: Choices, most: number): Choices {
  const some = shortened(all, most, ({ id }) => id === current)
  return {
    ...(current !== undefined && { current }),
    all: some,
    ...(some.length < all.length && { total: all.length }),
  }
}

function shortCommands(commands: NonNullable<Driven['commands']>): Lists {
  const some = shortened(commands, LONG_BYTES, () => false)
  // A list that is whole again takes back what was said of the one before.
  return { commands: some, commands_total: some.length < commands.length ? commands.length : undefined }
}

/** Descriptions go first, then the last ones. */
function shortened<One extends Item>(all: One[], most: number, isKept: (one: One) => boolean): One[] {
  for (const longest of DESCRIPTIONS) {
    const cut = all.map((one) => ({ ...one, ...described(one, longest) }))
    if (sizeOf(cut) <= most) return cut
  }
  const bare = all.map(withoutDescription)
  let room = most - sizeOf(bare.filter(isKept))
  return bare.filter((one) => {
    if (isKept(one)) return true
    // It is the first ones that are there, without a gap.
    room -= sizeOf(one) + 1
    return room >= 0
  })
}

function described({ description }: Item, longest: number): Pick<Item, 'description'> {
  if (description === undefined || description.length <= longest) return {}
  return { description: longest === 0 ? undefined : `${description.slice(0, longest).toWellFormed()}…` }
}

function withoutDescription<One extends Item>({ description: _, ...one }: One): One {
  return { ...one, ...('id' in one && { name: one.name.slice(0, LONGEST_NAME).toWellFormed() }) } as One
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
