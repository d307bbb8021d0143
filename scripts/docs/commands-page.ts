import type { CommandText } from '../../src/cli/command-text.ts'
import { COMMANDS, flagsOf } from '../../src/cli/commands.ts'
import type { Flag } from '../../src/line/flags.ts'
import { anchorOf, code, fence, page, sentence, table } from './markdown.ts'

const commands = Object.entries<CommandText>(COMMANDS)

/** Every command with its options, variables and examples. */
export function commandsPage(): string {
  const groups = Map.groupBy(commands, ([name]) => groupOf(name))
  return page(
    '# Commands',
    '`parley COMMAND --help` shows the same in a terminal, and `parley --version` the version. Without a command it is `stdio` when another program is at the other end of stdin. A command that fails says why in one sentence, and exits with a status that is not 0.',
    ...[...groups].flatMap(([group, all]) => [
      `**${group}**`,
      table(
        ['command', 'what for'],
        all.map(([name, { about }]) => [
          `[${code(`parley ${name}`)}](#${anchorOf(`parley ${name}`)})`,
          sentence(about),
        ]),
      ),
    ]),
    ...commands.flatMap(([name, text]) => section(name, text)),
  )
}

/** A part of a command is where the command is. */
function groupOf(name: string): string {
  const [first = ''] = name.split(' ')
  return commands.find(([own]) => own === first)?.[1].group ?? ''
}

function section(name: string, text: CommandText): (string | undefined)[] {
  const flags = flagsOf(text)
  const parts = commands.filter(([own]) => own.startsWith(`${name} `))
  const words = parts.length > 0 ? 'COMMAND' : text.words?.replace(/[<>]/g, '')
  const usage = ['parley', name, words, flags.length > 0 && '[options]'].filter(Boolean).join(' ')
  return [
    `## parley ${name}`,
    sentence(text.about),
    fence('', usage),
    text.known && `${words?.replace(/\W/g, '')}: ${text.known.map(code).join(', ')}.`,
    flags.length > 0 ? table(['option', 'meaning', 'variable'], flags.map(optionRow)) : undefined,
    text.variables &&
      table(
        ['variable', 'meaning'],
        Object.entries(text.variables).map(([variable, about]) => [code(variable), sentence(about)]),
      ),
    text.examples.length > 0
      ? fence('sh', text.examples.map(([line, about]) => (about ? `${line}   # ${about}` : line)).join('\n'))
      : undefined,
  ]
}

function optionRow([name, { short, value, about, variable }]: [string, Flag]): string[] {
  const term = `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`
  return [code(term), sentence(about), variable ? code(variable) : '']
}
