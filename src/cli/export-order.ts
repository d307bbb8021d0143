import { EXPORT_FORMATS, type ExportFormat } from '../protocol/export.ts'
import { type Flags, refuseForeign } from './flags.ts'
import { usage } from './usage.ts'

/** What `parley export` is to do. */
export interface ExportOrder {
  name: string
  format: ExportFormat
  /** A file; stdout without it. */
  output?: string
}

export function exportOrder([name, ...more]: string[], flags: Flags): ExportOrder {
  refuseForeign(flags, 'export', ['data', 'format', 'output'])
  if (name === undefined) throw usage('export needs the name of a conversation')
  if (more.length > 0)
    throw usage(`export takes one name, and "${more[0]}" is one more; put a name with blanks in quotes`)
  return { name, format: formatOf(flags.format ?? byEnding(flags.output) ?? 'md'), output: flags.output }
}

function formatOf(text: string): ExportFormat {
  const known = EXPORT_FORMATS.find((format) => format === text)
  if (!known) throw usage(`There is no format ${text}`, text, EXPORT_FORMATS)
  return known
}

/** `--output talk.html` says it all. */
function byEnding(output = ''): ExportFormat | undefined {
  return EXPORT_FORMATS.find((format) => output.endsWith(`.${format}`))
}
