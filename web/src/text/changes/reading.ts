import { jsonIn } from '../../../../src/protocol/text/json.ts'
import { isRecord } from '../../../../src/protocol/text/record.ts'
import { visible } from '../visible.ts'
import { type Argument, argumentsOf, MOST_ARGUMENTS, membersOf, saysTwice } from './arguments.ts'
import { type Change, changesIn, isPatch } from './changes.ts'
import { comparing, editsIn } from './edits.ts'
import type { Numbering } from './spots.ts'

type Plain = { kind: 'plain' | 'command' } & Argument
/** `headed`: its name is the file, which is not told once more beside it. */
type Changing = { kind: 'change'; name: string; numbering: Numbering; headed?: true }

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

/** `told`: the files that stand above it. */
export function planOf(input: string, told: string[] = []): Plan[] | undefined {
  const given = argumentsOf(input)
  if (given && given.length > MOST_ARGUMENTS) return undefined
  const parsed = jsonIn(input)
  if (!given || !isRecord(parsed) || saysTwice(input)) return given?.map(plainly)
  const names = membersOf(input)?.map(({ name }) => String(JSON.parse(name))) ?? []
  const file = FILES.map((name) => parsed[name]).find((value) => typeof value === 'string')
  const edit = editsIn(input)
  const named = headingIn(names, file)
  const heading = edit || names.some((name) => isNewFile(name, parsed[name])) ? named : undefined
  const isTold = heading !== undefined || (named !== undefined && told.includes(named))
  const head = (name: string) => (heading === undefined ? { name } : { name: heading, headed: true as const })
  const plans = given.map((argument, place): Plan[] => {
    const name = names[place] ?? ''
    if (isTold && FILES.includes(name)) return []
    if (!edit?.names.includes(name)) {
      const plan = readingAs(name, parsed[name], argument, file)
      return [plan.kind === 'change' && isNewFile(name, parsed[name]) ? { ...plan, ...head(plan.name) } : plan]
    }
    // All of them are shown where the first one stands.
    if (names.findIndex((other) => edit.names.includes(other)) !== place) return []
    const together = edit.names.map(visible).join(', ')
    return [{ kind: 'change', ...head(together), making: comparing(edit.edits), numbering: { by: 'edit', file } }]
  })
  return plans.flat()
}

/** The file in the place of its argument, where nothing else could be meant and it is one line. */
function headingIn(names: string[], file: string | undefined): string | undefined {
  const isOne = names.filter((name) => FILES.includes(name)).length === 1
  return isOne && file && file === visible(file) && !/\s\s|[\n\r\t]/.test(file) ? file : undefined
}

function isNewFile(name: string, value: unknown): boolean {
  return CONTENTS.includes(name) && typeof value === 'string' && value !== '' && !isPatch(value)
}

function readingAs(name: string, value: unknown, argument: Argument, file: string | undefined): Plan {
  if (COMMANDS.includes(name)) return commandIn(value, argument)
  if (typeof value !== 'string' || value === '') return plainly(argument)
  if (isPatch(value))
    return { kind: 'change', name: argument.name, making: [changesIn(value)], numbering: { by: 'patch' } }
  if (!file || !isNewFile(name, value)) return plainly(argument)
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
