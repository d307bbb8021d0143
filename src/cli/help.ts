import type { Flag } from '../line/flags.ts'
import type { CommandText } from './command-text.ts'
import { flagsOf, partsOf, textOf } from './commands.ts'

type Row = readonly [left: string, right: string]

const LAST_WORDS = `parley COMMAND --help shows options and examples, parley --version the version.
Without a command it is stdio when another program is at the other end of stdin.`

/** The arguments after the name of a command. */
export function argumentsIn(path: string): { name: string; isNeeded: boolean; isMany: boolean }[] {
  const words = textOf(path).words?.split(' ') ?? []
  return words.map((word) => ({
    name: word.replace(/\W/g, ''),
    isNeeded: word.startsWith('<'),
    isMany: word.includes('...'),
  }))
}

/** Everything about a command, or about all of them. */
export function helpFor(path: string): string {
  const text = textOf(path)
  const tables = [...optionTable(text), ...commandTables(path)]
  const left = Math.max(...tables.flatMap(({ rows }) => rows.map(([name]) => name.length)))
  const options = flagsOf(text).length > 0 || partsOf(path).length > 0 ? '[options]' : ''
  const parts = [
    `Usage: ${['parley', path, takes(path), options].filter(Boolean).join(' ')}`,
    wrapped(`${text.about.charAt(0).toUpperCase()}${text.about.slice(1)}.`, 0),
    ...tables.map(({ title, rows }) =>
      [title, ...rows.map(([name, about]) => `  ${name.padEnd(left)}  ${wrapped(about, left + 4)}`)].join('\n'),
    ),
    ...(text.variables ? [columns('From the environment:', Object.entries(text.variables))] : []),
    path === '' ? LAST_WORDS : columns('Examples:', text.examples),
  ]
  return `${parts.join('\n\n')}\n`
}

function optionTable(text: CommandText): { title: string; rows: Row[] }[] {
  const rows = flagsOf(text).map(([name, flag]): Row => [termOf(name, flag), aboutFlag(flag)])
  return rows.length > 0 ? [{ title: 'Options:', rows }] : []
}

/** Commands by what a person wants to do, where that is known. */
function commandTables(path: string): { title: string; rows: Row[] }[] {
  const parts = partsOf(path).map((name) => ({ name, path: `${path} ${name}`.trim() }))
  const groups = Map.groupBy(parts, (part) => textOf(part.path).group ?? 'Commands')
  return Array.from(groups, ([title, parts]) => ({
    title: `${title}:`,
    rows: parts.map((part): Row => [`${part.name} ${takes(part.path)}`.trim(), textOf(part.path).about]),
  }))
}

function takes(path: string): string {
  return partsOf(path).length > 0 ? 'COMMAND' : (textOf(path).words ?? '').replace(/[<>]/g, '')
}

function termOf(name: string, { short, value }: Flag): string {
  return `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`
}

function aboutFlag({ about, variable }: Flag): string {
  return variable ? `${about} [env: ${variable}]` : about
}

function columns(title: string, rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return [title, ...rows.map(line)].join('\n')

  function line([left, right]: Row): string {
    const whole = `  ${left.padEnd(width)}  ${right}`.trimEnd()
    return whole.length <= edge() ? whole : `  ${left}\n      ${wrapped(right, 6)}`
  }
}

function edge(): number {
  return process.stdout.columns ?? 80
}

/** The text between `indent` and the edge of the terminal. */
function wrapped(text: string, indent: number): string {
  const width = Math.max(edge() - indent, 40)
  const lines = ['']
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trim()
    if (longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}
