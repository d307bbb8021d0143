import type { CLIENT_NAMES } from './client-names.ts'
import type { Path } from './formats/text-format.ts'
import type { Places } from './places.ts'
import type { HttpEntry, StdioEntry } from './server-entry.ts'

export type Format = 'json' | 'jsonc' | 'toml' | 'yaml' | 'yaml-map'

/** What lets its tools be used without a question each time; `none` says why there is nothing. */
type Allow = { entry: object } | { none: string } | AllowFile

export type AllowFile = {
  file(places: Places): string
} /** `project`: the repository that one is in; most allow for all of them. */ & (
  | { list(project: string): Path; items: readonly unknown[] }
  | { values: readonly (readonly [at: Path, value: unknown])[] }
)

/** A file with instructions, of its own or shared with others. */
interface Standing {
  file(places: Places): string
  /** Where it may have been written before, while other files were there. */
  before?(places: Places): string
}

/** The form of an entry. */
interface Shape {
  stdio(entry: StdioEntry): object
  /** Absent where its client speaks no HTTP. */
  http?(entry: HttpEntry): object
  /** How long a call may take, in the field and the unit of the client. */
  limit?: object
}

export interface Client extends Shape {
  /** As it is called on the command line. */
  name: (typeof CLIENT_NAMES)[number]
  title: string
  /** It is there where one of these programs is. */
  programs: readonly string[]
  /** The major versions of the program that are meant, where they differ. */
  versions?: { from?: number; below?: number }
  /** An application without a program is there where this folder is. */
  app?(places: Places): string
  format: Format
  /** Where its entry stands in the file. */
  at: Path
  user(places: Places): string
  /** Whether it keeps its own state in that file, and makes a folder beside it while it writes it. */
  isState?: boolean
  project?(places: Places): string
  /** The form of its entry in a project, where several clients read the same file. */
  inProject?: Shape
  allow: Allow
  instructions?: { user?: Standing; project?: Standing }
  /** What is left to the person. */
  left?: string
  leftInProject?: string
}
