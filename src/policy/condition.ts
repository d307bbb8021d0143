import { isCommand, perhapsBegins, surelyBegins } from '../protocol/command-start.ts'
import { unreachable } from '../protocol/unreachable.ts'
import type { Call } from './call.ts'
import { compileGlob } from './glob.ts'
import { compilePathGlob } from './path-glob.ts'
import { CASELESS } from './real-path.ts'
import { type ArgumentRule, type Condition, EACH, type Sign } from './rule.ts'

export type Fits = (call: Call) => boolean

/**
 * Whether the arguments of a call are as a rule wants them. Where that can be seen in two ways, a rule that allows wants
 * to be sure: of each item, of everything that a path may mean, and of a value that is missing or of another kind, also
 * under `not`. For every other rule one item or one meaning is enough.
 */
export function compileArgument({ steps, wanted }: ArgumentRule, allows: boolean, caseless = CASELESS): Fits {
  const fits = compile(wanted, { allows, caseless, negated: false })
  // By far the most, and a policy may have a thousand of them.
  if (!steps.includes(EACH)) return (call) => fits(call.argument(steps as string[], valueAt), call)
  return (call) => {
    const values = valuesAt(call.subject.arguments, steps)
    return allows
      ? values.length > 0 && values.every((value) => fits(value, call))
      : values.some((value) => fits(value, call))
  }
}

/** What is in a place of the arguments: nothing where a list is empty, `undefined` where there is no such name. */
export function valuesAt(root: unknown, steps: ArgumentRule['steps']): unknown[] {
  let values: unknown[] = [root]
  for (const step of steps)
    values = step === EACH ? values.flatMap(eachIn) : values.map((value) => memberOf(value, step))
  return values
}

export function valueAt(root: unknown, names: readonly string[]): unknown {
  let value = root
  for (const name of names) value = memberOf(value, name)
  return value
}

type ValueFits = (value: unknown, call: Call) => boolean

interface Side {
  allows: boolean
  caseless: boolean
  /** Under an odd number of `not`. */
  negated: boolean
}

function compile(condition: Condition, side: Side): ValueFits {
  const { allows, caseless, negated } = side
  // What has to be sure is refuted by doubt, and that is the other way round under `not`.
  const inDoubt = allows && negated
  switch (condition.is) {
    case 'text': {
      const { fits } = compileGlob(condition.glob)
      return (value) => (typeof value === 'string' ? fits(value) : inDoubt)
    }
    case 'path': {
      const { surely, perhaps } = compilePathGlob(condition.glob, caseless)
      const fits = allows === negated ? perhaps : surely
      return (value, call) => (typeof value === 'string' ? fits(call.readings(value), call) : inDoubt)
    }
    case 'command': {
      const begins = allows === negated ? perhapsBegins : surelyBegins
      return (value) => (isCommand(value) ? begins(value, condition.words) : inDoubt)
    }
    case 'value':
      return (value) => (value === undefined ? inDoubt : value === condition.value)
    case 'compared': {
      const fits = COMPARED[condition.sign]
      return (value) => (typeof value === 'number' ? fits(value, condition.to) : inDoubt)
    }
    case 'there':
      return (value) => (value !== undefined) === condition.there
    case 'not': {
      const one = compile(condition.one, { ...side, negated: !negated })
      return (value, call) => !one(value, call)
    }
    case 'any': {
      const any = condition.of.map((one) => compile(one, side))
      return (value, call) => any.some((fits) => fits(value, call))
    }
    case 'all': {
      const all = condition.of.map((one) => compile(one, side))
      return (value, call) => all.every((fits) => fits(value, call))
    }
    default:
      return unreachable(condition)
  }
}

const COMPARED: Record<Sign, (value: number, to: number) => boolean> = {
  '<': (value, to) => value < to,
  '<=': (value, to) => value <= to,
  '>': (value, to) => value > to,
  '>=': (value, to) => value >= to,
}

function eachIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return typeof value === 'object' && value !== null ? Object.values(value) : [undefined]
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Array.isArray(value) && !/^\d+$/.test(name) ? undefined : (value as Record<string, unknown>)[name]
}
