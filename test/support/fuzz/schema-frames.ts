import type * as z from 'zod/mini'
import { EntryId } from '../../../src/protocol/entries/entry.ts'
import { TimelineCommand } from '../../../src/protocol/frames/timeline-command.ts'
import type { Dice } from '../seeded.ts'
import type { Fields } from './broken-frames.ts'
import type { Stock } from './fuzzed-dialects.ts'

type Schema = z.core.$ZodTypes

/** Each command of the page, made of its own schema, so that a new one is among them by itself. */
export const COMMANDS = new Map(
  TimelineCommand.def.options.map((schema) => [
    schema.shape.type.def.values[0] as string,
    (dice: Dice, stock: Stock): Fields =>
      Object.entries(made(schema, '', dice, stock) as object).map(([name, value]) => [name, JSON.stringify(value)]),
  ]),
)

/** What a field of this name may hold; what rules beyond its type want is met often, and not always. */
function made(schema: z.core.$ZodType, name: string, dice: Dice, stock: Stock): unknown {
  const { def } = (schema as Schema)._zod
  switch (def.type) {
    case 'object': {
      const given = Object.entries(def.shape).filter(
        ([, field]) => field._zod.def.type !== 'optional' || dice.chance(0.4),
      )
      return Object.fromEntries(given.map(([field, its]) => [field, made(its, field, dice, stock)]))
    }
    case 'optional':
      return made(def.innerType, name, dice, stock)
    case 'nullable':
      return dice.chance(0.3) ? null : made(def.innerType, name, dice, stock)
    case 'union':
      return made(dice.pick(def.options), name, dice, stock)
    case 'literal':
      return dice.pick(def.values)
    case 'enum':
      return dice.pick(Object.values(def.entries))
    case 'array':
      return Array.from({ length: 1 + dice.below(2) }, () => made(def.element, name, dice, stock))
    case 'record':
      return { [dice.pick(stock.conversations)]: made(def.valueType, name, dice, stock) }
    case 'boolean':
      return dice.chance(0.5)
    case 'number':
      return 1 + dice.below(100)
    case 'string':
      return textOf(schema, name, dice, stock)
    default:
      throw new Error(`Nobody said how a ${def.type} is made`)
  }
}

function textOf(schema: z.core.$ZodType, name: string, dice: Dice, stock: Stock): string {
  if (schema === EntryId) return dice.pick(stock.questions)
  switch (name) {
    case 'conversation':
    case 'conversations':
      return dice.pick(stock.conversations)
    case 'message':
      return dice.pick(stock.questions)
    case 'until':
      return '2030-01-31T09:00:00Z'
    case 'input':
      return '{"n":1}'
    case 'option':
    case 'choices':
      return dice.pick(['once', 'no', 'Red'])
    default:
      return stock.unique()
  }
}
