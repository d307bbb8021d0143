import { parseArgs } from 'node:util'
import type { ParleyError } from '../protocol/errors.ts'
import type { Setting } from '../protocol/settings.ts'
import { usage } from '../protocol/usage.ts'

export interface Flag extends Setting {
  /** One letter. */
  short?: string
  /** The flag may be given several times; each is a line of its value. */
  many?: true
}

type FlagTable = readonly (readonly [name: string, flag: Flag])[]

/** The options of a command as they were written; `1` for what is only on. */
export type Flags = Record<string, string | undefined>

export type Token = ReturnType<typeof tokensIn>[number]

/** A command line, cut where its options begin and end. What is wrong with it is left in. */
export function tokensIn(args: string[], table: FlagTable) {
  const options = Object.fromEntries(
    table.map(([name, { short, value }]) => [
      name,
      { type: value ? 'string' : 'boolean', ...(short && { short }) } as const,
    ]),
  )
  return parseArgs({ args, options, strict: false, tokens: true }).tokens
}

/** What a command is given; `unknown` says what is wrong with an option that is not in the table. */
export function readFlags(
  tokens: Token[],
  { table, help, unknown }: { table: FlagTable; help: string; unknown(option: string): ParleyError },
): { flags: Flags; words: string[] } {
  const flags: Flags = {}
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const [name, flag] = table.find(([name]) => name === token.name) ?? []
    if (!name || !flag) throw unknown(token.rawName)
    if (!flag.value && token.value !== undefined) throw usage(`--${name} takes no value`, { help })
    if (flag.value && (!token.value || token.value.startsWith('--'))) throw usage(`--${name} needs a value`, { help })
    flags[name] = withAnother(flags[name], token.value ?? '1', flag)
  }
  return { flags, words }
}

function withAnother(before: string | undefined, text: string, { origins, folders, many }: Flag): string {
  if (before === undefined) return text
  return origins ? `${before} ${text}` : many || folders ? `${before}\n${text}` : text
}
