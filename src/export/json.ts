import { filesOf } from '../chat/conversation/attached-hashes.ts'
import type { Entry } from '../protocol/entries/entry.ts'
import type { Piece } from './pieces.ts'
import type { About, Contents, Writer } from './writer.ts'

/** Every entry as it is in the log, one a line, and then every file that they name, once and one a line too. */
export function jsonWriter(contents: Contents): Writer {
  let first = true
  const hashes = new Set<string>()
  return { begin, entry, end }

  function begin({ id, title, exportedAt }: About): string {
    const about = text({ conversation: id, title, exported_at: new Date(exportedAt).toISOString() })
    return `${about.slice(0, -1)},"entries":[`
  }

  function entry({ id, at, key, body }: Entry): Piece[] {
    for (const hash of filesOf(body)) hashes.add(hash)
    const stored = body.kind === 'unknown' ? body.content : body
    const line = `${first ? '' : ','}\n${text({ id, at: new Date(at).toISOString(), key, body: stored })}`
    first = false
    return [line]
  }

  function end(): Piece[] {
    const files = [...hashes].flatMap((hash, n) => [`${n === 0 ? '' : ','}\n${text(hash)}:`, ...value(hash)])
    return ['\n],"files":{', ...files, '\n}}\n']
  }

  /** Nothing where a file is missing. */
  function value(hash: string): Piece[] {
    const content = contents.base64(hash)
    return content ? ['"', content, '"'] : ['null']
  }
}

/** JSON that is safe inside a script element, where somebody may put it. */
function text(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
