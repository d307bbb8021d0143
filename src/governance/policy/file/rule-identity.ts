import { hash } from 'node:crypto'
import type { Rule } from '../rule.ts'

const LENGTH = 16

/**
 * What each rule is known by, wherever it stands in its file: its own id, whom and what it is for and what it decides.
 * Rules that are all the same are told apart by their order.
 */
export function identitiesOf(rules: readonly Rule[]): string[] {
  const known = new Map<string, number>()
  return rules.map((rule) => {
    const name = nameOf(rule)
    const before = known.get(name) ?? 0
    known.set(name, before + 1)
    return before === 0 ? name : `${name}.${before + 1}`
  })
}

function nameOf({ id, line: _, off: __, reason: ___, note: ____, arguments: args, ...rule }: Rule): string {
  const wanted = args?.map(({ name, wanted }) => [name, wanted])
  const fields = Object.entries({ ...rule, arguments: wanted }).sort(([a], [b]) => (a < b ? -1 : 1))
  const own = id.startsWith('#') ? undefined : id
  return hash('sha256', JSON.stringify([own, fields]), 'base64url').slice(0, LENGTH)
}
