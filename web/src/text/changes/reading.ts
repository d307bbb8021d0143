import { jsonIn } from '../../../../src/protocol/text/json.ts'
import { isRecord } from '../../../../src/protocol/text/record.ts'
import { visible } from '../visible.ts'
import { type Argument, argumentsOf, MOST_ARGUMENTS, membersOf, saysTwice } from './arguments.ts'
import { type Change, changesIn, isPatch } from './changes.ts'
import { comparing, editsIn } from './edits.ts'
import type { Numbering } from './spots.ts'

type Plain = { kind: 'plain' | 'command' } & Argument
type Changing = { kind: 'change'; name: string; numbering: Numbering }

/** An argument, or several that mean one thing, as people read it. */
export type Reading = Plain | (Changing & { changes: Change[] })

/** The same while its changes are not made yet: that may take long. */
export type Plan = Plain | (Changing & { making: Iterable<Change[]> })

const FILES = ['file_path', 'path', 'filePath', 'filename', 'file']
const CONTENTS = ['content', 'contents', 'file_text']
const COMMANDS = ['command', 'cmd', 'script']

/**
 * What a call asks for: edits, patches and new files as changes, commands as such, and all else as it is. Nothing is
 * left out, and what could be read in two ways is shown to the letter. Undefined when it is no JSON object, or has too
 * much.
 */
export function readingOf(input: string): Reading[] | undefined {
  return planOf(input)?.map((plan) => {
    if (plan.kind !== 'change') return plan
    const { making, ...changing } = plan
    return { ...changing, changes: [...making].flat() }
  })
}

export function planOf(input: string): Plan[] | undefined {
  const given = argumentsOf(input)
  if (given && given.length > MOST_ARGUMENTS) return undefined
  const parsed = jsonIn(input)
  if (!given || !isRecord(parsed) || saysTwice(input)) return given?.map(plainly)
  const names = membersOf(input)?.map(({ name }) => String(JSON.parse(name))) ?? []
  const file = FILES.map((name) => parsed[name]).find((value) => typeof value === 'string')
  const edit = editsIn(input)
  const plans = given.map((argument, place): Plan[] => {
    const name = names[place] ?? ''
    if (!edit?.names.includes(name)) return [readingAs(name, parsed[name], argument, file)]
    // All of them are shown where the first one stands.
    if (names.findIndex((other) => edit.names.includes(other)) !== place) return []
    const together = edit.names.map(visible).join(', ')
    return [{ kind: 'change', name: together, making: comparing(edit.edits), numbering: { by: 'edit', file } }]
  })
  return plans.flat()
}

function readingAs(name: string, value: unknown, argument: Argument, file: string | undefined): Plan {
  if (COMMANDS.includes(name)) return commandIn(value, argument)
  if (typeof value !== 'string' || value === '') return plainly(argument)
  if (isPatch(value))
    return { kind: 'change', name: argument.name, making: [changesIn(value)], numbering: { by: 'patch' } }
  if (!file || !CONTENTS.includes(name)) return plainly(argument)
  const making = comparing([{ before: '', after: value }])
  return { kind: 'change', name: argument.name, making, numbering: { by: 'file', file } }
}

/** One that comes in words is written as a shell would want it. */
function commandIn(value: unknown, argument: Argument): Plain {
  if (typeof value === 'string') return { kind: 'command', ...argument }
  const isWords = Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string')
  return isWords ? { kind: 'command', ...argument, value: visible(value.map(quoted).join(' ')) } : plainly(argument)
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function plainly(argument: Argument): Plain {
  return { kind: 'plain', ...argument }
}
