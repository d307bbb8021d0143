import { valuesAt } from '../arguments.ts'
import type { Call } from '../call.ts'
import { meaningsOf, textIn } from '../meanings.ts'
import { EACH, type Rule } from '../rule.ts'
import { literalsIn } from './glob.ts'
import { createPathIndex, type PathIndex } from './path-index.ts'
import { realFolders } from './real-path.ts'
import { type Key, keysOf, type Place } from './rule-keys.ts'
import { createTextIndex, type TextIndex } from './text-index.ts'

/** The rules that something in a place can match. */
interface Shelf<Index> {
  place: Place
  /** Of rules that allow, which mean exactly the place. */
  isExact: boolean
  index: Index
}

type Visit = (numbers: readonly number[]) => void

/** Finds the few rules that can match a call by what they want of it, instead of trying all. Numbers are in the order of the rules. */
export function createRuleIndex(rules: readonly Rule[], caseless: boolean) {
  const texts = new Map<string, Shelf<TextIndex>>()
  /** By server, so that no path is resolved for rules about another one. */
  const paths = new Map<string | undefined, Map<string, Shelf<PathIndex>>>()
  const others: number[] = []
  const known = realFolders(caseless)
  for (const [number, keys] of keysOf(rules).entries()) {
    if (!keys) others.push(number)
    for (const key of keys ?? []) put(key, number)
  }
  return { visit, visitByPath }

  function put(key: Key, number: number) {
    const rule = rules[number] as Rule
    const wanted = { place: key.place, isExact: typeof key.place === 'string' || rule.decision === 'allow' }
    if (!('path' in key)) return shelfFor(texts, wanted, createTextIndex).add(key, number)
    for (const server of serversOf(rule)) {
      const shelves = paths.get(server) ?? new Map<string, Shelf<PathIndex>>()
      paths.set(server, shelves)
      shelfFor(shelves, wanted, () => createPathIndex(caseless)).add(key.path, number, known)
    }
  }

  /** All but those that only their paths tell. */
  function visit(call: Call, visit: Visit) {
    for (const shelf of texts.values())
      for (const value of valuesIn(call, shelf))
        if (shelf.isExact) shelf.index.visit(value, visit)
        else for (const meaning of meaningsOf(value)) shelf.index.visit(meaning, visit)
    visit(others)
  }

  /** Those before the rule of this number. */
  function visitByPath(call: Call, before: () => number, visit: Visit) {
    for (const server of [call.subject.server, undefined])
      for (const shelf of paths.get(server)?.values() ?? []) {
        if (shelf.index.first() > before()) continue
        for (const value of valuesIn(call, shelf)) {
          const path = textIn(value)
          if (path !== undefined) shelf.index.visit(path, call, visit)
        }
      }
  }
}
export type RuleIndex = ReturnType<typeof createRuleIndex>

type Wanted = Omit<Shelf<unknown>, 'index'>

function shelfFor<Index>(shelves: Map<string, Shelf<Index>>, wanted: Wanted, create: () => Index): Index {
  const { place, isExact } = wanted
  const name = typeof place === 'string' ? place : `${isExact ? 'exactly' : 'anywhere'} ${place.name}`
  const shelf = shelves.get(name) ?? { ...wanted, index: create() }
  shelves.set(name, shelf)
  return shelf.index
}

/** Those that are named; nothing stands for all. */
function serversOf({ server = ['*'] }: Rule): (string | undefined)[] {
  const named = server.map((glob) => literalsIn(glob).whole)
  return named.includes(undefined) ? [undefined] : [...new Set(named)]
}

function valuesIn(call: Call, { place, isExact }: Wanted): readonly unknown[] {
  const { subject } = call
  if (place === 'principal') return [subject.principal, ...call.names]
  if (place === 'agent') return [...call.names]
  if (place === 'folder') return [subject.folder ?? '']
  if (typeof place === 'string') return [subject[place]]
  const { steps } = place
  if (!isExact) return call.search.found(steps)
  // Most rules are about arguments that most calls do not have.
  const [first] = steps
  if (first !== EACH && first !== undefined && !Object.hasOwn(subject.arguments, first)) return NONE
  return valuesAt(subject.arguments, steps)
}

const NONE: unknown[] = []
