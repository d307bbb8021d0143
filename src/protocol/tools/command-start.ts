/** What makes more than one command of a line, or another one than it seems. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a shell takes a line break for the end of a command.
const SYNTAX = /[;&|<>`$(){}\\\u0000-\u001f\u007f]/
/** In a folder of the system; one that lies elsewhere may be any program. */
const SHELL = /^(?:\/(?:(?:usr|opt|run\/c)[\w/-]*\/)?bin\/)?(?:ba|z|da|k)?sh$/
const PROGRAM = /^[\w@.+/~][\w@.+/~-]*$/
/** A word of a program's own, and neither what it is used on nor one behind which another program follows. */
const DEED = /^(?!(?:run|exec|dlx|compose|container)$)[A-Za-z][\w@.+:-]*$/
/** The next word names a script of the project. */
const SCRIPTED = /^(?:p?npm|yarn|bun) run(?:-script)?$/

/** What runs is the rest of the line, whatever that is. */
const WRAPPER =
  /^(?:.*\/)?(?:env|nice|ionice|nohup|setsid|stdbuf|timeout|time|watch|xargs|command|builtin|exec|eval|source|sudo|doas|su|ssh|busybox|flock|chroot|tmux)$/
/** The fields that hold the command in calls of shells. */
const PLACES = ['command', 'cmd', 'script', 'shell_command', 'command_line', 'cmdline']

/** Holds several of them, which are allowed as they are. */
const LIST = 'commands'

export function isCommandPlace(name: string): boolean {
  return name === LIST || PLACES.includes(name)
}

/** The commands that are allowed from now on: those that begin like this, or only the very same. */
type CommandOffer = { place: string } & ({ begins: string } | { same: unknown })

/** Nothing where a call runs no command. */
export function commandOffer(input: Record<string, unknown>): CommandOffer | undefined {
  const place = PLACES.find((name) => Object.hasOwn(input, name) && isCommand(input[name]))
  if (place === undefined) return isGiven(input[LIST]) ? { place: LIST, same: input[LIST] } : undefined
  const [program = '', deed = '', next = ''] = plainWords(input[place]) ?? []
  const start = `${program} ${deed}`
  const isScript = SCRIPTED.test(start)
  if (!PROGRAM.test(program) || WRAPPER.test(program) || !DEED.test(isScript ? next : deed))
    return { place, same: input[place] }
  return { place, begins: isScript ? `${start} ${next}` : start }
}

function isGiven(value: unknown): boolean {
  return isCommand(value) || (Array.isArray(value) && value.length > 0)
}

/** A line for a shell, or a program and its arguments. */
export function isCommand(value: unknown): value is string | string[] {
  if (typeof value === 'string') return value.trim() !== ''
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string')
}

/** Whether it is one command, which begins with these words. */
export function surelyBegins(command: string | string[], words: readonly string[]): boolean {
  const own = plainWords(command)
  return own !== undefined && words.every((word, n) => own[n] === word)
}

/** Whether one of the commands in it may begin with these words: quotes and what is empty may be within one of them. */
export function perhapsBegins(command: string | string[], words: readonly string[]): boolean {
  const line = (typeof command === 'string' ? command : command.join(' ')).replace(/\\\r?\n/g, ' ')
  const joined = line.replace(/\$(?:\(\s*\)|\{\w*\}|[@*])|["']/g, '')
  return [line, joined].some((spelling) => {
    const bare = spelling.replace(/[\s;&|<>`$(){}"',![\]]+/g, ' ').replaceAll('\\', '')
    return [bare, bare.replace(/(?<=^| )\S*\/(?=[^\s/])/g, '')].some((one) =>
      ` ${one} `.includes(` ${words.join(' ')} `),
    )
  })
}

/** The words that a command of a rule begins with; nothing where it is no plain one. */
export function wordsOfStart(text: string): string[] | undefined {
  const words = text.split(' ')
  return !SYNTAX.test(text) && words.every((word) => word !== '' && !/["'\s]/.test(word)) ? words : undefined
}

/** Nothing where a shell would do more than run one program. */
function plainWords(command: unknown): string[] | undefined {
  if (Array.isArray(command)) {
    const words = command as string[]
    const [shell = '', option = '', line, ...more] = words
    if (SHELL.test(shell) && /^-l?c$/.test(option) && more.length === 0) return plainWords(line)
    // Some servers make a line of it again.
    return words.some((word) => SYNTAX.test(word)) ? undefined : words
  }
  return typeof command === 'string' && !SYNTAX.test(command) ? command.trim().split(/ +/) : undefined
}
