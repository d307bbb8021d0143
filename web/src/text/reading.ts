import { jsonIn } from '../../../src/protocol/json.ts'
import { isRecord } from '../../../src/protocol/record.ts'
import { type Argument, argumentsOf, membersOf, saysTwice } from './arguments.ts'
import { type Change, changesIn, isPatch } from './changes.ts'
import { compare, editsIn } from './edits.ts'
import type { Numbering } from './spots.ts'
import { visible } from './visible.ts'

/** An argument, or several that mean one thing, as people read it. */
export type Reading =
  | ({ kind: 'plain' | 'command' } & Argument)
  | { kind: 'change'; name: string; changes: Change[]; numbering: Numbering }

const FILES = ['file_path', 'path', 'filePath', 'filename', 'file']
const CONTENTS = ['content', 'contents', 'file_text']
const COMMANDS = ['command', 'cmd', 'script']

/**
 * What a call asks for: edits, patches and new files as changes, commands as such, and all else as it is. Nothing is left
 * out, and what could be read in two ways is shown to the letter. Undefined when it is no JSON object.
 */
export function readingOf(input: string): Reading[] | undefined {
  const given = argumentsOf(input)
  const parsed = jsonIn(input)
  if (!given || !isRecord(parsed) || saysTwice(input)) return given?.map(plainly)
  const names = membersOf(input)?.map(({ name }) => String(JSON.parse(name))) ?? []
  const file = FILES.map((name) => parsed[name]).find((value) => typeof value === 'string')
  const edit = editsIn(input)
  const readings = given.map((argument, place): Reading[] => {
    const name = names[place] ?? ''
    if (!edit?.names.includes(name)) return [readingAs(name, parsed[name], argument, file)]
    // Where the first of them stands.
    if (names.findIndex((other) => edit.names.includes(other)) !== place) return []
    const together = edit.names.map(visible).join(', ')
    return [{ kind: 'change', name: together, changes: compare(edit.edits), numbering: { by: 'edit', file } }]
  })
  return readings.flat()
}

function readingAs(name: string, value: unknown, argument: Argument, file: string | undefined): Reading {
  if (COMMANDS.includes(name)) return commandIn(value, argument)
  if (typeof value !== 'string' || value === '') return plainly(argument)
  if (isPatch(value))
    return { kind: 'change', name: argument.name, changes: changesIn(value), numbering: { by: 'patch' } }
  if (!file || !CONTENTS.includes(name)) return plainly(argument)
  const changes = compare([{ before: '', after: value }])
  return { kind: 'change', name: argument.name, changes, numbering: { by: 'file', file } }
}

/** One that comes in words is written as a shell would want it. */
function commandIn(value: unknown, argument: Argument): Reading {
  if (typeof value === 'string') return { kind: 'command', ...argument }
  const isWords = Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string')
  return isWords ? { kind: 'command', ...argument, value: visible(value.map(quoted).join(' ')) } : plainly(argument)
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function plainly(argument: Argument): Reading {
  return { kind: 'plain', ...argument }
}
