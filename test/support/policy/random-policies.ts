import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Decision, type ToolCallSubject } from '../../../src/protocol/tools/gateway.ts'
import type { Dice } from '../seeded.ts'
import { MEANING, type PlainRule } from './plain-policy.ts'

const NAMES = ['a', 'b', 'ab', 'ba', 'a.b', 'aab', 'b*', '🎉a']
const GLOBS = [
  'a',
  'b',
  'ab',
  '*',
  'a*',
  '*b',
  '?',
  'a?',
  '*a*',
  '??',
  '*b*',
  'b\\*',
  'a*b',
  '*?b',
  '?a*',
  '*ab*a',
  '🎉*',
  '*🎉?',
  '2',
  'true',
  '?',
]
const STEPS = ['a', 'b', 'link', 'link/..', 'up/..', 'gone', 'new', '..', '.', '']
const PATTERN_STEPS = ['a', 'b', 'link', 'up', '*', '**', 'a*', '?']
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']
const PLACES = ['x', 'y', 'o.x', 'o.o.y', 'l.0', 'l.*', 'l.*.x', 'o.*', '*']
const SIGNS = ['<', '<=', '>', '>=']

/** Folders, and links in all directions: to a folder beside, to the one above, and to what is not there. */
export function makeWorld(): string {
  const world = realpathSync(mkdtempSync(join(tmpdir(), 'world-')))
  for (const folder of ['a/a', 'a/b', 'b/a', 'ab']) mkdirSync(join(world, folder), { recursive: true })
  symlinkSync('../b', join(world, 'a', 'link'))
  symlinkSync(join(world, 'a', 'b'), join(world, 'link'))
  symlinkSync('..', join(world, 'a', 'a', 'up'))
  symlinkSync('new/thing', join(world, 'b', 'gone'))
  return world
}

/** Few names, so that rules match often, and every word that a rule can have. */
export function randomPolicies({ below, chance, pick }: Dice, world: string) {
  /** Some people have rules only for the paths of one server. */
  const onlyPaths = chance(0.3)
  return { policy, call }

  function policy(): PlainRule[] {
    // Policies of many rules are tried, too.
    return several(pick([8, 8, 60]), () => (onlyPaths ? ruleOfPath() : rule()))
  }

  function rule(): PlainRule {
    return {
      ...sometimes(0.5, 'server', globs),
      ...sometimes(0.5, 'tool', globs),
      ...sometimes(0.2, 'principal', globs),
      ...sometimes(0.2, 'conversation', globs),
      ...sometimes(0.2, 'annotations', () => ({ [pick(HINTS)]: chance(0.5) })),
      ...sometimes(0.2, 'time', () => `${clock()}-24:00`),
      ...sometimes(0.1, 'time', () => ['22:00-06:00', '12:00-13:00']),
      ...sometimes(0.7, 'arguments', () => Object.fromEntries(several(2, () => [pick(PLACES), condition(3)]))),
      decision: pick(Decision.options),
    }
  }

  function ruleOfPath(): PlainRule {
    return { server: 'a', arguments: { [pick(['x', 'y'])]: { path: pattern() } }, decision: pick(Decision.options) }
  }

  function call(): ToolCallSubject {
    return {
      server: onlyPaths && chance(0.9) ? 'a' : pick(NAMES),
      tool: pick(NAMES),
      arguments: onlyPaths
        ? { x: chance(0.8) ? path() : several(2, path), y: chance(0.8) ? path() : { o: path() } }
        : Object.fromEntries(several(4, () => [pick(['x', 'y', 'o', 'l']), value(3)])),
      ...sometimes(0.7, 'annotations', () => Object.fromEntries(several(2, () => [pick(HINTS), chance(0.5)]))),
      principal: pick(NAMES),
      ...sometimes(0.7, 'conversation', () => pick(NAMES)),
      at: Date.UTC(2026, 10, 16) + below(48 * 60) * 60_000,
      ...sometimes(0.8, 'cwd', folder),
      ...sometimes(0.8, 'bases', () => several(2, folder)),
    }
  }

  function folder(): string {
    return join(world, pick(['', 'a', 'a/link', 'a/a']))
  }

  function condition(depth: number): unknown {
    const one = () => condition(depth - 1)
    const simple = [
      () => pick(GLOBS),
      () => pick([0, 1, 2, true, false, null]),
      compared,
      () => ({ exists: chance(0.5) }),
    ]
    const paths = [() => ({ path: pattern() }), () => ({ path: several(2, pattern) })]
    const nested = [
      () => ({ not: one() }),
      () => several(3, one),
      () => ({ not: one(), exists: true }),
      () => ({ glob: pick(GLOBS), not: one() }),
      () => ({ glob: pick(GLOBS), path: several(2, pattern) }),
    ]
    return pick([...simple, ...paths, ...paths, ...(depth > 0 ? nested : [])])()
  }

  function compared() {
    const at = below(4)
    return chance(0.5) ? { [pick(SIGNS)]: at } : { '>=': at, '<': at + 2 }
  }

  function value(depth: number): unknown {
    const simple = [() => pick(NAMES), () => below(5), () => pick([true, false, null]), otherKind, path, path, path]
    const nested = [
      () => several(3, () => value(depth - 1)),
      () => [],
      () => Object.fromEntries(several(3, () => [pick(['x', 'y', 'o', 'l']), value(depth - 1)])),
      () => Object.fromEntries(several(2, () => [chance(0.5) ? path() : pick(NAMES), value(depth - 1)])),
    ]
    return pick([...simple, ...(depth > 0 ? [...nested, ...nested] : [])])()
  }

  /** What means the same as something else, or nearly. */
  function otherKind(): unknown {
    return pick([...Object.keys(MEANING), ` ${pick(NAMES)} `])
  }

  function path(): string {
    const start = pick([world, world, '.', '', '~', '', '$HOME'])
    const steps = several(4, () => pick(STEPS)).join('/')
    return `${start === '' ? steps : `${start}/${steps}`}${chance(0.1) ? ' ' : ''}`
  }

  function pattern(): string {
    const steps = several(3, () => pick(PATTERN_STEPS))
    return [pick([world, world, world, '.', '~', '', '/**']), ...steps].join('/')
  }

  function globs(): string | string[] {
    return chance(0.8) ? pick(GLOBS) : several(3, () => pick(GLOBS))
  }

  function clock(): string {
    return `${String(below(24)).padStart(2, '0')}:${pick(['00', '30', '59'])}`
  }

  function sometimes<Name extends string, Value>(
    share: number,
    name: Name,
    make: () => Value,
  ): Partial<Record<Name, Value>> {
    return chance(share) ? ({ [name]: make() } as Record<Name, Value>) : {}
  }

  function several<Value>(most: number, make: () => Value): Value[] {
    return Array.from({ length: 1 + below(most) }, make)
  }
}
