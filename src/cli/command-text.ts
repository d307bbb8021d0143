import type { Flag } from '../line/flags.ts'
import { SETTINGS, type SettingName } from '../protocol/settings.ts'

/** What a person reads about a command, and what it takes. */
export interface CommandText {
  /** The group of the command in the help; absent for a part of another command. */
  group?: string
  about: string
  /** The arguments after its name: `<NAME>` has to be there, `[NAME]` may. */
  words?: string
  /** The words that can stand there, where they are known. */
  known?: readonly string[]
  settings: readonly SettingName[]
  /** Its options that are no settings, and what settings mean to it that mean something else elsewhere. */
  own?: Record<string, Flag>
  /** Settings that only the environment can give it. */
  variables?: Record<string, string>
  examples: readonly [line: string, about: string][]
}

/** The flag of commands that need a folder. */
export const DATA: Flag = { ...SETTINGS.data, about: 'the data folder (~/.parley)' }

export const PARLEY_TOKENS = 'more tokens for the hub, as name:role:token, separated by commas'
