import type { Entry } from '../protocol/entry.ts'
import type { About, Writer } from './exports.ts'

/** Every entry as it is in the log, one a line. */
export function jsonWriter(): Writer {
  let first = true
  return { begin, entry, end: () => '\n]}\n' }

  function begin({ id, title, exportedAt }: About): string {
    const about = text({ conversation: id, title, exported_at: new Date(exportedAt).toISOString() })
    return `${about.slice(0, -1)},"entries":[`
  }

  function entry({ id, at, key, body }: Entry): string {
    const line = `${first ? '' : ','}\n${text({ id, at: new Date(at).toISOString(), key, body })}`
    first = false
    return line
  }
}

/** Also safe inside a script element, where somebody may put it. */
function text(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
