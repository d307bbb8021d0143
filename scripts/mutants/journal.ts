import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a worker of the tests says. */
export type Event =
  | Trying
  | { tried: number[]; pid: number }
  | { killed: number; by: string; why: string }
  | Hung
  | { unfit: string; why: string }
  | { file: string }

/** A test took longer with it than it should: that counts once it does so alone. */
interface Hung {
  hung: number
  by: string
  file: string
}

export interface Trying {
  trying: number
  pid: number
  at: number
}

export function journalOf(folder: string): string {
  return join(folder, 'journal.jsonl')
}

export function readEvents(journal: string): Event[] {
  if (!existsSync(journal)) return []
  const lines = readFileSync(journal, 'utf8').split('\n')
  return lines.filter(Boolean).map((line) => JSON.parse(line))
}
