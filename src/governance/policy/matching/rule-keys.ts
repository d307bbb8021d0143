import { unreachable } from '../../../protocol/unreachable.ts'
import type { ArgumentRule, Condition, Rule } from '../rule.ts'
import { literalsIn } from './glob.ts'

const NAMES = ['server', 'tool', 'principal', 'agent', 'folder', 'conversation'] as const

/** Where something of a call is: one of its names, or a place in its arguments. */
export type Place = (typeof NAMES)[number] | Pick<ArgumentRule, 'name' | 'steps'>

/** What a call must have in a place, or the rule cannot match. */
export type Key = { place: Place } & (
  | { is: string | number | boolean | null }
  | { begins: string }
  | { ends: string }
  | { has: string }
  | { path: string }
)

/** How a rule can be found: by a key, by one of several ways, or only by all of them together. */
type Way = { key: Key } | { choice: Way[] } | { together: Way[] }

// A path is resolved before it is looked for, which is worth it only for many.
const COST_OF_PATHS = 8

/** For each rule the keys of which a call must have one; none where it can only be tried. What few others have is best. */
export function keysOf(rules: readonly Rule[]): (Key[] | undefined)[] {
  const ways = rules.map(waysTo)
  const counts = new Map<string, number>()
  for (const way of ways) for (const key of keysIn(way)) counts.set(nameOf(key), (counts.get(nameOf(key)) ?? 0) + 1)
  return ways.map(
    (way) => cheapest(way, (key) => (counts.get(nameOf(key)) ?? 0) + ('path' in key ? COST_OF_PATHS : 0)).keys,
  )
}

function waysTo(rule: Rule): Way {
  const names = NAMES.flatMap((place) => {
    const globs = rule[place]
    return globs ? [{ together: globs.map((glob) => byText(place, glob)) }] : []
  })
  return { choice: [...names, ...(rule.arguments ?? []).map((one) => byCondition(one, one.wanted))] }
}

function byCondition(place: ArgumentRule, wanted: Condition): Way {
  switch (wanted.is) {
    case 'text':
      return byText(place, wanted.glob)
    case 'path':
      return { key: { place, path: wanted.glob } }
    case 'value':
      return { key: { place, is: wanted.value } }
    case 'any':
      return { together: wanted.of.map((one) => byCondition(place, one)) }
    case 'all':
      return { choice: wanted.of.map((one) => byCondition(place, one)) }
    case 'command':
    case 'compared':
    case 'there':
    case 'not':
      return { choice: [] }
    default:
      return unreachable(wanted)
  }
}

function byText(place: Place, glob: string): Way {
  const { whole, begin, parts, end } = literalsIn(glob)
  if (whole !== undefined) return { key: { place, is: whole } }
  const keys: Key[] = [
    ...(begin ? [{ place, begins: begin }] : []),
    ...(end ? [{ place, ends: end }] : []),
    ...parts.flatMap((part) => (part ? [{ place, has: part }] : [])),
  ]
  return { choice: keys.map((key) => ({ key })) }
}

function keysIn(way: Way): Key[] {
  if ('key' in way) return [way.key]
  return ('choice' in way ? way.choice : way.together).flatMap(keysIn)
}

function cheapest(way: Way, costOf: (key: Key) => number): { cost: number; keys?: Key[] } {
  if ('key' in way) return { cost: costOf(way.key), keys: [way.key] }
  const ways = ('choice' in way ? way.choice : way.together).map((one) => cheapest(one, costOf))
  if ('choice' in way)
    return ways.reduce((best, one) => (one.cost < best.cost ? one : best), { cost: Number.POSITIVE_INFINITY })
  return { cost: ways.reduce((sum, { cost }) => sum + cost, 0), keys: ways.flatMap(({ keys = [] }) => keys) }
}

function nameOf({ place, ...what }: Key): string {
  return JSON.stringify([typeof place === 'string' ? place : [place.name], what])
}
