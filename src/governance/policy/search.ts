import { valuesAt } from './arguments.ts'
import { Named } from './meanings.ts'
import { type ArgumentRule, EACH } from './rule.ts'

type Steps = ArgumentRule['steps']

export type Search = ReturnType<typeof createSearch>

/**
 * Finds what rules that ask or deny are about, wherever in the arguments of a call it is: a place counts at any depth,
 * each of its steps too, and what is in it with all that it holds, the names in an object too.
 */
export function createSearch(root: Record<string, unknown>) {
  const known = new Map<string, readonly unknown[]>()
  let everything: { named: Map<string, unknown[]>; lists: unknown[][]; values: unknown[]; places: Named[] } | undefined
  return { foundOrMissing, textsNamed }

  /** The values found, and `undefined` besides where there is nothing in the very place. */
  function foundOrMissing(argument: ArgumentRule): readonly unknown[] {
    const values = found(argument)
    return valuesAt(root, argument.steps).every(isThere) ? values : [undefined, ...values]
  }

  function found({ name, steps }: ArgumentRule): readonly unknown[] {
    const before = known.get(name)
    if (before) return before
    let values: unknown[] = [root]
    for (const [n, step] of steps.entries()) values = step === EACH ? eachOf(values, steps[n + 1]) : under(values, step)
    const within = allWithin(values)
    known.set(name, within)
    return within
  }

  /** What a name leads to is found at any depth, of each anyway. */
  function eachOf(values: unknown[], next: Steps[number] | undefined): unknown[] {
    if (typeof next === 'string') return values
    if (values[0] === root) return [...all().values, ...all().places]
    // One that stands for a list of one.
    return values.flatMap((value) => (isHolder(value) ? Object.values(value) : [value]))
  }

  function under(values: unknown[], name: string): unknown[] {
    if (values[0] !== root) return membersOf(holdersIn(values.filter(isHolder)), name)
    const { named, lists } = all()
    return [...(named.get(name) ?? []), ...(/^\d+$/.test(name) ? membersOf(lists, name) : [])]
  }

  /** Texts that stand under such a name. */
  function textsNamed(isMeant: RegExp): string[] {
    const found = [...all().named].flatMap(([name, values]) => (isMeant.test(name) ? values : []))
    return found.filter((value) => typeof value === 'string')
  }

  function all() {
    if (everything) return everything
    // A call may name what it is about by its arguments.
    const places = Object.keys(root).filter((name) => name.includes('/'))
    everything = { named: new Map(), lists: [], values: [], places: places.map((name) => new Named(name)) }
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

/** The values under a name in one of these. */
function membersOf(holders: Iterable<object>, name: string): unknown[] {
  const members: unknown[] = []
  for (const holder of holders) {
    const [value] = valuesAt(holder, [name])
    if (isThere(value)) members.push(value)
  }
  return members
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
