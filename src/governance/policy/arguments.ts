import { type ArgumentRule, EACH } from './rule.ts'

/** The values in a place of the arguments: nothing where a list is empty, `undefined` where there is no such name. */
export function valuesAt(root: unknown, steps: ArgumentRule['steps']): unknown[] {
  let values: unknown[] = [root]
  for (const step of steps)
    values = step === EACH ? values.flatMap(eachIn) : values.map((value) => memberOf(value, step))
  return values
}

/** A name as a rule has it. */
export function stepOf(name: string): string {
  return name.replace(/[.*\\]/g, '\\$&')
}

function eachIn(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [undefined]
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Array.isArray(value) && !/^\d+$/.test(name) ? undefined : (value as Record<string, unknown>)[name]
}
