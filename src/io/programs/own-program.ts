import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const IS_WINDOWS = process.platform === 'win32'

/** The folder of `bin`, from `src/io/programs` or from `dist/builds/NAME`. */
export function root(): string {
  return join(dirname(fileURLToPath(import.meta.url)), '../../..')
}

/** What starts Parley, whichever of its programs this is. */
export function ownProgram(): string {
  return join(root(), 'bin', 'parley.js')
}

/** What a person types for it in a terminal, in whichever folder. */
export function ownCommand(...words: string[]): string {
  return ['node', ownProgram(), ...words].map((word) => asWord(word)).join(' ')
}

/** As a shell takes it for one word. */
export function asWord(word: string): string {
  const isPlain = !/[\s"'`$&|;<>()*?[\]{}~#!^]/.test(word) && (IS_WINDOWS || !word.includes('\\'))
  if (isPlain) return word
  return IS_WINDOWS || !/["`$!\\]/.test(word) ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`
}
