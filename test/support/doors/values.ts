import type { World } from './world.ts'

/** The part of JSON Schema that tools use. */
export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
}

/** What a field of this name may hold. */
export function madeBy(schema: Schema, world: World, name = ''): unknown {
  const { dice } = world
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return madeBy(dice.pick(choices), world, name)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return dice.pick(schema.enum)
  switch (Array.isArray(schema.type) ? dice.pick(schema.type) : schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([field]) => schema.required?.includes(field) || dice.chance(0.4))
          .map(([field, its]) => [field, madeBy(its, world, field)]),
      )
    case 'array':
      return Array.from({ length: dice.below(3) }, () => madeBy(schema.items ?? {}, world, name))
    case 'boolean':
      return dice.chance(0.5)
    case 'integer':
    case 'number':
      return dice.pick([0, 1, 2, 10, 100, -1, 1e9])
    case 'null':
      return null
    default:
      return textOf(name, world)
  }
}

function textOf(name: string, { dice, stock, hashes }: World): string {
  if (/session|conversation|channel/.test(name)) return dice.pick(stock.conversations)
  if (/hash/.test(name)) return dice.pick(hashes)
  if (/uri/.test(name)) return dice.pick(['ui://chat/inbox', 'chat://inbox', 'file:///etc/passwd', 'ui://chat/latest'])
  if (/tool/.test(name)) return dice.pick(['Bash', 'Read', 'tools_echo', 'Edit'])
  if (/(^|_)ids?$|question|since|after|before|cursor|message_id/.test(name)) return dice.pick(stock.questions)
  if (/input|arguments|args/.test(name)) return '{"command":"ls"}'
  return stock.unique()
}
