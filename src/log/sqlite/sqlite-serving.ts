import { accessSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { MessagePort } from 'node:worker_threads'
import { attempt } from '../../io/attempt.ts'
import { ifError } from '../../io/if-error.ts'
import { type DiskTrouble, LogUnavailable } from '../journal.ts'
import type { TextOf } from '../search/search.ts'
import { startIndexing } from '../search/sqlite-indexing.ts'
import type { SearchIndex } from '../search/sqlite-search.ts'
import { createSearchIndex } from '../search/sqlite-search.ts'
import { createErasing } from './sqlite-erasing.ts'
import { troubleIn } from './sqlite-error.ts'
import { openStoreFile } from './sqlite-file.ts'
import type { Store } from './sqlite-store.ts'

/** `text`: the module that knows what can be found of a body; without it nothing can. */
export type LogFile = { path: string; text?: string }
export type Calls = Store & Pick<SearchIndex, 'search' | 'tags'> & ReturnType<typeof createErasing>
/** Calls are answered in the order in which they were posted, so neither carries a number. */
export type Call = [method: keyof Calls, ...args: unknown[]]
export type Answer = [result: unknown] | { error: unknown; trouble?: DiskTrouble['kind'] }
export type Opening = { opened: true } | { kind: LogUnavailable['kind']; reason: string }

/** Opens the store and answers calls, until it is closed or could not be opened. */
export function serveStore(port: MessagePort, { path, text }: LogFile) {
  const textOf = text === undefined ? undefined : textOnDemand(fileURLToPath(text))
  const opened = attempt(
    () => openStoreFile(path),
    ifError(LogUnavailable, (error) => error),
  )
  port.postMessage((opened instanceof LogUnavailable ? refusal(opened) : { opened: true }) satisfies Opening)
  if (opened instanceof LogUnavailable) return port.close()

  const index = textOf && createSearchIndex(opened.db, textOf)
  const indexing = index && startIndexing(index)
  const calls = { ...opened.store, ...createErasing(opened.db, index), search: index?.search, tags: index?.tags }
  port.on('message', ([method, ...args]: Call) => {
    if (method === 'close') indexing?.close()
    port.postMessage(answer(calls[method] as (...args: unknown[]) => unknown, args))
    if (method === 'close') port.close()
    else indexing?.called()
  })
}

/** The module is loaded with the first entry that needs it: a log that is only read does without. */
function textOnDemand(path: string): TextOf {
  accessSync(path)
  const load = createRequire(import.meta.url)
  return (body) => (load(path) as { textOf: TextOf }).textOf(body)
}

function refusal({ kind, message }: LogUnavailable) {
  return { kind, reason: message }
}

function answer(method: (...args: unknown[]) => unknown, args: unknown[]): Answer {
  try {
    return [method(...args)]
  } catch (error) {
    // Only the words of an error go from thread to thread.
    return { error, trouble: troubleIn(error) }
  }
}
