import { type Flags, readFlags, type Token, tokensIn } from '../line/flags.ts'
import type { ParleyError } from '../protocol/errors.ts'
import { usage } from '../protocol/usage.ts'
import { VERSION } from '../protocol/version.ts'
import { COMMANDS, type CommandName, flagsAt, partsOf, textOf } from './commands.ts'
import { completionOf } from './completion.ts'
import { type Config, readConfig, type Surroundings } from './config.ts'
import { argumentsIn, helpFor } from './help.ts'

/** What a command gets. */
export interface Typed {
  config: Readonly<Config>
  flags: Flags
  words: string[]
}

/** Those that are done elsewhere. */
export type Run = Record<
  Exclude<CommandName, 'token' | 'policy' | 'mount' | 'service' | 'stdio' | 'completion' | 'help'>,
  (line: Typed) => Promise<unknown>
>

interface ProgramParts extends Surroundings {
  run: Run
  /** Gets what goes to stdout: help, the version, completions. */
  print(text: string): void
}

/** Does what a command line says, or throws what is wrong with it. */
export async function runProgram(args: string[], { run, print, ...surroundings }: ProgramParts) {
  if (args[0] === 'version') return print(`${VERSION}\n`)
  const { path, tokens } = commandIn(args)
  if (isAsked('version', tokens)) return print(`${VERSION}\n`)
  if (isAsked('help', tokens)) return print(helpFor(path))
  const { flags, words } = readFlags(tokens, {
    table: flagsAt(path),
    help: helpAt(path),
    unknown: (option) => unknownOption(path, option),
  })
  checkWords(path, words)
  if (path === '') return print(helpFor(path))
  if (path === 'help') return print(helpFor(words.reduce(below, '')))
  if (path === 'completion') return print(completionOf(words[0] ?? ''))
  // bin/parley.js runs `stdio` itself where that is the first word.
  if (path === 'stdio') throw usage('stdio comes before its options')
  if (!(path in run)) throw usage(`${path} needs one of ${partsOf(path).join(', ')}`, { help: helpAt(path) })
  await run[path as keyof Run]({ config: readConfig(flags, textOf(path).settings, surroundings), flags, words })
}

/** The command that a line names, and the rest of the line. */
function commandIn(args: string[], path = ''): { path: string; tokens: Token[] } {
  const tokens = tokensIn(args, flagsAt(path))
  const word = tokens.find((token) => token.kind === 'positional')
  const isPart = word !== undefined && partsOf(path).includes(word.value)
  // A wrong command explains whatever else is wrong, unless an option comes before it.
  if (isPart || (word?.index === 0 && isGroup(path)))
    return commandIn(args.toSpliced(word.index, 1), below(path, word.value))
  return { path, tokens }
}

function below(path: string, word: string): string {
  const name = `${path} ${word}`.trim()
  if (!partsOf(path).includes(word))
    throw usage(`Unknown command ${name}`, { wrong: word, known: partsOf(path), help: helpAt(path) })
  return name
}

function isAsked(name: string, tokens: Token[]): boolean {
  return tokens.some((token) => token.kind === 'option' && token.name === name && token.value === undefined)
}

function checkWords(path: string, words: string[]) {
  const [word] = words
  if (isGroup(path) && word !== undefined) below(path, word)
  const wanted = argumentsIn(path)
  const missing = wanted.find(({ isNeeded }, place) => isNeeded && words[place] === undefined)
  if (missing) throw usage(`${path} needs a ${missing.name.toLowerCase()}`, { help: helpAt(path) })
  const extra = wanted.some(({ isMany }) => isMany) ? undefined : words[wanted.length]
  if (extra === undefined) return
  const [only, ...more] = wanted
  const quotes = only && more.length === 0 ? ` (a ${only.name.toLowerCase()} with spaces needs quotes)` : ''
  throw usage(`Unexpected argument ${extra}${quotes}`, { help: helpAt(path) })
}

function unknownOption(path: string, option: string): ParleyError {
  const all = [...new Set(['', ...Object.keys(COMMANDS)].flatMap(optionsAt))]
  const isElsewhere = all.includes(option)
  if (isElsewhere && isGroup(path)) return usage(`${option} comes after a command`, { help: helpAt(path) })
  const known = isElsewhere ? [] : isGroup(path) ? all : optionsAt(path)
  return usage(`Unknown option ${option}`, { wrong: option, known, help: helpAt(path) })
}

function optionsAt(path: string): string[] {
  return flagsAt(path).map(([name]) => `--${name}`)
}

function isGroup(path: string): boolean {
  return partsOf(path).length > 0
}

function helpAt(path: string): string {
  return path === '' ? 'parley help' : `parley ${path} --help`
}
