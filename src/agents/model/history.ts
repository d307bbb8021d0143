import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../io/disk/made-folder.ts'
import type { Message } from './messages.ts'

/** One line of the file: what was added, or how many of the oldest were let go. */
type HistoryLine = { add: Message[] } | { forget: number }

const LOST = 'The run ended before this call was done; whether it took effect is not known.'

/** What a model knows of a conversation, in a file of its own, so that another process can go on with it. */
export function openHistory(folder: string, resume?: string) {
  const known = resume && isOurs(resume) && existsSync(fileIn(folder, resume)) ? resume : undefined
  const id = known ?? randomUUID()
  const messages: Message[] = []
  makeFolder(folder)
  for (const line of known ? linesOf(fileIn(folder, known)) : []) fold(line)
  const unanswered = callsWithoutResult(messages)
  if (unanswered) add(unanswered)
  return { id, remembers: known !== undefined, messages, add, forgetOldest }

  function add(...added: Message[]) {
    if (added.length > 0) write({ add: added })
  }

  /** Lets go of about a quarter, up to where a person spoke; false where all that is left belongs together. */
  function forgetOldest(): boolean {
    const sizes = messages.map((message) => JSON.stringify(message).length)
    const enough = sizes.reduce((sum, size) => sum + size, 0) / 4
    let gone = 0
    let count = 0
    for (const [n, { role }] of messages.entries()) {
      if (n > 0 && role === 'user') {
        count = n
        if (gone >= enough) break
      }
      gone += sizes[n] ?? 0
    }
    if (count > 0) write({ forget: count })
    return count > 0
  }

  function write(line: HistoryLine) {
    appendFileSync(fileIn(folder, id), `${JSON.stringify(line)}\n`, { mode: 0o600 })
    fold(line)
  }

  function fold(line: HistoryLine) {
    if ('add' in line) messages.push(...line.add)
    // An older Parley wrote here what was allowed.
    else if ('forget' in line) messages.splice(0, line.forget)
  }
}

/** Nothing of it is left. */
export function forgetHistory(folder: string, session: string) {
  if (isOurs(session)) rmSync(fileIn(folder, session), { force: true })
}

function isOurs(session: string): boolean {
  return /^[0-9a-f-]{36}$/.test(session)
}

function fileIn(folder: string, session: string): string {
  return join(folder, `${session}.jsonl`)
}

function linesOf(file: string): HistoryLine[] {
  const bytes = readFileSync(file)
  const end = bytes.lastIndexOf('\n') + 1
  // A process that was killed may have left half a line, and the next one would be added to it.
  if (end < bytes.length) truncateSync(file, end)
  const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}

/** A service refuses calls that have no result. */
function callsWithoutResult(messages: Message[]): Message | undefined {
  const last = messages.at(-1)
  if (last?.role !== 'assistant' || typeof last.content === 'string') return undefined
  const calls = last.content.filter((part) => part.type === 'tool-call')
  if (calls.length === 0) return undefined
  return {
    role: 'tool',
    content: calls.map(({ toolCallId, toolName }) => ({
      type: 'tool-result',
      toolCallId,
      toolName,
      output: { type: 'error-text', value: LOST },
    })),
  }
}
