import { prettyJson } from '../../../src/protocol/text/pretty-json.ts'
import { argumentsOf, membersOf, saysTwice } from './changes/arguments.ts'
import type { Change } from './changes/changes.ts'
import { compare } from './changes/edits.ts'

/** An argument that a person changed; what was asked is removed, what was allowed is added. */
interface AskedChange {
  name: string
  lines: Change[]
}

/** The difference between the arguments that were asked about and those that were allowed. */
export function askedChanges(asked: string, allowed: string): AskedChange[] {
  const [before, after] = [valuesIn(asked), valuesIn(allowed)]
  if (!before || !after) return [change('Arguments', pretty(asked), pretty(allowed))]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [one, other] = [before.get(name), after.get(name)]
    if (one?.json === other?.json) return []
    // A text and a number may read the same.
    const side = one?.shown === other?.shown ? 'json' : 'shown'
    return [change(name, one?.[side] ?? '', other?.[side] ?? '')]
  })
}

function change(name: string, before: string, after: string): AskedChange {
  return { name, lines: compare([{ before, after }]) }
}

/** Nothing where names do not tell the values apart. */
function valuesIn(input: string): Map<string, { shown: string; json: string }> | undefined {
  const members = membersOf(input)
  if (!members || saysTwice(input)) return undefined
  const shown = argumentsOf(input) ?? []
  return new Map(shown.map(({ name, value }, n) => [name, { shown: value, json: members[n]?.value ?? '' }]))
}

function pretty(input: string): string {
  return prettyJson(input) ?? input
}
