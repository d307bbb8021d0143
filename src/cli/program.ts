import { Argument, Command, CommanderError, Option } from 'commander'
import { usage } from '../protocol/usage.ts'
import { VERSION } from '../protocol/version.ts'
import type { CommandText, Flag } from './command-text.ts'
import { COMMANDS, type CommandName, flagsOf } from './commands.ts'
import { completionOf } from './completion.ts'
import { type Config, readConfig, type Surroundings } from './config.ts'
import { refusalOf, unknownCommand, unknownFlag } from './refusal.ts'

/** The flags of a command as they were written; `1` for what is only on. */
export type Flags = Record<string, string | undefined>

/** What a command gets. */
export interface Typed {
  config: Readonly<Config>
  flags: Flags
  words: string[]
}

/** Those that are done elsewhere. */
export type Run = Record<
  Exclude<CommandName, 'token' | 'policy' | 'mount' | 'stdio' | 'completion' | 'help'>,
  (line: Typed) => Promise<unknown>
>

export interface ProgramParts extends Surroundings {
  run: Run
  /** Gets what goes to stdout: help, the version, completions. */
  print(text: string): void
}

const LAST_WORDS = `
parley COMMAND --help shows its flags and examples, parley --version the version.
Without a command it is stdio when another program is at the other end of stdin.`

/** Does what a command line says. Whatever is wrong with it is thrown in our own words. */
export async function runProgram(args: string[], parts: ProgramParts) {
  try {
    await createProgram(parts).parseAsync(args, { from: 'user' })
  } catch (error) {
    // Help or the version, which were printed.
    if (!(error instanceof CommanderError && error.exitCode === 0)) throw error
  }
}

function createProgram({ run, print, ...surroundings }: ProgramParts): Command {
  const program = refusing(new Command('parley'))
    .description('Parley: the hub where people and coding agents talk')
    .version(VERSION, '-v, --version')
    .helpOption('-h, --help')
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .configureOutput({ writeOut: print, writeErr() {} })
    .configureHelp({
      visibleOptions: (command) => (command.parent ? [...command.options] : []),
      visibleArguments: () => [],
      optionTerm: ({ flags }) => plain(flags),
      optionDescription: ({ description }) => description,
      commandDescription: (command) => sentence(command.description()),
      subcommandTerm: (command) => `${command.name()} ${command.usage()}`.replace('[flags]', '').trimEnd(),
    })
    .addHelpText('after', LAST_WORDS)
    .action(() => program.help())
  const actions: Record<CommandName, (line: Typed) => unknown> = {
    ...run,
    token: () => needsMore('token'),
    policy: () => needsMore('policy'),
    mount: () => needsMore('mount'),
    // `parley stdio` as the first word never comes here.
    stdio: () => {
      throw usage('stdio comes before its flags')
    },
    completion: ({ words: [shell = ''] }) => print(completionOf(shell)),
    help: ({ words }) => commandAt(words).help(),
  }
  for (const [name, text] of Object.entries(COMMANDS) as [CommandName, CommandText][]) add(name, text)
  program.command('version', { hidden: true }).action(() => print(`${VERSION}\n`))
  return program

  function needsMore(name: string): never {
    throw usage(`${name} needs one of ${namesIn(commandAt([name])).join(', ')}`, { help: `parley ${name} --help` })
  }

  function add(name: CommandName, text: CommandText) {
    const words = name.split(' ')
    const parent = commandAt(words.slice(0, -1))
    const command = refusing(parent.usage('COMMAND [flags]').command(words.at(-1) ?? ''))
      .description(text.about)
      .usage([plain(text.words ?? ''), flagsOf(text).length > 0 ? '[flags]' : ''].join(' ').trim())
      .optionsGroup('Flags:')
      .addHelpText('after', moreAbout(text))
      .action(() => actions[name](lineOf(command, text)) as Promise<void>)
    if (text.group) command.helpGroup(`${text.group}:`)
    for (const word of text.words?.split(' ') ?? []) command.addArgument(new Argument(word))
    for (const [flag, about] of flagsOf(text)) command.addOption(optionOf(flag, about, `parley ${name} --help`))
  }

  function lineOf(command: Command, { settings }: CommandText): Typed {
    const flags: Flags = {}
    // Commander gives a flag that a command has as well as its part, as `audit` and `audit verify`, to the former.
    const typed: Record<string, unknown> = command.optsWithGlobals()
    const stray = command.parent?.options.find(
      (option) =>
        typed[option.attributeName()] !== undefined && !command.options.some(({ long }) => long === option.long),
    )
    if (stray) throw unknownFlag(command, stray.long ?? '')
    for (const option of command.options) {
      const value = typed[option.attributeName()]
      if (value !== undefined) flags[option.name()] = value === true ? '1' : String(value)
    }
    return { config: readConfig(flags, settings, surroundings), flags, words: command.args }
  }

  function commandAt(words: string[]): Command {
    return words.reduce((command, word) => {
      const next = command.commands.find((next) => next.name() === word)
      if (!next) throw unknownCommand(command, word)
      return next
    }, program)
  }
}

function refusing(command: Command): Command {
  return command.exitOverride((error) => {
    throw error.exitCode === 0 ? error : refusalOf(command, error)
  })
}

function namesIn(command: Command): string[] {
  return command.commands.map((next) => next.name())
}

function optionOf(name: string, { short, value, about, variable, origins, many }: Flag, help: string): Option {
  const flags = `${short ? `-${short}, ` : ''}--${name}${value ? ` <${value}>` : ''}`
  const option = new Option(flags, variable ? `${about} [env: ${variable}]` : about)
  // Commander takes what starts with no for the opposite of another flag.
  option.negate = false
  if (!value) return option
  return option.argParser((text: string, before: string | undefined) => {
    if (text === '' || text.startsWith('--')) throw usage(`--${name} needs a value`, { help })
    if (before === undefined) return text
    return origins ? `${before} ${text}` : many ? `${before}\n${text}` : text
  })
}

function moreAbout({ variables, examples }: CommandText): string {
  const parts = [columns('Examples:', examples)]
  if (variables) parts.unshift(columns('From the environment:', Object.entries(variables)))
  return `\n${parts.join('\n\n')}`
}

function columns(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return [title, ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd())].join('\n')
}

function sentence(about: string): string {
  return `${about.charAt(0).toUpperCase()}${about.slice(1)}.`
}

/** Flags without the brackets that only Commander needs. */
function plain(flags: string): string {
  return flags.replace(/[<>]/g, '')
}
