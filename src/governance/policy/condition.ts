import { isCommand, perhapsBegins, surelyBegins } from '../../protocol/tools/command-start.ts'
import { unreachable } from '../../protocol/unreachable.ts'
import { valuesAt } from './arguments.ts'
import type { Call } from './call.ts'
import { compileGlob } from './matching/glob.ts'
import { compilePathGlob } from './matching/path-glob.ts'
import { CASELESS } from './matching/real-path.ts'
import { isNull, numbersIn, textIn, textsIn, truthIn } from './meanings.ts'
import type { ArgumentRule, Condition, Sign } from './rule.ts'

export type Fits = (call: Call) => boolean

/**
 * Whether the arguments of a call are as a rule wants them. A rule that allows means exactly what it says, and wants to
 * be sure: of each item, of everything that a path may mean, and of a value that is missing or of another kind, also
 * under `not`. For every other rule one item, one meaning and one place at any depth is enough.
 */
export function compileArgument(argument: ArgumentRule, allows: boolean, caseless = CASELESS): Fits {
  const { steps, wanted } = argument
  const fits = compile(wanted, { allows, caseless, negated: false })
  if (!allows) return (call) => call.search.foundOrMissing(argument).some((value) => fits(value, call))
  return (call) => {
    const values = valuesAt(call.subject.arguments, steps)
    return values.length > 0 && values.every((value) => fits(value, call))
  }
}

type ValueFits = (value: unknown, call: Call) => boolean

interface Side {
  allows: boolean
  caseless: boolean
  /** Whether it stands under an odd number of `not`. */
  negated: boolean
}

function compile(condition: Condition, side: Side): ValueFits {
  const { allows, caseless, negated } = side
  // Doubt refutes what has to be sure, and that is the other way round under `not`.
  const inDoubt = allows && negated
  const isExact = allows !== negated
  switch (condition.is) {
    case 'text': {
      const { fits } = compileGlob(condition.glob)
      if (isExact) return (value) => fitsText(textIn(value), fits)
      return (value) => (typeof value !== 'string' && inDoubt) || textsIn(value).some(fits)
    }
    case 'path': {
      const { surely, perhaps } = compilePathGlob(condition.glob, caseless)
      const fits = isExact ? surely : perhaps
      return (value, call) => {
        const text = textIn(value)
        return text === undefined ? inDoubt : fits(call.readings(text), call)
      }
    }
    case 'value': {
      if (isExact) return (value) => value === condition.value
      return (value) => (isUnclear(value) && inDoubt) || means(value, condition.value)
    }
    case 'command': {
      const begins = isExact ? surelyBegins : perhapsBegins
      return (value) => (isCommand(value) ? begins(value, condition.words) : inDoubt)
    }
    case 'compared': {
      const fits = COMPARED[condition.sign]
      if (isExact) return (value) => typeof value === 'number' && fits(value, condition.to)
      return (value) =>
        (typeof value !== 'number' && inDoubt) || numbersIn(value).some((number) => fits(number, condition.to))
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

function fitsText(text: string | undefined, fits: (text: string) => boolean): boolean {
  return text !== undefined && fits(text)
}

/** Whether a value is missing, or holds other values. */
function isUnclear(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null)
}

function means(value: unknown, wanted: number | boolean | null): boolean {
  if (typeof wanted === 'number') return numbersIn(value).includes(wanted)
  return wanted === null ? isNull(value) : truthIn(value) === wanted
}
