import type { Command, CommanderError } from 'commander'
import type { ParleyError } from '../protocol/errors.ts'
import { usage } from '../protocol/usage.ts'

/** What Commander found wrong, in our own words. */
export function refusalOf(command: Command, error: CommanderError): ParleyError {
  const [word] = command.args
  // A wrong command explains whatever else is wrong.
  if (isGroup(command) && word !== undefined && !word.startsWith('-')) return unknownCommand(command, word)
  const [, named = ''] = /'(.*)'/s.exec(error.message) ?? []
  const help = helpOf(command)
  switch (error.code) {
    case 'commander.unknownOption':
      return unknownFlag(command, named)
    case 'commander.optionMissingArgument':
      return usage(`${/--[\w-]+/.exec(named)} needs a value`, { help })
    case 'commander.missingArgument':
      return usage(`${nameOf(command)} needs a ${named.toLowerCase()}`, { help })
    case 'commander.excessArguments':
      return tooManyWords(command)
    default:
      throw error
  }
}

export function unknownCommand(parent: Command, word: string): ParleyError {
  const known = parent.commands.map((command) => command.name())
  return usage(`There is no command ${`${nameOf(parent)} ${word}`.trim()}`, {
    wrong: word,
    known,
    help: helpOf(parent),
  })
}

export function unknownFlag(command: Command, text: string): ParleyError {
  const [flag = text] = text.split('=')
  const help = helpOf(command)
  const own = flagsIn(command)
  if (own.includes(flag)) return usage(`${flag} takes no value`, { help })
  const root = rootOf(command)
  const all = flagsBelow(root)
  if (!all.includes(flag))
    return usage(`There is no flag ${flag}`, { wrong: flag, known: isGroup(command) ? all : own, help })
  return usage(isGroup(command) ? `${flag} comes after a command` : `${nameOf(command)} knows no ${flag}`, { help })
}

function tooManyWords(command: Command): ParleyError {
  const [argument] = command.registeredArguments
  const extra = command.args[command.registeredArguments.length]
  const help = helpOf(command)
  if (!argument) return usage(`${nameOf(command)} takes no further words, and "${extra}" is one`, { help })
  if (command.registeredArguments.length > 1)
    return usage(`${nameOf(command)} takes no further words than these, and "${extra}" is one`, { help })
  const problem = `${nameOf(command)} takes one ${argument.name().toLowerCase()}, and "${extra}" is one more`
  return usage(`${problem} (one with blanks needs quotes)`, { help })
}

function isGroup(command: Command): boolean {
  return command.commands.length > 0
}

function flagsIn(command: Command): string[] {
  return ['--help', ...command.options.flatMap(({ long }) => long ?? [])]
}

function flagsBelow(command: Command): string[] {
  return [...new Set([...flagsIn(command), ...command.commands.flatMap(flagsBelow)])]
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command
}

/** As it is typed after `parley`. */
function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}`.trim() : ''
}

function helpOf(command: Command): string {
  return command.parent ? `parley ${nameOf(command)} --help` : 'parley help'
}
