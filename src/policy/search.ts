import { valuesAt } from './arguments.ts'
import { Named } from './meanings.ts'
import { type ArgumentRule, EACH } from './rule.ts'

type Steps = ArgumentRule['steps']

export type Search = ReturnType<typeof createSearch>

/**
 * Finds what rules that ask or deny are about, wherever in the arguments of a call it is: a place counts at any depth,
 * and what is in it with all that it holds, the names in an object too.
 */
export function createSearch(root: Record<string, unknown>) {
  const known = new Map<Steps, readonly unknown[]>()
  let everything: { named: Map<string, unknown[]>; lists: unknown[][]; values: unknown[] } | undefined
  return { found, foundOrMissing }

  function found(steps: Steps): readonly unknown[] {
    const before = known.get(steps)
    if (before) return before
    const [first = EACH, ...rest] = steps
    let values = first === EACH ? all().values : namedAnywhere(first)
    for (const step of rest) values = values.flatMap((value) => valuesAt(value, [step]).filter(isThere))
    const within = allWithin(values)
    known.set(steps, within)
    return within
  }

  /** Also that there is nothing in the very place. */
  function foundOrMissing(steps: Steps): readonly unknown[] {
    const values = found(steps)
    return valuesAt(root, steps).every(isThere) ? values : [undefined, ...values]
  }

  function namedAnywhere(name: string): unknown[] {
    const { named, lists } = all()
    const inLists = /^\d+$/.test(name) ? lists.flatMap((list) => valuesAt(list, [name]).filter(isThere)) : []
    return [...(named.get(name) ?? []), ...inLists]
  }

  function all() {
    if (everything) return everything
    everything = { named: new Map(), lists: [], values: [] }
    const { named, lists, values } = everything
    for (const holder of holdersIn([root])) {
      if (Array.isArray(holder)) {
        lists.push(holder)
        for (const value of holder) values.push(value)
        continue
      }
      for (const [name, value] of Object.entries(holder)) {
        values.push(value)
        const same = named.get(name)
        if (same) same.push(value)
        else named.set(name, [value])
      }
    }
    return everything
  }
}

/** These values and all that is in them, once. */
function allWithin(values: readonly unknown[]): readonly unknown[] {
  if (!values.some(isHolder)) return values
  const within = values.filter((value) => !isHolder(value))
  for (const holder of holdersIn(values.filter(isHolder))) {
    within.push(holder)
    if (!Array.isArray(holder)) for (const name of Object.keys(holder)) within.push(new Named(name))
    for (const value of Object.values(holder)) if (!isHolder(value)) within.push(value)
  }
  return within
}

/** Lists and objects, however deep; what calls have is nowhere twice, but a place may be in another one. */
function holdersIn(roots: readonly object[]): Set<object> {
  const holders = new Set<object>(roots)
  for (const holder of holders) for (const value of Object.values(holder)) if (isHolder(value)) holders.add(value)
  return holders
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isThere(value: unknown): boolean {
  return value !== undefined
}
