import { changingIn, isCovered } from '../../protocol/tools/always-command.ts'
import { isCommandPlace } from '../../protocol/tools/command-start.ts'
import { type Call, isFolderName } from './call.ts'
import type { Fits } from './condition.ts'
import { compilePathGlob } from './matching/path-glob.ts'
import { EACH, type Rule } from './rule.ts'

/** One thing that a rule wants of a call. */
export interface Check {
  fits: Fits
  /** Tells people what the call has instead, where it does not fit. */
  why(call: Call): string
}

const RUNS_NONE: Check = {
  fits: ({ subject }) => isCovered(undefined, subject.arguments),
  why: () => 'the call runs a command',
}

/** A rule that allows a command allows it alone, and where the agent works. */
export function commandCheck({ decision, command, arguments: args = [] }: Rule, caseless: boolean): Check[] {
  if (command === false) return [RUNS_NONE]
  const named = new Set(args.map(({ steps }) => steps[0]))
  if (decision !== 'allow' || ![...named].some((name) => typeof name === 'string' && isCommandPlace(name))) return []
  const isNamed = (name: string) => named.has(name) || named.has(EACH)
  const here = compilePathGlob('./**', caseless)
  const changing = ({ subject }: Call) => changingIn(subject.arguments, isNamed)
  return [
    {
      fits: (call) => changing(call) === undefined,
      why: (call) => `argument ${changing(call)} makes another command of it, and is not named`,
    },
    {
      fits: (call) => elsewhere(call) === undefined,
      why: (call) => `argument ${elsewhere(call)} is not where the agent works, and is not named`,
    },
  ]

  /** The argument that has the command run in another folder, or in one of which nobody knows. */
  function elsewhere(call: Call): string | undefined {
    const found = Object.entries(call.subject.arguments).find(
      ([name, value]) => isFolderName(name) && !isNamed(name) && !isHere(value, call),
    )
    return found?.[0]
  }

  function isHere(folder: unknown, call: Call): boolean {
    if (folder === null || folder === '') return true
    return typeof folder === 'string' && here.surely(call.readings(folder), call)
  }
}
