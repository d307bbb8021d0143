/** What makes more than one command of a line, or another one than it seems. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a shell takes a line break for the end of a command.
const SYNTAX = /[;&|<>`$(){}\\\u0000-\u001f\u007f]/
/** One that lies elsewhere may be any program. */
const SHELL = /^(?:\/(?:(?:usr|usr\/local|opt\/homebrew|run\/current-system\/sw)\/)?bin\/)?(?:ba|z|da|k)?sh$/
const PROGRAM = /^[\w@.+/~][\w@.+/~-]*$/
/** A word of a program's own, and not what it is used on. */
const DEED = /^[A-Za-z][\w@.+:-]*$/
/** The next word names what is run. */
const RUNS = /^(?:run|run-script|exec|dlx|compose|container)$/

/** What runs is the rest of the line, whatever that is. */
const WRAPPER =
  /^(?:.*\/)?(?:env|nice|ionice|nohup|setsid|stdbuf|timeout|time|watch|xargs|command|builtin|exec|eval|source|sudo|doas|su|ssh|busybox|flock|chroot|unshare|nsenter|taskset|strace|script|parallel|tmux|screen)$/
/** Behind what runs it, any program of its language. */
const LANGUAGE = /^(?:python|ruby|perl|php|node|deno|bun|tsx|ts-node|(?:ba|z|da|k|fi)?sh)[\d.]*$/
/** The word behind `run` or `exec` names a place, and what runs there follows. */
const CONTAINERS = /^(?:.*\/)?(?:docker(?:-compose)?|podman|nerdctl|kubectl|oc)$/

/** The fields that hold the command in calls of shells. */
const PLACES = ['command', 'cmd', 'script', 'shell_command', 'command_line', 'cmdline']

export function isCommandPlace(name: string): boolean {
  return PLACES.includes(name)
}

/** The commands that are allowed from now on: those that begin like this, or only the very same. */
type CommandOffer = { place: string } & ({ begins: string } | { same: unknown })

/** Nothing where a call runs no command. */
export function commandOffer(input: Record<string, unknown>): CommandOffer | undefined {
  const place = PLACES.find((name) => Object.hasOwn(input, name) && isCommand(input[name]))
  if (place === undefined) return undefined
  const [program = '', deed = '', next = ''] = plainWords(input[place]) ?? []
  const begins = RUNS.test(deed) ? [program, deed, next] : [program, deed]
  const isPlain = PROGRAM.test(program) && begins.slice(1).every((word) => DEED.test(word))
  if (!isPlain || isRunning(begins)) return { place, same: input[place] }
  return { place, begins: begins.join(' ') }
}

/** Whether what follows is run, whatever that is. */
function isRunning([program = '', ...more]: string[]): boolean {
  if (CONTAINERS.test(program)) return more.some((word) => word === 'run' || word === 'exec')
  return WRAPPER.test(program) || more.some((word) => WRAPPER.test(word) || LANGUAGE.test(word))
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
