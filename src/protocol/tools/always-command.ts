// The page comes without schemas.
import type { AlwaysCommand } from '../entries/approval.ts'
import { jsonIn } from '../text/json.ts'
import { isRecord } from '../text/record.ts'
import { commandOffer, isCommand, isCommandPlace, surelyBegins } from './command-start.ts'

type Input = Record<string, unknown>

/** What only tells of a command, or for how long it is waited for. */
const TELLING = /^(?:description|title|explanation|justification|reason|timeout.*|(?:run_in_|is_)?background)$/i
/** What makes another one of it. */
const CHANGING =
  /^(?:args|argv|arguments|params|parameters|env|environment|stdin|input|shell|executable|program|interpreter|user|host|sandbox.*|dangerously.*|with_escalated.*)$/i
/** Off is what it is by itself. */
const OFF = /^(?:dangerously|with_escalated|shell$|tty$)/

/** Nothing where a call runs no command. */
export function alwaysCommand(input: Input | undefined): AlwaysCommand | undefined {
  const offer = input && commandOffer(input)
  if (!offer) return undefined
  const beside = besideOf(input, offer.place)
  return { ...offer, ...(Object.keys(beside).length > 0 && { beside }) }
}

/** Whether what is always allowed allows this call: where it is no command, any call that is none either. */
export function isCovered(allowed: AlwaysCommand | undefined, input: Input | undefined): boolean {
  const { place } = (input && commandOffer(input)) ?? {}
  if (!input || !allowed || place === undefined) return allowed === undefined && place === undefined
  if (place !== allowed.place || !isSame(besideOf(input, place), allowed.beside ?? {})) return false
  const command = input[place]
  if (allowed.begins === undefined) return isSame(command, allowed.same)
  return isCommand(command) && surelyBegins(command, allowed.begins.split(' '))
}

/** The arguments of a call as they stand in its approval. */
export function inputIn(text: string): Input | undefined {
  const input = jsonIn(text)
  return isRecord(input) ? input : undefined
}

/** What in a call makes another one of the command that it runs, and is not named. */
export function changingIn(input: Input, isNamed: (name: string) => boolean): string | undefined {
  return Object.keys(input).find(
    (name) => (CHANGING.test(name) || isCommandPlace(name)) && !isNamed(name) && !isNothing(name, input[name]),
  )
}

function besideOf(input: Input, place: string): Input {
  return Object.fromEntries(
    Object.entries(input)
      .filter(([name, value]) => name !== place && !TELLING.test(name) && !isNothing(name, value))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

function isNothing(name: string, value: unknown): boolean {
  if (value === null || value === '') return true
  if (value === false) return OFF.test(name)
  return typeof value === 'object' && Object.keys(value).length === 0
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
