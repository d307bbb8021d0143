import type { Flag } from '../line/flags.ts'
import { usage } from '../protocol/usage.ts'
import type { CommandText } from './command-text.ts'
import { COMMANDS, flagsOf, HELP, partsOf, SHELLS, type Shell, textOf, VERSION } from './commands.ts'

/** A place on the command line, by the words before it, and what can come there. */
interface CompletionPoint {
  path: string
  words: [word: string, about: string][]
  flags: [name: string, flag: Flag][]
}

const SCRIPTS: Record<Shell, () => string> = { bash, zsh, fish }

/** What a shell runs to complete commands and flags. It starts no process, so that it answers at once. */
export function completionOf(name: string): string {
  const shell = SHELLS.find((shell) => shell === name)
  if (!shell) throw usage(`No completion for ${name}`, { wrong: name, known: SHELLS, help: 'parley completion --help' })
  return SCRIPTS[shell]()
}

function bash(): string {
  return `# Completion of parley for bash: source <(parley completion bash)
_parley() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" at= words= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${steps()}) at="\${at:+$at }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$before" in
    ${namesOf(isFolder)}) local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$word")); return ;;
    ${namesOf(isFile)}) local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")); return ;;
${flagsWithWords()
  .map(([names, known]) => `    ${names}) COMPREPLY=($(compgen -W '${known}' -- "$word")); return ;;`)
  .join('\n')}
    ${namesOf(isOther)}) COMPREPLY=(); return ;;
  esac
  case "$at" in
${places()
  .map(
    ({ path, words, flags }) =>
      `    '${path}') words='${[...words, ...flagWords(flags)].map(([word]) => word).join(' ')}' ;;`,
  )
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _parley parley
`
}

function zsh(): string {
  const described = (words: CompletionPoint['words']) =>
    words.map(([word, about]) => quoted(`${word}:${about.replace(/:/g, '\\:')}`)).join(' ')
  return `#compdef parley
# Completion of parley for zsh: source <(parley completion zsh), after compinit
_parley() {
  local at= word
  local -a choices flags
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      ${steps()}) at="\${at:+$at }$word" ;;
    esac
  done
  case "\${words[CURRENT-1]}" in
    ${namesOf(isFolder)}) _files -/; return ;;
    ${namesOf(isFile)}) _files; return ;;
${flagsWithWords()
  .map(([names, known]) => `    ${names}) compadd -- ${known}; return ;;`)
  .join('\n')}
    ${namesOf(isOther)}) return ;;
  esac
  case "$at" in
${places()
  .map(
    ({ path, words, flags }) =>
      `    '${path}') choices=(${described(words)}); flags=(${described(flagWords(flags))}) ;;`,
  )
  .join('\n')}
  esac
  _describe -t commands parley choices
  _describe -o -t flags flag flags
}
if [[ "\${funcstack[1]}" = _parley ]]; then _parley "$@"; else compdef _parley parley; fi
`
}

function fish(): string {
  return `# Completion of parley for fish: parley completion fish > ~/.config/fish/completions/parley.fish
function __parley_at
    set -l before (commandline -opc)
    set -e before[1]
    set -l at
    for word in $before
        switch "$at $word"
            case ${steps(' ')}
                set at (string trim -- "$at $word")
        end
    end
    test "$at" = "$argv"
end
complete -c parley -f
${places()
  .flatMap(({ path, words, flags }) => [
    ...words.map(([word, about]) => `complete -c parley -n '__parley_at ${path}' -a ${word} -d ${quoted(about)}`),
    ...flags.map(([name, flag]) => `complete -c parley -n '__parley_at ${path}' ${fishFlag(name, flag)}`),
  ])
  .join('\n')}
`
}

function fishFlag(name: string, flag: Flag): string {
  const value = isFolder(flag)
    ? " -x -a '(__fish_complete_directories)'"
    : isFile(flag)
      ? ' -r -F'
      : flag.words
        ? ` -x -a '${flag.words[1].join(' ')}'`
        : flag.value
          ? ' -x'
          : ''
  return `-l ${name}${flag.short ? ` -s ${flag.short}` : ''}${value} -d ${quoted(flag.about)}`
}

function places(): CompletionPoint[] {
  return ['', ...Object.keys(COMMANDS)].map((path) => {
    const below = path === 'help' ? wordsBelow('') : wordsBelow(path)
    const known = (textOf(path).known ?? []).map((word): [string, string] => [word, ''])
    const flags = [...flagsOf(textOf(path)), HELP, ...(path === '' ? [VERSION] : [])]
    return { path, words: [...below, ...known], flags }
  })
}

function wordsBelow(path: string): CompletionPoint['words'] {
  return partsOf(path).map((name) => [name, textOf(`${path} ${name}`.trim()).about])
}

/** Every word that leads on from the words before it. */
function steps(between = '|'): string {
  return Object.keys(COMMANDS)
    .map((path) => quoted(path.includes(' ') ? path : ` ${path}`))
    .join(between)
}

function flagWords(flags: CompletionPoint['flags']): CompletionPoint['words'] {
  return flags.map(([name, { about }]) => [`--${name}`, about])
}

function allFlags(): [name: string, flag: Flag][] {
  const all = Object.values<CommandText>(COMMANDS).flatMap(flagsOf)
  return [...new Map(all)]
}

function namesOf(fits: (flag: Flag) => boolean): string {
  return allFlags()
    .filter(([, flag]) => fits(flag))
    .map(spelled)
    .join('|')
}

function flagsWithWords(): [names: string, known: string][] {
  return allFlags().flatMap(([name, flag]) => (flag.words ? [[spelled([name, flag]), flag.words[1].join(' ')]] : []))
}

function spelled([name, { short }]: [string, Flag]): string {
  return short ? `--${name}|-${short}` : `--${name}`
}

function isFolder({ value }: Flag): boolean {
  return value === 'FOLDER'
}

function isFile({ value }: Flag): boolean {
  return value === 'FILE'
}

/** A value that only the person knows. */
function isOther({ value, words }: Flag): boolean {
  return value !== undefined && !words && value !== 'FOLDER' && value !== 'FILE'
}

/** Quotes a text for every shell here: between single quotes, with none inside. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`
}
