import { parseArgs } from 'node:util'
import { usage } from './usage.ts'

const FLAGS = {
  port: { type: 'string' },
  host: { type: 'string' },
  data: { type: 'string' },
  surface: { type: 'string' },
  'max-wait': { type: 'string' },
  'max-rate': { type: 'string' },
  'max-connections': { type: 'string' },
  'max-message': { type: 'string' },
  'max-unread': { type: 'string' },
  heartbeat: { type: 'string' },
  log: { type: 'string' },
  'log-content': { type: 'boolean' },
  role: { type: 'string' },
  session: { type: 'string' },
  expires: { type: 'string' },
  format: { type: 'string' },
  output: { type: 'string', short: 'o' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

export type Flag = keyof typeof FLAGS

export type Flags = { [Name in Flag]?: (typeof FLAGS)[Name]['type'] extends 'string' ? string : true }

/** The flags and the words of a command line; whether they fit together is for the command to say. */
export function readFlags(args: string[]): { flags: Flags; words: string[] } {
  const { values, positionals, tokens } = parseArgs({ args, options: FLAGS, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const flag = FLAGS[token.name as Flag]
    const known = Object.keys(FLAGS).map((name) => `--${name}`)
    if (!flag) throw usage(`There is no flag ${token.rawName}`, `--${token.name}`, known)
    if (flag.type === 'string' && !token.value) throw usage(`${token.rawName} needs a value`)
    if (flag.type === 'boolean' && token.value !== undefined) throw usage(`${token.rawName} takes no value`)
  }
  return { flags: values as Flags, words: positionals }
}

/** Asking for help is never wrong. */
export function refuseForeign(flags: Flags, command: string, own: readonly Flag[]) {
  const foreign = (Object.keys(flags) as Flag[]).find((flag) => !own.includes(flag))
  if (foreign) throw usage(`${command} knows no --${foreign}`)
}
