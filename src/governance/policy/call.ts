import { isAbsolute } from 'node:path'
import { agentNames } from '../../protocol/entries/agent-name.ts'
import type { ToolCallSubject } from '../../protocol/tools/gateway.ts'
import type { CallerFolder } from './matching/path-glob.ts'
import { CASELESS, type Reading, readingsOf, realFolders, wholePaths } from './matching/real-path.ts'
import type { Hint } from './rule.ts'
import { createSearch, type Search } from './search.ts'

/** A call while it is decided about: what rules ask of it is found out once, and only when one asks. */
export interface Call extends CallerFolder {
  subject: ToolCallSubject
  /** The names by which rules may mean its agent. */
  names: readonly string[]
  /** The minute of the day, where the hub is. */
  minute: number
  readings(path: string): readonly Reading[] | undefined
  /** The search through all of the arguments. */
  search: Search
}

export function callOf(subject: ToolCallSubject, caseless = CASELESS): Call {
  const known = new Map<string, Reading[] | undefined>()
  const folders = realFolders(caseless)
  // Many rules ask for the same one after the other.
  let last: { path: string; readings: Reading[] | undefined } | undefined
  let minute: number | undefined
  let cwd: Reading[] | undefined
  let search: Search | undefined
  let names: readonly string[] | undefined
  let found: { all: readonly string[] | undefined } | undefined
  return {
    subject,
    get names() {
      names ??= subject.agent === undefined ? [] : agentNames(subject.agent)
      return names
    },
    readings,
    get cwd() {
      cwd ??= subject.cwd === undefined ? [] : (readingsOf(subject.cwd, undefined, folders) ?? [])
      return cwd[0]
    },
    get search() {
      return searched()
    },
    get minute() {
      minute ??= minuteOf(subject.at)
      return minute
    },
  }

  function bases() {
    found ??= { all: findBases() }
    return found
  }

  function searched(): Search {
    search ??= createSearch(subject.arguments)
    return search
  }

  /** The bases with the folders that the call itself names; nothing where nobody knows one of them. */
  function findBases(): readonly string[] | undefined {
    const { bases } = subject
    const folders = bases && new Set(searched().textsNamed(FOLDER))
    if (!folders || folders.size > MOST_FOLDERS) return undefined
    const named = [...folders].map((folder) => wholePaths(folder, bases))
    return named.every((paths) => paths !== undefined) ? [...bases, ...named.flat()] : undefined
  }

  function readings(path: string) {
    if (last?.path === path) return last.readings
    if (!known.has(path)) known.set(path, readingsOf(path, isAbsolute(path) ? undefined : bases().all, folders))
    last = { path, readings: known.get(path) }
    return last.readings
  }
}

/** Names of arguments for the folder that other paths of a call are in. */
const FOLDER =
  /^(?:cwd|pwd|dir|directory|folder|root|base|repo|repository|project|workspace|(?:work(?:ing)?|base|root|current|project|repo|repository|workspace|parent)[_-]?(?:dir|directory|folder|path|root))$/i

export function isFolderName(name: string): boolean {
  return FOLDER.test(name)
}

/** Each path is looked for in each of them. */
const MOST_FOLDERS = 8

/** What a server says nothing of is as the protocol has it; who only reads destroys nothing, however often. */
export function hintOf({ annotations = {} }: ToolCallSubject, hint: Hint): boolean {
  const reads = annotations.readOnlyHint === true
  switch (hint) {
    case 'readOnlyHint':
      return reads
    case 'destructiveHint':
      return !reads && annotations.destructiveHint !== false
    case 'idempotentHint':
      return reads || annotations.idempotentHint === true
    case 'openWorldHint':
      return annotations.openWorldHint !== false
  }
}

function minuteOf(at: number): number {
  const date = new Date(at)
  return date.getHours() * 60 + date.getMinutes()
}
